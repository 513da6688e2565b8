// npm run generate -- --companies N [--seed S] [--family F] [--out DIR]: writes fictional records as JSON Lines.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { readArguments, resolveFromCaller, text } from './arguments.ts';
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

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  async write(line: string): Promise<void> {
    this.#chunk += `${line}\n`;
    if (this.#chunk.length >= CHUNK_LENGTH) await this.#flush();
  }

  /** Writes the remaining lines, and ends a file. */
  async end(): Promise<void> {
    await this.#flush();
    if (this.#stream === process.stdout) return;
    this.#stream.end();
    await finished(this.#stream);
  }

  async #flush(): Promise<void> {
    const piece = this.#chunk;
    this.#chunk = '';
    if (piece !== '' && !this.#stream.write(piece)) await once(this.#stream, 'drain');
  }
}

/** Returns standard output. The process ends when the reader closes the pipe. */
function openStandardOutput(): NodeJS.WritableStream {
  return process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/**
 * Writes one file per family.
 * @param options - the sample; `dir` is created if absent, `-` is standard output; `log` receives progress lines
 * @returns the number of records by family
 * @throws UserError if the folder cannot be created
 */
export async function generateFiles(
  options: SampleOptions & { dir: string; log: (line: string) => void },
): Promise<Map<SampleFamily, number>> {
  const { dir, log, companies, families = SAMPLE_FAMILIES } = options;
  if (dir !== '-')
    await mkdir(dir, { recursive: true }).catch(() => {
      throw new UserError(`${dir} is not a writable folder.`);
    });
  const open = (family: SampleFamily): NodeJS.WritableStream =>
    dir === '-' ? openStandardOutput() : createWriteStream(join(dir, `${family}.jsonl`));
  const writers = new Map(families.map((family) => [family, new LineWriter(open(family))]));
  const perFamily = countSampleRecords(companies);
  const counts = new Map(families.map((family) => [family, perFamily[family]]));
  const total = families.reduce((sum, family) => sum + perFamily[family], 0);
  let count = 0;
  for (const { family, record } of generateSample(options)) {
    await writers.get(family)?.write(JSON.stringify(record));
    count += 1;
    if (count % PROGRESS_EVERY === 0) log(`${formatNumber(count)} of ${formatNumber(total)} records …`);
  }
  for (const writer of writers.values()) await writer.end();
  return counts;
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
  const dir = out === '-' ? out : resolveFromCaller(out);
  const counts = await generateFiles({ ...options, dir, log: (line) => console.error(line) });
  if (out === '-') return;
  for (const [name, count] of counts)
    console.error(`${formatNumber(count)} records in ${join(dir, `${name}.jsonl`)}`);
}

if (import.meta.main) await runCommand(main);
