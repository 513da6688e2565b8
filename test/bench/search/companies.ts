// The records of the search bench: sample companies as they are indexed, one JSON object a line.

import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { indexFields } from '../../../shared/families/registry.ts';
import { SAMPLE_SEED, sample } from '../../../worker/commands/sample/index.ts';
import { buildIndexSource } from '../../../worker/sandbox/index-source.ts';

/** Where {@link makeCompanies} puts them. */
export function companiesFile(shared: string): string {
  return join(shared, 'companies.jsonl');
}

function* lines(count: number): Generator<string> {
  for (const { record } of sample({ seed: SAMPLE_SEED, companies: count, families: ['company_clean'] })) {
    yield `${JSON.stringify(buildIndexSource(indexFields.company_clean, { ...record }))}\n`;
  }
}

/** Makes the file of so many companies. */
export async function makeCompanies(shared: string, count: number): Promise<void> {
  await pipeline(Readable.from(lines(count)), createWriteStream(companiesFile(shared)));
}

/** Reads the file that {@link makeCompanies} made, a line a company. */
export async function* companyLines(shared: string): AsyncGenerator<string> {
  yield* createInterface({
    input: createReadStream(companiesFile(shared)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
}
