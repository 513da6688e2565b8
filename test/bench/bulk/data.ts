// The result file of the bulk bench: gzipped JSON Lines of large records, as the provider sends them.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import * as z from 'zod';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';

/** What the variants are told: how many records the files have, ascending. */
export const parametersSchema = z.object({ counts: z.array(z.number()) });

/** A record has so many characters of JSON at least. */
const MIN_RECORD_LENGTH = 90_000;
/** Sample companies of which records are made. All of them are far more than gzip looks back. */
const COMPANY_COUNT = 1_000;

/** Where {@link writeResultFile} puts it. */
export function getResultFile(sharedDir: string, count: number): string {
  return join(sharedDir, `${count}.json.gz`);
}

/** A company with others that are like it, as many as it takes. */
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

/** Makes the file of so many records. */
export async function writeResultFile(sharedDir: string, count: number): Promise<void> {
  await pipeline(
    Readable.from(generateLines(count)),
    createGzip(),
    createWriteStream(getResultFile(sharedDir, count)),
  );
}
