// Reads the documents of the golden set in Node: frozen records, the hand-written ones, a table outside the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRecords } from '../../worker/commands/import/read.ts';
import { root } from '../../worker/commands/paths.ts';
import { type GoldenDocument, goldenDocument, serviceDocument } from './document.ts';
import { readJsonFile } from './files.ts';
import type { GoldenSet } from './load.ts';
import { type Json, list, object } from './read.ts';

/**
 * Reads the records of an index as the service returns them: gzipped JSON Lines.
 * @param set - one whose documents are frozen records
 */
export function frozenRecords({ documents }: Pick<GoldenSet, 'documents'>): Json[] {
  const lines = gunzipSync(readFileSync(join(import.meta.dirname, documents.path)))
    .toString('utf8')
    .trimEnd();
  return lines.split('\n').map((line) => object(JSON.parse(line)));
}

/** @returns undefined where there is no such table */
async function readTable(path: string): Promise<Json[] | undefined> {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  const records: Json[] = [];
  const lines = readRecords({ file, family: 'company_clean', map: new Map(), onIgnored: () => {} });
  for await (const line of lines) {
    if ('record' in line) records.push(line.record);
  }
  return records;
}

/**
 * Reads the documents of an index, as they are indexed.
 * @returns undefined where they come from a table that is not here
 */
export async function goldenDocuments(
  set: Pick<GoldenSet, 'documents' | 'mapping'>,
): Promise<GoldenDocument[] | undefined> {
  const { kind, path } = set.documents;
  if (kind === 'file') {
    const records = list(readJsonFile(join(import.meta.dirname, path)));
    return records.map((record) => goldenDocument(object(record)));
  }
  const records = kind === 'csv' ? await readTable(path) : frozenRecords(set);
  return records?.map((record) => serviceDocument(set.mapping, record));
}
