// Reads the state of an index: its fields, its segments and their live documents.
import * as z from 'zod';
import type { MappedField, Mapping, Property } from '../../../../../shared/index-fields/mapping.ts';
import { createMappingLookup } from '../../fields.ts';
import { Unpacker } from '../codec/packed.ts';

/**
 * A document type with its own numbering: the records, or the nested objects of one path. The numbers continue from
 * segment to segment.
 */
export interface Space {
  /** Path of the nested objects; empty for the records. */
  path: string;
  /** Code of the path; 0 for the records. */
  code: number;
  /** The space of the documents that contain these. */
  parent: Space | undefined;
  /** First number and number of documents, by segment. */
  bases: readonly number[];
  sizes: readonly number[];
  /** Number of documents in all segments. */
  size: number;
}

export interface IndexedField {
  code: number;
  type: Property['type'];
  space: Space;
  /** Documents with a term in the field, and the number of terms. */
  docs: number;
  tokens: number;
}

export interface Segment {
  segment: number;
  sizes: Readonly<Record<string, number>>;
  deadCount: number;
}

export interface IndexState {
  name: string;
  code: number;
  version: number;
  mapping: Mapping;
  fields: ReadonlyMap<string, IndexedField>;
  /** By path; the path of the records is empty. */
  spaces: ReadonlyMap<string, Space>;
  records: Space;
  segments: readonly Segment[];
  /** Flags the live records with 1; undefined if all are live. */
  live: Uint8Array | undefined;
}

/** The column of record ids. */
export const ID_COLUMN = 0;

/** Fields and segments are JSON, so that one statement reads a consistent state. */
interface IndexRow {
  code: number;
  version: number;
  mapping: string;
  fields: string;
  segments: string;
}

const STATE_SQL = `
  SELECT code, version, mapping,
    (SELECT json_group_array(json_array(code, path, docs, tokens))
     FROM search_fields WHERE index_code = i.code) AS fields,
    (SELECT json_group_array(json_array(segment, json(sizes), dead, dead_count) ORDER BY segment)
     FROM search_segments WHERE index_code = i.code) AS segments
  FROM search_indexes AS i WHERE name = ?1`;

const fieldRows = z.array(z.tuple([z.number(), z.string(), z.number(), z.number()]));
const segmentRows = z.array(z.tuple([z.number(), z.record(z.string(), z.number()), z.string(), z.number()]));

/** The nested objects of a mapping, outer ones first, and its indexed fields. */
export interface MappedPaths {
  nested: readonly { path: string; parent: string }[];
  fields: readonly MappedField[];
}

/** Lists the paths of a mapping that have a code. */
function listMappedPaths(mapping: Mapping): MappedPaths {
  const lookup = createMappingLookup(mapping);
  const fields = lookup
    .findMatching('*')
    .filter(
      ({ property }) => property.type !== 'binary' && (!('index' in property) || property.index !== false),
    );
  const nested = new Map<string, string>();
  for (const nestedPath of new Set(fields.map((field) => field.nestedPath))) {
    let parent = '';
    for (let end = 0; nestedPath !== undefined && end >= 0; ) {
      end = nestedPath.indexOf('.', end + 1);
      const path = end < 0 ? nestedPath : nestedPath.slice(0, end);
      if (!lookup.isNested(path)) continue;
      nested.set(path, parent);
      parent = path;
    }
  }
  return { nested: Array.from(nested, ([path, parent]) => ({ path, parent })), fields };
}

function createSpace(
  path: string,
  code: number,
  parent: Space | undefined,
  segments: readonly Segment[],
): Space {
  const sizes = segments.map((segment) => segment.sizes[code] ?? 0);
  const bases: number[] = [];
  let size = 0;
  for (const count of sizes) {
    bases.push(size);
    size += count;
  }
  return { path, code, parent, bases, sizes, size };
}

function unpackLive(dead: readonly string[], records: Space): Uint8Array {
  const live = new Uint8Array(records.size).fill(1);
  dead.forEach((packed, segment) => {
    const unpacker = new Unpacker(packed);
    while (unpacker.hasMore) {
      let doc = records.bases[segment] ?? 0;
      for (let remaining = unpacker.next(); remaining > 0; remaining -= 1) {
        doc += unpacker.next();
        live[doc] = 0;
      }
    }
  });
  return live;
}

/** Returns the current version of an index; undefined if it doesn't exist. */
export async function readVersion(
  db: D1Database,
  name: string,
): Promise<{ code: number; version: number } | undefined> {
  const row = await db
    .prepare('SELECT code, version FROM search_indexes WHERE name = ?1')
    .bind(name)
    .first<{ code: number; version: number }>();
  return row ?? undefined;
}

/**
 * Prepares the first statement of every write. It fails the transaction if another write has changed the version.
 * @param state - the state on which the write is based
 */
export function bumpVersion(db: D1Database, { code, version }: IndexState): D1PreparedStatement {
  return db
    .prepare('UPDATE search_indexes SET version = iif(version = ?2, version + 1, NULL) WHERE code = ?1')
    .bind(code, version);
}

/** Constraint errors if another write changed the version, took the segment number or deleted the index. */
const CONFLICT_MESSAGE = /search_indexes\.version|search_segments\.segment|FOREIGN KEY/;

/** Checks whether a write failed because of another write; it can be repeated. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof Error && CONFLICT_MESSAGE.test(error.message);
}

/**
 * Reads the state of an index.
 * @returns undefined if there is no such index
 */
export async function readState(db: D1Database, name: string): Promise<IndexState | undefined> {
  const row = await db.prepare(STATE_SQL).bind(name).first<IndexRow>();
  if (row === null) return undefined;
  const mapping: Mapping = JSON.parse(row.mapping);
  const segmentsWithDead = segmentRows.parse(JSON.parse(row.segments));
  const segments = segmentsWithDead.map(([segment, sizes, , deadCount]) => ({ segment, sizes, deadCount }));
  const records = createSpace('', 0, undefined, segments);
  const spaces = new Map([['', records]]);
  const fields = new Map<string, IndexedField>();
  const rows = new Map(fieldRows.parse(JSON.parse(row.fields)).map((field) => [field[1], field]));
  const paths = listMappedPaths(mapping);
  for (const { path, parent } of paths.nested) {
    const code = rows.get(path)?.[0];
    if (code !== undefined) spaces.set(path, createSpace(path, code, spaces.get(parent), segments));
  }
  for (const { path, property, nestedPath } of paths.fields) {
    const [code, , docs, tokens] = rows.get(path) ?? [];
    const space = spaces.get(nestedPath ?? '');
    if (code === undefined || docs === undefined || tokens === undefined || space === undefined) continue;
    fields.set(path, { code, type: property.type, space, docs, tokens });
  }
  const dead = segments.reduce((sum, { deadCount }) => sum + deadCount, 0);
  return {
    name,
    code: row.code,
    version: row.version,
    mapping,
    fields,
    spaces,
    records,
    segments,
    live:
      dead === 0
        ? undefined
        : unpackLive(
            segmentsWithDead.map(([, , text]) => text),
            records,
          ),
  };
}

/** A mapping that changes the type of an existing field. */
export class MappingConflictError extends Error {
  override readonly name = 'MappingConflictError';
}

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
