// Generates the documents of the search bench: sample companies as JSON Lines.

import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { indexFields } from '../../../shared/families/registry.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { buildIndexSource } from '../../../worker/sandbox/index-source.ts';

/** Returns the path of the file that {@link writeCompanies} writes. */
export function getCompaniesFile(sharedDir: string): string {
  return join(sharedDir, 'companies.jsonl');
}

function* generateLines(count: number): Generator<string> {
  for (const { record } of generateSample({
    seed: SAMPLE_SEED,
    companies: count,
    families: ['company_clean'],
  })) {
    yield `${JSON.stringify(buildIndexSource(indexFields.company_clean, { ...record }))}\n`;
  }
}

/** Writes the given number of companies. */
export async function writeCompanies(sharedDir: string, count: number): Promise<void> {
  await pipeline(Readable.from(generateLines(count)), createWriteStream(getCompaniesFile(sharedDir)));
}

/** Reads the file that {@link writeCompanies} wrote, one company per line. */
export async function* readCompanies(sharedDir: string): AsyncGenerator<string> {
  yield* createInterface({
    input: createReadStream(getCompaniesFile(sharedDir)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
}
