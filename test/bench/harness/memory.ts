// How much memory the programs have resident that we, or what we started, have started.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KILOBYTE = 1024;

interface Listed {
  pid: number;
  parent: number;
  bytes: number;
  command: string;
}

function read(line: string): Listed {
  const [pid, parent, kilobytes, ...command] = line.trim().split(/\s+/);
  return {
    pid: Number(pid),
    parent: Number(parent),
    bytes: Number(kilobytes) * KILOBYTE,
    command: command.join(' '),
  };
}

/**
 * Sums up the resident memory of a process's descendants.
 * @param listing - a line a process: its number, its parent's, resident kilobytes, its name
 * @param ancestor - a process number
 * @param name - part of the names of those that count
 * @returns bytes; undefined where there is none
 */
export function residentIn(listing: string, ancestor: number, name: string): number | undefined {
  const all = listing.split('\n').filter(Boolean).map(read);
  const family = new Set([ancestor]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const sizes = all.filter(
    ({ pid, command }) => pid !== ancestor && family.has(pid) && command.includes(name),
  );
  return sizes.length === 0 ? undefined : sizes.reduce((total, { bytes }) => total + bytes, 0);
}

/** Sums up the resident memory of our descendants of that name, in bytes; undefined where the system can't say. */
export async function residentMemory(name: string): Promise<number | undefined> {
  try {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm=']);
    return residentIn(stdout, process.pid, name);
  } catch {
    return undefined;
  }
}
