// One process per data folder: who has it, and where it answers.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../user-error.ts';
import { answers } from './health.ts';
import { writePrivate } from './session.ts';

const lock = z.object({
  pid: z.int().positive(),
  /** Tells the locks of one process number apart: numbers come again after a restart. */
  token: z.string(),
  /** The process group of the Worker, which may outlive a process that was killed. */
  worker: z.int().positive().optional(),
  url: z.string(),
  /** It runs for the time of one command. */
  temporary: z.boolean(),
});

/** Who has a data folder. */
export type Lock = z.output<typeof lock>;

/** A data folder that is this process's. */
export interface Held {
  /** Notes down the process group of the Worker. */
  setWorker: (worker: number) => Promise<void>;
  release: () => Promise<void>;
}

/** The tokens of this process's locks. */
const held = new Set<string>();

const lockFile = (dir: string): string => join(dir, 'lock');

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isAlive({ pid, token, worker, url }: Lock): Promise<boolean> {
  if (pid === process.pid ? held.has(token) : exists(pid)) return true;
  return worker !== undefined && exists(-worker) && (await answers(url));
}

/**
 * Finds out who has a data folder.
 * @param dir - the instance's folder
 * @returns undefined where nobody has, or whoever had has died
 */
export async function readLock(dir: string): Promise<Lock | undefined> {
  const text = await readFile(lockFile(dir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let read: Lock;
  try {
    read = lock.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
  return (await isAlive(read)) ? read : undefined;
}

/**
 * Makes sure that a data folder is free.
 * @throws UserError with who has it
 */
export async function requireFree(dir: string): Promise<void> {
  const present = await readLock(dir);
  if (present === undefined) return;
  const { pid, worker, url } = present;
  const holder = `process ${exists(pid) ? pid : worker}`;
  const other = 'stop it first, or name another folder with DEV_DIR.';
  if (await answers(url)) throw new UserError(`Already running at ${url} (${holder}): ${other}`);
  throw new UserError(
    `${dir} is in use by ${holder}: ${other} If that is no instance, delete ${lockFile(dir)}.`,
  );
}

/** @returns false where another process was first */
async function create(file: string, text: string): Promise<boolean> {
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, text, { mode: 0o600 });
  try {
    // Other than a rename, a link never replaces a file that is there.
    await link(fresh, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(fresh);
  }
}

/**
 * Takes a data folder for this process; a lock of a process that has died is taken over.
 * @param dir - the instance's folder, made where it is missing
 * @throws UserError where another process has it
 */
export async function takeLock(dir: string, options: { url: string; temporary: boolean }): Promise<Held> {
  const file = lockFile(dir);
  const token = randomUUID();
  const own: Lock = { pid: process.pid, token, ...options };
  const text = JSON.stringify(own);
  held.add(token);
  try {
    await mkdir(dir, { recursive: true });
    if (!(await create(file, text))) {
      await requireFree(dir);
      await rm(file, { force: true });
      if (!(await create(file, text)))
        throw new UserError(`Another process has just taken ${dir}: try again.`);
    }
  } catch (error) {
    held.delete(token);
    throw error;
  }
  return {
    setWorker: (worker) => writePrivate(file, JSON.stringify({ ...own, worker })),
    release: async () => {
      held.delete(token);
      await rm(file, { force: true });
    },
  };
}
