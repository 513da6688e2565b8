// Reads the documents of the golden set in Node: frozen records, hand-written documents, and an external table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRecords } from '../../worker/commands/import/read.ts';
import { root } from '../../worker/commands/paths.ts';
import { type GoldenDocument, toGoldenDocument, toServiceDocument } from './document.ts';
import { readJsonFile } from './files.ts';
import type { GoldenSet } from './load.ts';
import { type Json, toList, toObject } from './read.ts';

/**
 * Reads the frozen records of an index: gzipped JSON Lines.
 * @param set - a set whose documents are frozen records
 */
export function readFrozenRecords({ documents }: Pick<GoldenSet, 'documents'>): Json[] {
  const lines = gunzipSync(readFileSync(join(import.meta.dirname, documents.path)))
    .toString('utf8')
    .trimEnd();
  return lines.split('\n').map((line) => toObject(JSON.parse(line)));
}

/** @returns undefined if the table does not exist */
async function readTable(path: string): Promise<Json[] | undefined> {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  const records: Json[] = [];
  const lines = readRecords({ file, family: 'company_clean', map: new Map(), onHead: () => {} });
  for await (const line of lines) {
    if ('record' in line) records.push(line.record);
  }
  return records;
}

/**
 * Reads the documents of an index.
 * @returns undefined if their table does not exist
 */
export async function readGoldenDocuments(
  set: Pick<GoldenSet, 'documents' | 'mapping'>,
): Promise<GoldenDocument[] | undefined> {
  const { kind, path } = set.documents;
  if (kind === 'file') {
    const records = toList(readJsonFile(join(import.meta.dirname, path)));
    return records.map((record) => toGoldenDocument(toObject(record)));
  }
  const records = kind === 'csv' ? await readTable(path) : readFrozenRecords(set);
  return records?.map((record) => toServiceDocument(set.mapping, record));
}
