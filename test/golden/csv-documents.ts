// The documents that come from a table outside the project, in Node.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { indexMapping } from '../../shared/index-fields/index.ts';
import { readRecords } from '../../worker/commands/import/read.ts';
import { root } from '../../worker/commands/paths.ts';
import { type GoldenDocument, serviceDocument } from './documents.ts';

/**
 * Reads the documents of a table.
 * @param path - from the project's folder
 * @returns undefined where there is no such table
 */
export async function csvDocuments(path: string): Promise<GoldenDocument[] | undefined> {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  const family = 'company_clean';
  const mapping = indexMapping(family);
  const documents: GoldenDocument[] = [];
  for await (const line of readRecords({
    file,
    family,
    map: new Map(),
    onIgnored: () => {},
  })) {
    if ('record' in line) documents.push(serviceDocument(mapping, line.record));
  }
  return documents;
}
