// npm run generate -- --companies N [--seed S] [--family F] [--out DIR]: writes fictional records as JSON Lines.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import {
  MOST_COMPANIES,
  SAMPLE_FAMILIES,
  SAMPLE_SEED,
  type SampleFamily,
  type SampleOptions,
  sample,
  sampleCounts,
} from './sample/index.ts';
import { command, UserError } from './user-error.ts';

const USAGE =
  'Usage: npm run generate -- --companies N [--seed S] [--family F] [--out DIR]; --family F --out - writes to standard output';
const DEFAULT_DIR = 'dist/sample';
const PROGRESS_EVERY = 10_000;
/** Lines are handed to the stream in pieces of about this many characters. */
const PIECE = 64 * 1024;

/** Collects lines and writes them in pieces, waiting whenever the stream is full. */
class LineWriter {
  readonly #stream: NodeJS.WritableStream;
  #piece = '';
  /** lines taken so far */
  lines = 0;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  /** Takes one line, without its end. */
  async add(line: string): Promise<void> {
    this.#piece += `${line}\n`;
    this.lines += 1;
    if (this.#piece.length >= PIECE) await this.flush();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    const piece = this.#piece;
    this.#piece = '';
    if (piece !== '' && !this.#stream.write(piece)) await once(this.#stream, 'drain');
  }
}

/**
 * Writes one file per family.
 * @param options - which sample; `dir` is made where it is missing; `log` is told about progress, a line each time
 * @returns the number of records by family
 * @throws `UserError` where the folder cannot be made
 */
export async function generate(
  options: SampleOptions & { dir: string; log: (line: string) => void },
): Promise<Map<SampleFamily, number>> {
  const { dir, log } = options;
  await mkdir(dir, { recursive: true }).catch(() => {
    throw new UserError(`${dir} is no folder that can be written to.`);
  });
  const families = options.families ?? SAMPLE_FAMILIES;
  const files = new Map(
    families.map((family) => {
      const stream = createWriteStream(join(dir, `${family}.jsonl`));
      return [family, { stream, writer: new LineWriter(stream) }] as const;
    }),
  );
  let made = 0;
  const total = totalOf(options);
  for (const { family, record } of sample(options)) {
    await files.get(family)?.writer.add(JSON.stringify(record));
    made += 1;
    if (made % PROGRESS_EVERY === 0) log(progressLine(made, total));
  }
  const counts = new Map<SampleFamily, number>();
  for (const [family, { stream, writer }] of files) {
    await writer.flush();
    stream.end();
    await finished(stream);
    counts.set(family, writer.lines);
  }
  return counts;
}

function totalOf({ companies, families = SAMPLE_FAMILIES }: SampleOptions): number {
  const counts = sampleCounts(companies);
  return families.reduce((sum, family) => sum + counts[family], 0);
}

function progressLine(made: number, total: number): string {
  return `${made.toLocaleString('en')} of ${total.toLocaleString('en')} records …`;
}

/** Writes the records of the families to standard output; a reader that has had enough ends it. */
async function print(options: SampleOptions): Promise<void> {
  let closed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    process.exit(0);
  });
  const writer = new LineWriter(process.stdout);
  for (const { record } of sample(options)) {
    if (closed) return;
    await writer.add(JSON.stringify(record));
    if (writer.lines % PROGRESS_EVERY === 0) console.error(progressLine(writer.lines, totalOf(options)));
  }
  await writer.flush();
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^-?\d{1,15}$/.test(text) || value < low || value > high) {
    throw new UserError(`--${name} is a whole number from ${low} to ${high}.`);
  }
  return value;
}

function isSampleFamily(name: string): name is SampleFamily {
  return SAMPLE_FAMILIES.some((family) => family === name);
}

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ options: { companies: text, seed: text, family: text, out: text } }).values;
  } catch {
    throw new UserError(USAGE);
  }
}

async function main(): Promise<void> {
  const { companies, seed, family, out = DEFAULT_DIR } = readArguments();
  if (companies === undefined) throw new UserError(USAGE);
  if (family !== undefined && !isSampleFamily(family))
    throw new UserError(`The families are ${SAMPLE_FAMILIES.join(', ')}.`);
  const options: SampleOptions = {
    companies: wholeNumber('companies', companies, 1, MOST_COMPANIES),
    seed: seed === undefined ? SAMPLE_SEED : wholeNumber('seed', seed, 0, 2 ** 32 - 1),
    ...(family === undefined ? {} : { families: [family] }),
  };
  if (out === '-') {
    if (family === undefined) throw new UserError('Standard output takes one family: name it with --family.');
    return print(options);
  }
  // npm runs a script in the project's folder and says here where it was called.
  const dir = resolve(process.env.INIT_CWD ?? '.', out);
  const counts = await generate({ ...options, dir, log: (line) => console.error(line) });
  for (const [name, count] of counts) {
    console.error(`${count.toLocaleString('en')} records in ${join(dir, `${name}.jsonl`)}`);
  }
}

if (import.meta.main) await command(main);
