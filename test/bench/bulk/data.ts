// Generates the result file of the bulk bench: gzipped JSON Lines of large records.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import * as z from 'zod';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';

/** Parameters of the variants: records per file, ascending. */
export const parametersSchema = z.object({ counts: z.array(z.number()) });

/** Minimum length of a record's JSON. */
const MIN_RECORD_LENGTH = 90_000;
/** Sample companies that records are made of. Together they far exceed gzip's window. */
const COMPANY_COUNT = 1_000;

/** Returns the path of the file that {@link writeResultFile} writes. */
export function getResultFile(sharedDir: string, count: number): string {
  return join(sharedDir, `${count}.json.gz`);
}

/** Formats a company that contains as many similar companies as its length requires. */
function formatRecord(index: number, parts: readonly string[]): string {
  const similar: string[] = [];
  for (let at = index * 7, length = 0; length < MIN_RECORD_LENGTH; at += 1) {
    const part = parts[at % parts.length] ?? '{}';
    similar.push(part);
    length += part.length + 1;
  }
  return `{"id":${index + 1},"name":"Company ${index + 1}","similar":[${similar.join(',')}]}\n`;
}

function* generateLines(count: number): Generator<string> {
  const companies = generateSample({
    seed: SAMPLE_SEED,
    companies: COMPANY_COUNT,
    families: ['company_clean'],
  });
  const parts = Array.from(companies, ({ record }) => JSON.stringify(record));
  for (let index = 0; index < count; index += 1) yield formatRecord(index, parts);
}

/** Writes a file with the given number of records. */
export async function writeResultFile(sharedDir: string, count: number): Promise<void> {
  await pipeline(
    Readable.from(generateLines(count)),
    createGzip(),
    createWriteStream(getResultFile(sharedDir, count)),
  );
}
