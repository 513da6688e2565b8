// npm run es-facade: Elasticsearch paths on loopback, clear sentences, and it stops without a trace.
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { filterRunning, listProcessTree, type StartedCommand, startCommand } from './command.ts';

let started: StartedCommand | undefined;
afterEach(async () => {
  if (started?.child.exitCode === null) started.interrupt();
  await started?.exited;
  started = undefined;
});

function start(port: string): StartedCommand {
  started = startCommand(['test/es-facade/start.ts'], { env: { PORT: port } });
  return started;
}

const folders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('es-facade-'));

describe('npm run es-facade', () => {
  it('says that a port is taken, and what to do', async () => {
    const port = await findFreePort(0);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const { exited, output } = start(String(port));
    expect(await exited).toBe(1);
    server.close();
    expect(output()).toContain(`Port ${port} is taken.`);
    expect(output()).toContain(`PORT=${port + 1} npm run es-facade`);
    expect(output().trim()).not.toContain('\n');
  });

  it('refuses a port that is no number', async () => {
    const { exited, output } = start('eighty');
    expect(await exited).toBe(1);
    expect(output()).toContain('PORT is a number');
  });

  it('answers on loopback, forgets, and stops on Ctrl-C without a trace', async () => {
    const before = await folders();
    const port = await findFreePort(0);
    const { child, exited, output, interrupt } = start(String(port));
    await expect.poll(output, { timeout: 90_000, interval: 200 }).toContain('Ctrl-C stops it');
    const url = `http://127.0.0.1:${port}`;
    expect(output()).toContain(`Elasticsearch paths at ${url}/`);
    await fetch(`${url}/index/_doc/1`, { method: 'PUT', body: '{"word":"fox"}' });
    const found = await fetch(`${url}/index/_search?q=word:fox`);
    expect(await found.json()).toMatchObject({ hits: { total: { value: 1 } } });
    const processes = listProcessTree(child.pid ?? 0);
    interrupt();
    expect(await exited).toBe(0);
    expect(filterRunning(processes)).toEqual([]);
    expect(await folders()).toEqual(before);
  });
});
