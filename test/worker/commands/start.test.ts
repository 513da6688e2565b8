// npm start: two starts share a folder, and Ctrl-C at any stage leaves nothing behind.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { findFreePort, startInstance } from '../../../worker/commands/instance/instance.ts';
import { readLock } from '../../../worker/commands/instance/lock.ts';
import { root } from '../../../worker/commands/paths.ts';
import { listen } from '../../faults/listen.ts';
import { filterRunning, listProcessTree, type StartedCommand, startCommand } from './command.ts';

const patient = { timeout: 120_000, interval: 20 };

let dir: string;
let started: StartedCommand[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-start-'));
});
afterEach(async () => {
  for (const command of started) {
    if (command.child.exitCode === null) command.interrupt();
    await command.exited;
  }
  started = [];
  await rm(dir, { recursive: true, force: true });
});

function start(settings: Record<string, string>): StartedCommand {
  const command = startCommand(['worker/commands/start.ts'], { env: { DEV_DIR: dir, ...settings } });
  started.push(command);
  return command;
}

/** Lists the temporary build folders of processes. */
async function listBuildFolders(processes: readonly number[]): Promise<string[]> {
  const folders = await readdir(join(root, 'dist'));
  return folders.filter((name) => processes.some((pid) => name.endsWith(`.${pid}`)));
}

/** Checks that no process, settings file, lock or temporary build folder is left. */
async function expectNoTrace(processes: readonly number[]): Promise<void> {
  expect(filterRunning(processes)).toEqual([]);
  const kept = ['session.json', 'state', 'seeding'];
  expect((await readdir(dir)).filter((name) => !kept.includes(name))).toEqual([]);
  expect(await listBuildFolders(processes)).toEqual([]);
}

describe('npm start', () => {
  it('says before it builds that a port is taken, and what to do', async () => {
    const { origin, close } = await listen(() => {});
    const port = Number(new URL(origin).port);
    const { exited, output } = start({ PORT: String(port) });
    expect(await exited).toBe(1);
    await close();
    expect(output()).toContain(`Port ${port} is taken.`);
    expect(output()).toContain(`PORT=${port + 1} npm start`);
    expect(output().trim()).not.toContain('\n');
  });

  // Issue: "Two simultaneous `npm start` both finish".
  it('lets two simultaneous starts finish: one seeds and runs until Ctrl-C, the other prints its links', async () => {
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
    const session = JSON.parse(await readFile(join(dir, 'session.json'), 'utf8'));
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
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    const processes = listProcessTree(running.child.pid ?? 0);
    // run.mjs, the command, the Worker's host and workerd.
    expect(processes.length).toBeGreaterThan(3);
    running.interrupt();
    expect(await running.exited).toBe(0);
    expect(running.output()).not.toMatch(/error/i);
    expect(running.output()).not.toContain('"event":"request"');
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    await expectNoTrace(processes);
    expect(await readLock(dir)).toBeUndefined();
  }, 240_000);

  it('stops on Ctrl-C during the build without another word and without a trace', async () => {
    const { child, exited, interrupt, output } = start({ PORT: String(await findFreePort(0)) });
    await expect.poll(output, patient).toContain('Building');
    const listBuilding = (): Promise<string[]> => listBuildFolders(listProcessTree(child.pid ?? 0));
    await expect.poll(listBuilding, patient).toHaveLength(1);
    const before = output();
    const processes = listProcessTree(child.pid ?? 0);
    interrupt();
    expect(await exited).toBe(0);
    expect(output()).toBe(before);
    await expectNoTrace(processes);
  }, 240_000);

  it('cancels the start of the Worker without a trace', async () => {
    const stopping = new AbortController();
    const log = (line: string): void => {
      if (line.startsWith('Starting')) setTimeout(() => stopping.abort(), 200);
    };
    const before = listProcessTree(process.pid);
    await expect(startInstance({ dir, port: 0, log, signal: stopping.signal })).rejects.toThrow('aborted');
    await expectNoTrace(listProcessTree(process.pid).filter((pid) => !before.includes(pid)));
    expect(await readLock(dir)).toBeUndefined();
  });
});
