// npm run generate -- --companies N [--seed S] [--family F] [--out DIR]: writes fictional records as JSON Lines.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { readArguments, text } from './arguments.ts';
import {
  countSampleRecords,
  generateSample,
  MOST_COMPANIES,
  SAMPLE_FAMILIES,
  SAMPLE_SEED,
  type SampleFamily,
  type SampleOptions,
} from './sample/index.ts';
import { runCommand, UserError } from './user-error.ts';

const USAGE =
  'Usage: npm run generate -- --companies N [--seed S] [--family F] [--out DIR]; --family F --out - writes to standard output';
const DEFAULT_DIR = 'dist/sample';
const PROGRESS_EVERY = 10_000;
/** Approximate number of characters per write to the stream. */
const CHUNK_LENGTH = 64 * 1024;

/** Collects lines and writes them in chunks. Waits while the stream's buffer is full. */
class LineWriter {
  readonly #stream: NodeJS.WritableStream;
  #chunk = '';
  /** Number of lines so far. */
  lineCount = 0;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  /** Adds one line, without its line end. */
  async write(line: string): Promise<void> {
    this.#chunk += `${line}\n`;
    this.lineCount += 1;
    if (this.#chunk.length >= CHUNK_LENGTH) await this.flush();
  }

  /** Writes the remaining lines. */
  async flush(): Promise<void> {
    const piece = this.#chunk;
    this.#chunk = '';
    if (piece !== '' && !this.#stream.write(piece)) await once(this.#stream, 'drain');
  }
}

/**
 * Writes one file per family.
 * @param options - the sample; `dir` is created if absent; `log` receives progress lines
 * @returns the number of records by family
 * @throws `UserError` if the folder cannot be created
 */
export async function generateFiles(
  options: SampleOptions & { dir: string; log: (line: string) => void },
): Promise<Map<SampleFamily, number>> {
  const { dir, log } = options;
  await mkdir(dir, { recursive: true }).catch(() => {
    throw new UserError(`${dir} is not a writable folder.`);
  });
  const families = options.families ?? SAMPLE_FAMILIES;
  const files = new Map(
    families.map((family) => {
      const stream = createWriteStream(join(dir, `${family}.jsonl`));
      return [family, { stream, writer: new LineWriter(stream) }] as const;
    }),
  );
  let recordCount = 0;
  const total = countRecords(options);
  for (const { family, record } of generateSample(options)) {
    await files.get(family)?.writer.write(JSON.stringify(record));
    recordCount += 1;
    if (recordCount % PROGRESS_EVERY === 0) log(formatProgress(recordCount, total));
  }
  const counts = new Map<SampleFamily, number>();
  for (const [family, { stream, writer }] of files) {
    await writer.flush();
    stream.end();
    await finished(stream);
    counts.set(family, writer.lineCount);
  }
  return counts;
}

function countRecords({ companies, families = SAMPLE_FAMILIES }: SampleOptions): number {
  const counts = countSampleRecords(companies);
  return families.reduce((sum, family) => sum + counts[family], 0);
}

function formatProgress(count: number, total: number): string {
  return `${formatNumber(count)} of ${formatNumber(total)} records …`;
}

/** Writes the records to standard output until they end or the reader closes the pipe. */
async function printRecords(options: SampleOptions): Promise<void> {
  let closed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    process.exit(0);
  });
  const writer = new LineWriter(process.stdout);
  for (const { record } of generateSample(options)) {
    if (closed) return;
    await writer.write(JSON.stringify(record));
    if (writer.lineCount % PROGRESS_EVERY === 0)
      console.error(formatProgress(writer.lineCount, countRecords(options)));
  }
  await writer.flush();
}

function parseWholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^-?\d{1,15}$/.test(text) || value < low || value > high) {
    throw new UserError(`--${name} is a whole number from ${low} to ${high}.`);
  }
  return value;
}

function isSampleFamily(name: string): name is SampleFamily {
  return SAMPLE_FAMILIES.some((family) => family === name);
}

/**
 * Reads the command line.
 * @returns the sample, and the folder that receives it; `-` for standard output
 * @throws UserError if an argument is invalid
 */
export function readOptions(args: readonly string[]): { options: SampleOptions; out: string } {
  const {
    companies,
    seed,
    family,
    out = DEFAULT_DIR,
  } = readArguments(USAGE, { companies: text, seed: text, family: text, out: text }, args).values;
  if (companies === undefined) throw new UserError(USAGE);
  if (family !== undefined && !isSampleFamily(family))
    throw new UserError(`The families are ${SAMPLE_FAMILIES.join(', ')}.`);
  const options: SampleOptions = {
    companies: parseWholeNumber('companies', companies, 1, MOST_COMPANIES),
    seed: seed === undefined ? SAMPLE_SEED : parseWholeNumber('seed', seed, 0, 2 ** 32 - 1),
    ...(family === undefined ? {} : { families: [family] }),
  };
  if (out === '-' && family === undefined)
    throw new UserError('Standard output takes one family: name it with --family.');
  return { options, out };
}

async function main(): Promise<void> {
  const { options, out } = readOptions(process.argv.slice(2));
  if (out === '-') return printRecords(options);
  // npm runs scripts in the project's folder and passes the caller's folder in INIT_CWD.
  const dir = resolve(process.env.INIT_CWD ?? '.', out);
  const counts = await generateFiles({ ...options, dir, log: (line) => console.error(line) });
  for (const [name, count] of counts) {
    console.error(`${formatNumber(count)} records in ${join(dir, `${name}.jsonl`)}`);
  }
}

if (import.meta.main) await runCommand(main);
