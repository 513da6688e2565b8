// npm start: one command, clear sentences, and it stops without a trace.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { readLock } from '../../../worker/commands/instance/lock.ts';
import { root } from '../../../worker/commands/paths.ts';
import { filterRunning, listProcessTree, type StartedCommand, startCommand } from './command.ts';

/** What a busy machine may take. */
const patient = { timeout: 120_000 };

let dir: string;
let started: StartedCommand[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-start-'));
});
afterEach(async () => {
  for (const each of started) {
    if (each.child.exitCode === null) each.interrupt();
    await each.exited;
  }
  started = [];
  await rm(dir, { recursive: true, force: true });
});

function start(settings: Record<string, string>): StartedCommand {
  const command = startCommand(['worker/commands/start.ts'], { env: { DEV_DIR: dir, ...settings } });
  started.push(command);
  return command;
}

/** The folders into which some processes are building. */
async function halfBuilt(processes: readonly number[]): Promise<string[]> {
  const folders = await readdir(join(root, 'dist'));
  return folders.filter((name) => processes.some((pid) => name.endsWith(`.${pid}`)));
}

/** Makes sure that a start has left nothing of itself: nothing that runs, no settings, no lock, nothing half-built. */
async function expectNoTrace(processes: readonly number[]): Promise<void> {
  expect(filterRunning(processes)).toEqual([]);
  expect((await readdir(dir)).filter((name) => !['session.json', 'state', 'seeding'].includes(name))).toEqual(
    [],
  );
  expect(await halfBuilt(processes)).toEqual([]);
}

describe('npm start', () => {
  it('says that a port is taken, and what to do', async () => {
    const port = await findFreePort(0);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const { exited: ended, output: printed } = start({ PORT: String(port) });
    expect(await ended).toBe(1);
    other.close();
    expect(printed()).toContain(`Port ${port} is taken.`);
    expect(printed()).toContain(`PORT=${port + 1} npm start`);
    // It is told before anything is built.
    expect(printed().trim()).not.toContain('\n');
  });

  it.each([
    ['a key alone', { CDAPI_KEY: 'secret-key' }, 'CDAPI_BASE_URL is not: set both, or neither.'],
    [
      'an address alone',
      { CDAPI_BASE_URL: 'https://api.example/cdapi' },
      'CDAPI_KEY is not: set both, or neither.',
    ],
    [
      'an address without https',
      { CDAPI_BASE_URL: 'http://api.example/cdapi', CDAPI_KEY: 'secret-key' },
      'https',
    ],
    ['a port that is no number', { PORT: 'eighty' }, 'PORT is a number'],
    ['a seed that is no number', { SEED: 'many' }, 'SEED is none, or a number'],
  ])('refuses %s in one sentence', async (_, settings, sentence) => {
    const { exited: ended, output: printed } = start(settings);
    expect(await ended).toBe(1);
    expect(printed()).toContain(sentence);
    expect(printed()).not.toContain('secret-key');
    expect(printed().trim()).not.toContain('\n');
  });

  // Issue: "Two simultaneous `npm start` both finish".
  it('twice at the same time both finish: one seeds, is ready, keeps its keys private and stops on Ctrl-C without a trace; the other prints where it is', async () => {
    const port = await findFreePort(0);
    const url = `http://127.0.0.1:${port}`;
    const settings = { PORT: String(port), SEED: '40' };
    const both = [start(settings), start(settings)];
    const printed = (): string[] => both.map((each) => each.output());
    /** What `/health` answered before it answered 200. */
    const seen = new Set<number>();
    const health = async (): Promise<number> => {
      const { status } = await fetch(`${url}/health`).catch(() => ({ status: 0 }));
      if (![0, 200].includes(status)) seen.add(status);
      return status;
    };
    await expect.poll(health, { ...patient, interval: 20 }).toBe(200);
    expect([...seen]).toEqual([503]);
    const file = join(dir, 'session.json');
    const session = JSON.parse(await readFile(file, 'utf8'));
    expect(Object.keys(session).sort()).toEqual(['admin_token', 'provider_key', 'team_token', 'url']);
    const status = await fetch(`${url}/provider/status`, { headers: { apikey: session.provider_key } });
    expect(await status.json()).toMatchObject({
      records: { company_clean: 40, company_base: 40, employee_clean: 200, job_base: 100, employee_post: 60 },
    });
    expect((await fetch(`${url}/`)).status).toBe(200);

    const links = (): boolean => printed().every((text) => text.includes('Connection link'));
    await expect.poll(links, patient).toBe(true);
    for (const text of printed()) {
      expect(text).toContain(`Playground       ${url}/`);
      const link = /Connection link {2}(\S+)/.exec(text)?.[1] ?? '';
      expect(parseConnectionLink(link)).toEqual({ url, token: session.team_token });
    }
    const [running, ...others] = both.filter((each) => each.output().includes('Ctrl-C stops it'));
    if (running === undefined) throw new Error('none runs the instance');
    expect(others).toEqual([]);
    expect(await both.find((each) => each !== running)?.exited).toBe(0);

    for (const name of ['session.json', `vars.${port}`, 'lock'])
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    const processes = listProcessTree(running.child.pid ?? 0);
    // The command, npm's part of it, the platform's tool and the Worker.
    expect(processes.length).toBeGreaterThan(3);
    running.interrupt();
    expect(await running.exited).toBe(0);
    expect(running.output()).not.toMatch(/error/i);
    expect(running.output()).not.toContain('"event":"request"');
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    await expectNoTrace(processes);
    expect(await readLock(dir)).toBeUndefined();
  }, 240_000);

  it('makes no sample records beside a real provider', async () => {
    const settings = {
      CDAPI_BASE_URL: 'https://api.example/cdapi',
      CDAPI_KEY: 'not-a-real-key-0123456789abcdefg',
    };
    const { output: printed } = start({ PORT: String(await findFreePort(0)), SEED: '20', ...settings });
    await expect.poll(printed, { ...patient, interval: 200 }).toContain('Ctrl-C stops it');
    expect(printed()).not.toContain('fictional');
  }, 240_000);

  it.each(['Building', 'Starting', 'fictional'])(
    'stopped with Ctrl-C at %s ends there, without another word and without a trace',
    async (stage) => {
      const {
        child,
        exited: ended,
        output: printed,
        interrupt,
      } = start({ PORT: String(await findFreePort(0)) });
      await expect.poll(printed, { ...patient, interval: 10 }).toContain(stage);
      if (stage === 'Building') {
        const building = (): Promise<string[]> => halfBuilt(listProcessTree(child.pid ?? 0));
        await expect.poll(building, { ...patient, interval: 10 }).toHaveLength(1);
      }
      const before = printed();
      const processes = listProcessTree(child.pid ?? 0);
      interrupt();
      expect(await ended).toBe(0);
      expect(printed()).toBe(before);
      await expectNoTrace(processes);
    },
    240_000,
  );
});
