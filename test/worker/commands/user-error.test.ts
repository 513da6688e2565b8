// Failing commands print one sentence and no stack trace; idempotent calls are retried.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fetchIdempotent } from '../../../worker/commands/instance/health.ts';
import { listen } from '../../faults/listen.ts';
import { startCommand } from './command.ts';

it('an unexpected failure prints one sentence and the path of a private log file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-failure-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { exited, output } = startCommand(['test/worker/commands/failing-command.ts'], {
    env: { DEV_DIR: dir },
  });
  expect(await exited).toBe(1);
  const file = join(dir, 'last-failure.log');
  expect(output().trim().split('\n')).toEqual([
    `This failed unexpectedly. Try again; nothing that was done so far is lost. The details are in ${file}`,
  ]);
  expect(await readFile(file, 'utf8')).toMatch(/TypeError: nobody expected this\n\s+at /);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('an idempotent call is retried after a lost connection and after a 500', async () => {
  let calls = 0;
  const { origin, close } = await listen((request, response) => {
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else response.writeHead(calls === 2 ? 500 : 200).end('done');
  });
  onTestFinished(close);
  const response = await fetchIdempotent(origin, { method: 'PUT' });
  expect([response.status, await response.text(), calls]).toEqual([200, 'done', 3]);
});
