// Processor time of the programs that we, or what we started, have started: it says what a request costs on a busy machine too.
import { readdir, readFile } from 'node:fs/promises';

/** Of the clock by which Linux counts processor time. */
const TICKS_PER_S = 100;

interface Listed {
  pid: number;
  parent: number;
  seconds: number;
}

/** A process with its command. */
interface Known extends Listed {
  command: string;
}

/**
 * Reads a line of `/proc/PID/stat`.
 * @param text - the process number, its name in parentheses, and fields of which the parent is the second and the ticks
 * in user and system mode are the 12th and 13th
 */
export function readStat(text: string): Listed {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(fields[1]),
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S,
  };
}

/**
 * Sums up the processor time of a process's descendants.
 * @param command - part of the commands of those that count
 */
export function secondsIn(all: readonly Known[], ancestor: number, command: string): number {
  const family = new Set([ancestor]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all
    .filter((one) => one.pid !== ancestor && family.has(one.pid) && one.command.includes(command))
    .reduce((total, { seconds }) => total + seconds, 0);
}

/**
 * Sums up the processor time of our descendants.
 * @param command - part of the commands of those that count
 * @returns seconds since they began; undefined where the system can't say
 */
export async function processSeconds(command: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const numbers = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const all = await Promise.all(
    numbers.map(async (pid) => {
      try {
        const stat = readStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
        return { ...stat, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') };
      } catch {
        // It has ended meanwhile.
        return undefined;
      }
    }),
  );
  return secondsIn(
    all.filter((one) => one !== undefined),
    process.pid,
    command,
  );
}
