// Measures processor time and memory of descendant processes.
import { readdir, readFile } from 'node:fs/promises';

/** Frequency of the clock that counts processor time on Linux. */
const CLOCK_TICKS_PER_S = 100;
const PAGE_BYTES = 4096;

/** Resource usage of processes. */
export interface Usage {
  /** Processor time since the processes started. */
  seconds: number;
  /** Resident memory. */
  bytes: number;
}

/** Resource usage of one process. */
interface ProcessUsage extends Usage {
  pid: number;
  parent: number;
  command: string;
}

/**
 * Parses `/proc/PID/stat`.
 * @param text - process id, name in parentheses, then fields: the parent is the second, user and system ticks are
 * the 12th and 13th, resident pages the 22nd
 */
function parseStat(text: string): Omit<ProcessUsage, 'command'> {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]];
  return {
    pid: Number.parseInt(text, 10),
    parent,
    seconds: (user + system) / CLOCK_TICKS_PER_S,
    bytes: pages * PAGE_BYTES,
  };
}

/**
 * Adds up the usage of a process's descendants.
 * @param command - part of the command line of the processes to count
 * @returns undefined if there are none
 */
function sumUsage(all: readonly ProcessUsage[], ancestor: number, command: string): Usage | undefined {
  const descendants = new Set([ancestor]);
  for (let size = 0; size < descendants.size; ) {
    size = descendants.size;
    for (const { pid, parent } of all) if (descendants.has(parent)) descendants.add(pid);
  }
  const counted = all.filter(
    (usage) => usage.pid !== ancestor && descendants.has(usage.pid) && usage.command.includes(command),
  );
  if (counted.length === 0) return undefined;
  const addUp = (getValue: (usage: ProcessUsage) => number): number =>
    counted.reduce((sum, usage) => sum + getValue(usage), 0);
  return { seconds: addUp(({ seconds }) => seconds), bytes: addUp(({ bytes }) => bytes) };
}

/**
 * Adds up the usage of this process's descendants.
 * @param command - part of the command line of the processes to count
 * @returns undefined if there are none, or on other systems than Linux
 */
export async function measureUsage(command: string): Promise<Usage | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const listed = pids.map(async (pid): Promise<ProcessUsage[]> => {
    try {
      const stat = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
      return [{ ...stat, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') }];
    } catch {
      // The process has exited meanwhile.
      return [];
    }
  });
  return sumUsage((await Promise.all(listed)).flat(), process.pid, command);
}
