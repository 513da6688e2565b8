// Processor time and memory of the programs that we, or what we started, have started.
import { readdir, readFile } from 'node:fs/promises';

/** Of the clock by which Linux counts processor time. */
const TICKS_PER_S = 100;
const PAGE_BYTES = 4096;

/** What processes use. */
export interface Usage {
  /** Processor time since they began. */
  seconds: number;
  /** Resident memory. */
  bytes: number;
}

/** A process with its command. */
export interface Listed extends Usage {
  pid: number;
  parent: number;
  command: string;
}

/**
 * Reads `/proc/PID/stat`.
 * @param text - the process number, its name in parentheses, and fields: the parent is the second, the ticks in user and
 * system mode are the 12th and 13th, the resident pages the 22nd
 */
export function readStat(text: string): Omit<Listed, 'command'> {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]];
  return {
    pid: Number.parseInt(text, 10),
    parent,
    seconds: (user + system) / TICKS_PER_S,
    bytes: pages * PAGE_BYTES,
  };
}

/**
 * Sums up what a process's descendants use.
 * @param command - part of the commands of those that count
 * @returns undefined where there is none
 */
export function usageIn(all: readonly Listed[], ancestor: number, command: string): Usage | undefined {
  const family = new Set([ancestor]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const counted = all.filter(
    (one) => one.pid !== ancestor && family.has(one.pid) && one.command.includes(command),
  );
  if (counted.length === 0) return undefined;
  const total = (of: (one: Listed) => number): number => counted.reduce((sum, one) => sum + of(one), 0);
  return { seconds: total(({ seconds }) => seconds), bytes: total(({ bytes }) => bytes) };
}

/**
 * Sums up what our descendants use.
 * @param command - part of the commands of those that count
 * @returns undefined where there is none, or the system can't say
 */
export async function usageOf(command: string): Promise<Usage | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const listed = pids.map(async (pid): Promise<Listed[]> => {
    try {
      const stat = readStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
      return [{ ...stat, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  return usageIn((await Promise.all(listed)).flat(), process.pid, command);
}
