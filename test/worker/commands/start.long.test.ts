// npm start: two starts share a folder, one runs until Ctrl-C; a cancelled one leaves no trace.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { findFreePort, startInstance } from '../../../worker/commands/instance/instance.ts';
import { readLock } from '../../../worker/commands/instance/lock.ts';
import { listProcessTree } from './command.ts';
import { patient, setUpStarts } from './start-harness.ts';

const { getDir, start, expectNoTrace } = setUpStarts();

it('two simultaneous starts finish: one seeds and runs until Ctrl-C, the other prints its links', async () => {
  const port = await findFreePort(0);
  const url = `http://127.0.0.1:${port}`;
  const settings = { PORT: String(port), SEED: '10' };
  const both = [start(settings), start(settings)];
  const statuses = new Set<number>();
  const readHealth = async (): Promise<number> => {
    const { status } = await fetch(`${url}/health`).catch(() => ({ status: 0 }));
    if (![0, 200].includes(status)) statuses.add(status);
    return status;
  };
  await expect.poll(readHealth, patient).toBe(200);
  expect([...statuses]).toEqual([503]);
  const session = JSON.parse(await readFile(join(getDir(), 'session.json'), 'utf8'));
  expect(Object.keys(session).sort()).toEqual([
    'admin_token',
    'playground_nonce',
    'provider_key',
    'team_token',
    'url',
  ]);
  const status = await fetch(`${url}/provider/status`, { headers: { apikey: session.provider_key } });
  expect(await status.json()).toMatchObject({
    records: { company_clean: 10, company_base: 10, employee_clean: 50, job_base: 25, employee_post: 15 },
  });
  expect((await fetch(`${url}/`)).status).toBe(200);

  const havePrintedLinks = (): boolean => both.every(({ output }) => output().includes('Connection link'));
  await expect.poll(havePrintedLinks, patient).toBe(true);
  for (const { output } of both) {
    expect(output()).toContain(`Playground       ${url}/#${session.playground_nonce}\n`);
    const link = /Connection link {2}(\S+)/.exec(output())?.[1] ?? '';
    expect(parseConnectionLink(link)).toEqual({ url, token: session.team_token });
  }
  const [running, ...others] = both.filter(({ output }) => output().includes('Ctrl-C stops it'));
  if (running === undefined) throw new Error('none runs the instance');
  expect(others).toEqual([]);
  expect(await both.find((command) => command !== running)?.exited).toBe(0);

  for (const name of ['session.json', `vars.${port}`, 'lock', 'state/secrets.json'])
    expect((await stat(join(getDir(), name))).mode & 0o777).toBe(0o600);
  const processes = listProcessTree(running.child.pid ?? 0);
  // run.mjs, the command, the Worker's host and workerd.
  expect(processes.length).toBeGreaterThan(3);
  running.interrupt();
  expect(await running.exited).toBe(0);
  expect(running.output()).not.toMatch(/error/i);
  expect(running.output()).not.toContain('"event":"request"');
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  await expectNoTrace(processes);
  expect(await readLock(getDir())).toBeUndefined();
}, 240_000);

it('cancels the start of the Worker without a trace', async () => {
  const stopping = new AbortController();
  const log = (line: string): void => {
    if (line.startsWith('Starting')) setTimeout(() => stopping.abort(), 200);
  };
  const before = listProcessTree(process.pid);
  await expect(startInstance({ dir: getDir(), port: 0, log, signal: stopping.signal })).rejects.toThrow(
    'aborted',
  );
  await expectNoTrace(listProcessTree(process.pid).filter((pid) => !before.includes(pid)));
  expect(await readLock(getDir())).toBeUndefined();
});
