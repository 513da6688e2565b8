// npm run es-facade: serves Elasticsearch paths on loopback and stops without a trace.
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { filterRunning, listProcessTree, startCommand } from './command.ts';

const listFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('es-facade-'));

it('answers on loopback, refuses a second start on its port, and deletes its documents on Ctrl-C', async () => {
  const before = await listFolders();
  const port = await findFreePort(0);
  const start = () => {
    const command = startCommand(['test/es-facade/start.ts'], { env: { PORT: String(port) } });
    onTestFinished(async () => {
      if (command.child.exitCode === null) command.interrupt();
      await command.exited;
    });
    return command;
  };
  const { child, exited, interrupt, output } = start();
  await expect.poll(output, { timeout: 90_000, interval: 200 }).toContain('Ctrl-C stops it');
  const url = `http://127.0.0.1:${port}`;
  expect(output()).toContain(`Elasticsearch paths at ${url}/`);
  await fetch(`${url}/index/_doc/1`, { method: 'PUT', body: '{"word":"fox"}' });
  const found = await fetch(`${url}/index/_search?q=word:fox`);
  expect(await found.json()).toMatchObject({ hits: { total: { value: 1 } } });

  const second = start();
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(`Port ${port} is taken.`);
  expect(second.output()).toContain(`PORT=${port + 1} npm run es-facade`);
  expect(second.output().trim()).not.toContain('\n');

  const processes = listProcessTree(child.pid ?? 0);
  interrupt();
  expect(await exited).toBe(0);
  expect(filterRunning(processes)).toEqual([]);
  expect(await listFolders()).toEqual(before);
});
