// The lock of a data folder: one holder at a time, and locks of dead processes are taken over.
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withInstance } from '../../../worker/commands/import.ts';
import {
  acquireLock,
  assertUnlocked,
  type LockHandle,
  readLock,
} from '../../../worker/commands/instance/lock.ts';
import { createSession } from '../../../worker/commands/instance/session.ts';
import { type Listening, listen } from '../../faults/listen.ts';

/** Nothing listens at port 1. */
const silent = { url: 'http://127.0.0.1:1', temporary: false };

const staleLock = { ...silent, token: 'earlier' };

let top: string;
let dir: string;
let server: Listening;
let status: number;
let url: string;
let handle: LockHandle | undefined;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'cdapi-lock-'));
  dir = join(top, 'data');
  status = 200;
  server = await listen((_, response) => response.writeHead(status).end('{}'));
  url = server.origin;
});
afterEach(async () => {
  await handle?.release();
  handle = undefined;
  await server.close();
  await rm(top, { recursive: true });
});

async function writeLock(lock: object): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'lock'), JSON.stringify(lock));
}

/** Returns the id of a process that has exited. */
function createDeadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('the lock of a data folder', () => {
  it('makes the folder, a new one and one of before, private', async () => {
    for (const mode of [undefined, 0o755]) {
      if (mode !== undefined) await chmod(dir, mode);
      await (await acquireLock(dir, silent)).release();
      expect((await stat(dir)).mode & 0o777).toBe(0o700);
    }
  });

  it('records process and address, and is deleted on release', async () => {
    handle = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid, ...silent });
    await handle.release();
    expect(await readLock(dir)).toBeUndefined();
    await expect(readFile(join(dir, 'lock'))).rejects.toThrow('ENOENT');
  });

  it('rejects a second holder with the address of the first', async () => {
    handle = await acquireLock(dir, { url, temporary: false });
    const sentence = `Already running at ${url} (process ${process.pid}): stop it first, or name another folder with DEV_DIR.`;
    await expect(acquireLock(dir, silent)).rejects.toThrow(sentence);
    await expect(assertUnlocked(dir)).rejects.toThrow(sentence);
    expect(await readLock(dir)).toMatchObject({ url });
  });

  it('is acquired by exactly one of many concurrent attempts', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(dir, silent)));
    const locks = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(locks).toHaveLength(1);
    handle = locks[0];
  });

  it('of a process that does not answer names the file to delete', async () => {
    await writeLock({ ...staleLock, pid: process.ppid });
    await expect(acquireLock(dir, silent)).rejects.toThrow(
      `${dir} is in use by process ${process.ppid}: stop it first, or name another folder with DEV_DIR. If that is no instance, delete ${join(dir, 'lock')}.`,
    );
  });

  it.each([
    ['of a dead process', () => ({ ...staleLock, pid: createDeadPid() })],
    ['of an earlier process with the same id', () => ({ ...staleLock, pid: process.pid })],
    ['with unreadable content', () => ({ pid: 'one' })],
  ])('%s is taken over', async (_, lock) => {
    await writeLock(lock());
    handle = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid, ...silent });
  });

  it('of a killed process stays valid while its Worker answers', async () => {
    const worker = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { detached: true });
    const exited = new Promise((resolve) => worker.on('exit', resolve));
    try {
      await writeLock({ ...staleLock, pid: createDeadPid(), worker: worker.pid, url });
      await expect(acquireLock(dir, silent)).rejects.toThrow(
        `Already running at ${url} (process ${worker.pid})`,
      );
    } finally {
      worker.kill('SIGKILL');
    }
    await exited;
    handle = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid });
  });
});

describe('withInstance', () => {
  it('rejects a temporary instance of another command', async () => {
    handle = await acquireLock(dir, { url, temporary: true });
    await expect(
      withInstance(
        dir,
        () => {},
        async () => {},
      ),
    ).rejects.toThrow('try again when it has ended');
  });

  it('waits until the instance at the address in the lock is ready', async () => {
    status = 503;
    handle = await acquireLock(dir, { url, temporary: false });
    const session = await createSession(dir, silent);
    const events: unknown[] = [];
    const log = (line: string): void => {
      events.push(line);
      status = 200;
    };
    await withInstance(dir, log, async (used) => void events.push(used));
    expect(events).toEqual([
      `Waiting for the instance at ${url} (process ${process.pid}), which is starting or busy …`,
      { ...session, url },
    ]);
  });
});

it('the session keeps its keys, and address and nonce of the last instance that was not temporary', async () => {
  const read = async (): Promise<unknown> => JSON.parse(await readFile(join(dir, 'session.json'), 'utf8'));
  const first = await createSession(dir, { url: 'http://127.0.0.1:2', temporary: true });
  expect(await read()).not.toHaveProperty('url');
  const permanent = await createSession(dir, { url: 'http://127.0.0.1:3', temporary: false });
  const { playground_nonce } = permanent;
  expect(playground_nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(permanent).toEqual({ ...first, url: 'http://127.0.0.1:3', playground_nonce });
  expect(first.playground_nonce).not.toBe(playground_nonce);
  const later = await createSession(dir, { url: 'http://127.0.0.1:4', temporary: true });
  expect(later.url).toBe('http://127.0.0.1:4');
  expect(await read()).toEqual(permanent);
});
