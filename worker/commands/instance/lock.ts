// Locks a data folder for one process and records the address of its instance.
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../lib/exact-json.ts';
import { UserError } from '../user-error.ts';
import { isReachable } from './health.ts';
import { makePrivateFolder, writePrivateFile } from './session.ts';

const lockSchema = z.object({
  pid: z.int().positive(),
  /** Distinguishes processes with the same id, which the system reuses. */
  token: z.string(),
  /** Process group of the Worker, which can outlive a killed process. */
  worker: z.int().positive().optional(),
  /** Empty: no instance, but a command of a deployment. */
  url: z.string(),
  /** The instance serves one command. */
  temporary: z.boolean(),
});

export type Lock = z.output<typeof lockSchema>;

export interface LockHandle {
  setWorkerGroup: (worker: number) => Promise<void>;
  release: () => Promise<void>;
}

const ownTokens = new Set<string>();

const getLockFile = (dir: string): string => join(dir, 'lock');

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isAlive({ pid, token, worker, url }: Lock): Promise<boolean> {
  if (pid === process.pid ? ownTokens.has(token) : isProcessRunning(pid)) return true;
  return worker !== undefined && isProcessRunning(-worker) && (await isReachable(url));
}

/**
 * Reads the lock of a data folder.
 * @returns undefined if there is no lock, or its holder has died
 */
export async function readLock(dir: string): Promise<Lock | undefined> {
  const text = await readFile(getLockFile(dir), 'utf8').catch(() => '');
  const lock = lockSchema.safeParse(parseJson(text)).data;
  return lock !== undefined && (await isAlive(lock)) ? lock : undefined;
}

/** Checks that a data folder is not locked. @throws UserError that names the holder */
export async function assertUnlocked(dir: string): Promise<void> {
  const lock = await readLock(dir);
  if (lock === undefined) return;
  const { pid, worker, url } = lock;
  const holder = `process ${isProcessRunning(pid) ? pid : worker}`;
  if (url === '')
    throw new UserError(
      `Another command is using ${dir} (${holder}): wait until it has ended. If there is no such command, delete ${getLockFile(dir)}.`,
    );
  const advice = 'stop it first, or name another folder with DEV_DIR.';
  if (await isReachable(url)) throw new UserError(`Already running at ${url} (${holder}): ${advice}`);
  throw new UserError(
    `${dir} is in use by ${holder}: ${advice} If that is no instance, delete ${getLockFile(dir)}.`,
  );
}

/** Creates a lock file atomically. @returns false if another process was first */
async function createLockFile(file: string, text: string): Promise<boolean> {
  const temporaryFile = `${file}.${randomUUID()}`;
  await writeFile(temporaryFile, text, { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces an existing file.
    await link(temporaryFile, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporaryFile);
  }
}

/**
 * Locks a data folder for this process. Takes over the lock of a process that has died.
 * @param dir - the instance's folder; created if absent
 * @throws UserError if another process holds the lock
 */
export async function acquireLock(
  dir: string,
  options: { url: string; temporary: boolean },
): Promise<LockHandle> {
  const file = getLockFile(dir);
  const token = randomUUID();
  const lock: Lock = { pid: process.pid, token, ...options };
  const text = JSON.stringify(lock);
  ownTokens.add(token);
  try {
    await makePrivateFolder(dir);
    if (!(await createLockFile(file, text))) {
      await assertUnlocked(dir);
      await rm(file, { force: true });
      if (!(await createLockFile(file, text)))
        throw new UserError(`Another process has just taken ${dir}: try again.`);
    }
  } catch (error) {
    ownTokens.delete(token);
    throw error;
  }
  return {
    setWorkerGroup: (worker) => writePrivateFile(file, JSON.stringify({ ...lock, worker })),
    release: async () => {
      ownTokens.delete(token);
      await rm(file, { force: true });
    },
  };
}
