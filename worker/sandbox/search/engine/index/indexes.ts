// Creates indexes.
import type { Mapping } from '../../../../../shared/index-fields/mapping.ts';
import { listMappedPaths } from './state.ts';

/** A mapping that changes the type of an existing field. */
export class MappingConflictError extends Error {
  override readonly name = 'MappingConflictError';
}

/** Describes how each field is indexed, by path. */
function describeFields(mapping: Mapping): Map<string, string> {
  const { nested, fields } = listMappedPaths(mapping);
  return new Map([
    ...nested.map(({ path }): [string, string] => [path, 'nested']),
    ...fields.map(({ path, property, nestedPath = '' }): [string, string] => [
      path,
      `${property.type} of ${nestedPath}`,
    ]),
  ]);
}

/**
 * Creates an index, or replaces its mapping. Existing fields keep their type.
 * @throws MappingConflictError if a field changes its type
 */
export async function createIndex(db: D1Database, name: string, mapping: Mapping): Promise<void> {
  const text = JSON.stringify(mapping);
  const types = describeFields(mapping);
  const existingMapping = await db
    .prepare('SELECT mapping FROM search_indexes WHERE name = ?1')
    .bind(name)
    .first<string>('mapping');
  if (existingMapping === text) return;
  for (const [path, type] of existingMapping === null ? [] : describeFields(JSON.parse(existingMapping))) {
    if ((types.get(path) ?? type) !== type) {
      throw new MappingConflictError(`[${path}] of index [${name}] can't become another kind of field`);
    }
  }
  await db.batch([
    db
      .prepare(
        `INSERT INTO search_indexes (name, mapping, version) VALUES (?1, ?2, 0)
         ON CONFLICT (name) DO UPDATE SET mapping = excluded.mapping, version = version + 1`,
      )
      .bind(name, text),
    db
      .prepare(
        `INSERT OR IGNORE INTO search_fields (index_code, path)
         SELECT (SELECT code FROM search_indexes WHERE name = ?1), value FROM json_each(?2)`,
      )
      .bind(name, JSON.stringify([...types.keys()])),
  ]);
}
