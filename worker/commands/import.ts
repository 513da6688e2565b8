// npm run import -- [--family company_clean] [--map file.json] FILE: loads records into the sandbox.
import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { familyNames, isFamily } from '../../shared/families/index.ts';
import { formatCount } from '../../shared/lib/format-count.ts';
import { type Heading, knownHeadings } from '../sandbox/import/company-records.ts';
import { readArguments, resolveFromCaller, text } from './arguments.ts';
import { type ImportOptions, type ImportReport, importFile } from './import/load.ts';
import { isKnown, type TableHead, toPrintable } from './import/table-head.ts';
import { acceptsKey, isReady, waitUntilReady } from './instance/health.ts';
import { startInstance } from './instance/instance.ts';
import { readLock } from './instance/lock.ts';
import { readSession, type Session } from './instance/session.ts';
import { devDir } from './paths.ts';
import { createStopSignal, runCommand, UserError, waitForAbort } from './user-error.ts';

/** Work with an instance. A temporary instance stops when the signal is aborted. */
type InstanceWork = (session: Session, signal?: AbortSignal) => Promise<void>;

async function withTemporaryInstance(dir: string, work: InstanceWork): Promise<void> {
  const signal = createStopSignal();
  const interruptedError = new UserError('Stopped before the end; what was done so far is kept.');
  try {
    const instance = await startInstance({ dir, port: 0, temporary: true, signal });
    try {
      await Promise.race([work(instance.session, signal), waitForAbort(signal)]);
      signal.throwIfAborted();
    } finally {
      await instance.stop();
    }
  } catch (error) {
    throw signal.aborted ? interruptedError : error;
  }
}

/**
 * Calls `work` with the running instance, or with a temporary one if none runs.
 * @param log - receives progress lines
 * @throws UserError if the running instance is temporary or refuses the key
 */
export async function withInstance(
  dir: string,
  log: (line: string) => void,
  work: InstanceWork,
): Promise<void> {
  const running = await readLock(dir);
  if (running === undefined) {
    log('No running instance was found: working on the stored data.');
    return withTemporaryInstance(dir, work);
  }
  const { pid, url, temporary } = running;
  if (temporary) {
    throw new UserError(`Another command works on ${dir} (process ${pid}): try again when it has ended.`);
  }
  if (!(await isReady(url))) {
    log(`Waiting for the instance at ${url} (process ${pid}), which is starting or busy …`);
    const isRunning = async (): Promise<boolean> => (await readLock(dir))?.pid === pid;
    if (!(await waitUntilReady(url, isRunning))) return withInstance(dir, log, work);
  }
  const stored = await readSession(dir);
  if (stored === undefined || !(await acceptsKey({ ...stored, url }))) {
    throw new UserError(
      `The instance at ${url} (process ${pid}) refuses the key in ${dir}: stop it, and start it again.`,
    );
  }
  return work({ ...stored, url });
}

const USAGE = 'Usage: npm run import -- [--family company_clean] [--map file.json] FILE.csv|FILE.jsonl';
const MAX_LISTED_WEBSITES = 20;
const MAX_REASON = 300;

function printHead({ separator, used, ignored }: TableHead): void {
  const name = separator === '\t' ? 'tab' : toPrintable(separator);
  const headings = used.map(({ text, heading }) =>
    text === heading ? heading : `${toPrintable(text)} → ${heading}`,
  );
  console.log(`Headings, separated by ${name}: ${headings.join(', ')}`);
  const shown = ignored.map((text) => toPrintable(text));
  if (shown.length > 0) console.log(`Ignored headings: ${shown.join(', ')}`);
}

function printReport(report: ImportReport): void {
  if (report.head !== undefined) printHead(report.head);
  for (const [family, { added, changed, unchanged }] of report.counts) {
    console.log(`${family}: ${added} added, ${changed} changed, ${unchanged} unchanged`);
    const shared = [...(report.shared.get(family) ?? [])];
    if (shared.length > 0) {
      console.log(`  ${formatCount(shared.length, 'website')} of several records; the lowest id answers:`);
      for (const [website, ids] of shared.slice(0, MAX_LISTED_WEBSITES))
        console.log(`  ${website}: ${ids.join(', ')}`);
      if (shared.length > MAX_LISTED_WEBSITES)
        console.log(`  … and ${shared.length - MAX_LISTED_WEBSITES} more`);
    }
  }
  const { refused } = report;
  console.log(`${formatCount(refused.length, 'line')} refused${refused.length > 0 ? ':' : ''}`);
  for (const { line, reason } of refused) console.log(`  line ${line}: ${toPrintable(reason, MAX_REASON)}`);
}

/** Resolves the path of a file that the user named. @throws UserError if it does not exist */
async function resolveFile(name: string): Promise<string> {
  const file = resolveFromCaller(name);
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() !== true) throw new UserError(`There is no file ${file}.`);
  return file;
}

/**
 * Reads the command line and the heading map that it names.
 * @throws UserError if an argument is invalid or names a missing file
 */
export async function readOptions(args: readonly string[]): Promise<Omit<ImportOptions, 'log'>> {
  const { values, positionals } = readArguments(USAGE, { family: text, map: text }, args, 1);
  const [name] = positionals;
  if (name === undefined) throw new UserError(USAGE);
  const { family } = values;
  if (family !== undefined && !isFamily(family))
    throw new UserError(`The families are ${familyNames.join(', ')}.`);
  const file = await resolveFile(name);
  const map = values.map === undefined ? undefined : await readHeadingMap(await resolveFile(values.map));
  return { file, map, family };
}

async function main(): Promise<void> {
  const options = await readOptions(process.argv.slice(2));
  const log = (line: string): void => console.log(line);
  await withInstance(devDir, log, async (session, signal) => {
    const report = await importFile(session, { ...options, log, signal });
    printReport(report);
    const hasImportedRecords = [...report.counts.values()].some(
      (count) => count.added + count.changed + count.unchanged > 0,
    );
    if (!hasImportedRecords) process.exitCode = 1;
  });
}

const mapSchema = z.record(z.string(), z.string());

/**
 * Reads a heading map.
 * @param file - an existing JSON file: {"a heading of the table": "a known heading"}
 * @throws UserError if it is invalid or contains an unknown heading
 */
export async function readHeadingMap(file: string): Promise<Map<string, Heading>> {
  const text = await readFile(file, 'utf8');
  let parsed: z.output<typeof mapSchema>;
  try {
    parsed = mapSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${file} is not a heading map: write {"a heading of the file": "a known heading"}.`);
  }
  const map = new Map<string, Heading>();
  for (const [heading, target] of Object.entries(parsed)) {
    if (!isKnown(target)) {
      const known = knownHeadings.join(', ');
      throw new UserError(
        `${file} maps "${toPrintable(heading)}" to "${toPrintable(target)}", which is unknown. The known headings are ${known}.`,
      );
    }
    map.set(heading, target);
  }
  return map;
}

if (import.meta.main) await runCommand(main);
