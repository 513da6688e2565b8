// One data folder, one process: who is second is told, and what a dead process left is taken over.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  acquireLock,
  assertUnlocked,
  type LockHandle,
  readLock,
} from '../../../worker/commands/instance/lock.ts';
import { createSession } from '../../../worker/commands/instance/session.ts';
import { withInstance } from '../../../worker/commands/instance/with-instance.ts';

/** Nothing listens at port 1. */
const silent = { url: 'http://127.0.0.1:1', temporary: false };

/** What an earlier process left. */
const left = { ...silent, token: 'earlier' };

let top: string;
let dir: string;
let server: Server;
let url: string;
let own: LockHandle | undefined;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'cdapi-lock-'));
  dir = join(top, 'data');
  server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await own?.release();
  own = undefined;
  server.close();
  await rm(top, { recursive: true });
});

async function leaveLock(lock: object): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'lock'), JSON.stringify(lock));
}

/** The number of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('the lock of a data folder', () => {
  it('names its process and address while it is held, and is gone when released', async () => {
    own = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid, ...silent });
    await own.release();
    expect(await readLock(dir)).toBeUndefined();
    await expect(readFile(join(dir, 'lock'))).rejects.toThrow('ENOENT');
  });

  it('is not given to a second: it is told where the first runs, and what to do', async () => {
    own = await acquireLock(dir, { url, temporary: false });
    const sentence = `Already running at ${url} (process ${process.pid}): stop it first, or name another folder with DEV_DIR.`;
    await expect(acquireLock(dir, silent)).rejects.toThrow(sentence);
    await expect(assertUnlocked(dir)).rejects.toThrow(sentence);
    expect(await readLock(dir)).toMatchObject({ url });
  });

  it('is given to one of many that ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(dir, silent)));
    const given = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(given).toHaveLength(1);
    own = given[0];
  });

  it('of a process that does not answer says which file to delete', async () => {
    await leaveLock({ ...left, pid: process.ppid });
    await expect(acquireLock(dir, silent)).rejects.toThrow(
      `${dir} is in use by process ${process.ppid}: stop it first, or name another folder with DEV_DIR. If that is no instance, delete ${join(dir, 'lock')}.`,
    );
  });

  it.each([
    ['of a process that has died', () => ({ ...left, pid: deadProcess() })],
    ['of an earlier process with this number', () => ({ ...left, pid: process.pid })],
    ['that can’t be read', () => ({ pid: 'one' })],
  ])('%s is taken over', async (_, lock) => {
    await leaveLock(lock());
    own = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid, ...silent });
  });

  it('of a process that was killed holds as long as its Worker answers', async () => {
    const worker = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { detached: true });
    const gone = new Promise((resolve) => worker.on('exit', resolve));
    try {
      await leaveLock({ ...left, pid: deadProcess(), worker: worker.pid, url });
      await expect(acquireLock(dir, silent)).rejects.toThrow(
        `Already running at ${url} (process ${worker.pid})`,
      );
    } finally {
      worker.kill('SIGKILL');
    }
    await gone;
    own = await acquireLock(dir, silent);
    expect(await readLock(dir)).toMatchObject({ pid: process.pid });
  });
});

describe('work on the stored data', () => {
  const nothing = async (): Promise<void> => {};

  it('goes to the instance that has the folder, where the lock says', async () => {
    own = await acquireLock(dir, { url, temporary: false });
    const session = await createSession(dir, { url: 'http://127.0.0.1:1', temporary: false });
    const seen: unknown[] = [];
    await withInstance(
      dir,
      (line) => seen.push(line),
      async (given) => void seen.push(given),
    );
    expect(seen).toEqual([{ ...session, url }]);
  });

  it('does not go to an instance that lives for another command', async () => {
    own = await acquireLock(dir, { url, temporary: true });
    await expect(withInstance(dir, () => {}, nothing)).rejects.toThrow('try again when it has ended');
  });

  it('waits for an instance that is starting or busy', async () => {
    let isReady = false;
    server.removeAllListeners('request');
    server.on('request', (_, response) => response.writeHead(isReady ? 200 : 503).end('{}'));
    own = await acquireLock(dir, { url, temporary: false });
    await createSession(dir, silent);
    const seen: string[] = [];
    const working = withInstance(
      dir,
      (line) => {
        seen.push(line);
        isReady = true;
      },
      async ({ url: used }) => void seen.push(used),
    );
    await working;
    expect(seen).toEqual([
      `Waiting for the instance at ${url} (process ${process.pid}), which is starting or busy …`,
      url,
    ]);
  });
});

it('the session keeps its keys, and the address of the last instance that was started to stay', async () => {
  const read = async (): Promise<unknown> => JSON.parse(await readFile(join(dir, 'session.json'), 'utf8'));
  const first = await createSession(dir, { url: 'http://127.0.0.1:2', temporary: true });
  expect(await read()).not.toHaveProperty('url');
  const stays = await createSession(dir, { url: 'http://127.0.0.1:3', temporary: false });
  expect(stays).toEqual({ ...first, url: 'http://127.0.0.1:3' });
  const later = await createSession(dir, { url: 'http://127.0.0.1:4', temporary: true });
  expect(later.url).toBe('http://127.0.0.1:4');
  expect(await read()).toEqual(stays);
});
