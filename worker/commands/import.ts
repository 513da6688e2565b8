// npm run import -- [--family company_clean] [--map file.json] FILE: loads records into the embedded provider.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Family, familyNames, isFamily } from '../../shared/families.ts';
import { readRecords } from './import/read.ts';
import { Sender } from './import/send.ts';
import { startInstance } from './instance.ts';
import { devDir } from './paths.ts';
import { readSession, type Session } from './session.ts';
import { command, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run import -- [--family company_clean] [--map file.json] FILE.csv|FILE.jsonl';
const PROGRESS_EVERY = 500;
const MAX_NAMED = 20;

/** What an import did. */
export interface ImportReport {
  /** By family. */
  counts: Map<Family, { added: number; changed: number; unchanged: number }>;
  refused: { line: number; reason: string }[];
  /** Websites of several records, by family. */
  shared: Map<Family, Map<string, string[]>>;
}

/**
 * Loads a file into a running instance.
 * @param session - of the instance
 * @param options - what to read; `log` is told about progress, a line each time
 * @returns counts, and every line that was refused with its reason
 */
export async function importFile(
  session: Session,
  options: { file: string; family?: Family; map?: Record<string, string>; log: (line: string) => void },
): Promise<ImportReport> {
  const { file, family, log } = options;
  const report: ImportReport = { counts: new Map(), refused: [], shared: new Map() };
  const senders = new Map<Family, Sender<number>>();
  const senderOf = (wanted: Family): Sender<number> => {
    const existing = senders.get(wanted);
    if (existing !== undefined) return existing;
    const counts = { added: 0, changed: 0, unchanged: 0 };
    const shared = new Map<string, string[]>();
    report.counts.set(wanted, counts);
    report.shared.set(wanted, shared);
    const sender = new Sender<number>(session, wanted, (answer, lines) => {
      counts.added += answer.added;
      counts.changed += answer.changed;
      counts.unchanged += answer.unchanged;
      for (const { website, ids } of answer.shared_websites) shared.set(website, ids);
      for (const { index, reason } of answer.refused)
        report.refused.push({ line: lines[index] ?? 0, reason });
    });
    senders.set(wanted, sender);
    return sender;
  };
  const seen = new Map<string, number>();
  let read = 0;
  const lines = readRecords({
    file,
    ...(family === undefined ? {} : { family }),
    map: options.map ?? {},
    onIgnored: (headings) => {
      if (headings.length > 0) log(`Ignored headings: ${headings.join(', ')}`);
    },
  });
  for await (const item of lines) {
    if ('refused' in item) {
      report.refused.push({ line: item.line, reason: item.refused });
      continue;
    }
    const name = `${item.family} ${String(item.record.id)}`;
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      report.refused.push({ line: item.line, reason: `its id stands in line ${earlier} already` });
      continue;
    }
    seen.set(name, item.line);
    await senderOf(item.family).add(item.record, item.line);
    read += 1;
    if (read % PROGRESS_EVERY === 0) log(`${read.toLocaleString('en')} records …`);
  }
  for (const sender of senders.values()) await sender.flush();
  return report;
}

function print(report: ImportReport): void {
  for (const [family, { added, changed, unchanged }] of report.counts) {
    console.log(`${family}: ${added} added, ${changed} changed, ${unchanged} unchanged`);
    const shared = [...(report.shared.get(family) ?? [])];
    if (shared.length > 0) {
      console.log(`  ${shared.length} websites lead to several records; the lowest id answers:`);
      for (const [website, ids] of shared.slice(0, MAX_NAMED)) console.log(`  ${website}: ${ids.join(', ')}`);
      if (shared.length > MAX_NAMED) console.log(`  … and ${shared.length - MAX_NAMED} more`);
    }
  }
  const { refused } = report;
  console.log(`${refused.length} lines refused${refused.length > 0 ? ':' : ''}`);
  for (const { line, reason } of refused) console.log(`  line ${line}: ${reason}`);
}

async function readMap(file: string): Promise<Record<string, string>> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError(`${file} is no map: it holds {"a heading of the file": "a known heading"}.`);
  }
}

/** The instance that runs, or one that is started on the stored data for the time of the work. */
async function withInstance(work: (session: Session) => Promise<void>): Promise<void> {
  const stored = await readSession(devDir);
  const running = stored && {
    ...stored,
    url: process.env.PORT ? `http://127.0.0.1:${process.env.PORT}` : stored.url,
  };
  if (running !== undefined && (await takesKey(running))) return work(running);
  console.log('No running instance was found: working on the stored data.');
  const instance = await startInstance({ dir: devDir, port: 0 });
  try {
    await work(instance.session);
  } finally {
    await instance.stop();
  }
}

async function takesKey({ url, provider_key }: Session): Promise<boolean> {
  try {
    return (await fetch(`${url}/provider/status`, { headers: { apikey: provider_key } })).ok;
  } catch {
    return false;
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: { family: { type: 'string' }, map: { type: 'string' } },
      allowPositionals: true,
    });
  } catch {
    throw new UserError(USAGE);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UserError(USAGE);
  // npm runs a script in the project's folder and says here where it was called.
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new UserError(`There is no file ${file}.`);
  const { family } = values;
  if (family !== undefined && !isFamily(family))
    throw new UserError(`The families are ${familyNames.join(', ')}.`);
  const map = values.map === undefined ? {} : await readMap(values.map);
  await withInstance(async (session) => {
    const report = await importFile(session, {
      file,
      map,
      ...(family === undefined ? {} : { family }),
      log: (line) => console.log(line),
    });
    print(report);
    if (report.counts.size === 0) process.exitCode = 1;
  });
}

if (import.meta.main) await command(main);
