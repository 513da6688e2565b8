// An index as the database has it at one moment: its fields, its segments, which of their documents live.
import * as z from 'zod';
import { createMappingLookup } from '../../fields.ts';
import type { MappedField, Mapping, Property } from '../../mapping.ts';
import { Unpacker } from '../codec/packed.ts';

/**
 * A kind of document with numbers of its own: the records, or the nested objects of one path. Numbers run through the
 * segments one behind the other.
 */
export interface Space {
  /** Of the nested objects; empty for the records. */
  path: string;
  /** Code of the path; 0 for the records. */
  code: number;
  /** The space of the documents that these are in. */
  parent: Space | undefined;
  /** By segment, in order: the first number, and how many follow. */
  bases: readonly number[];
  sizes: readonly number[];
  /** All numbers are below. */
  size: number;
}

/** A field that has an index. */
export interface IndexedField {
  code: number;
  type: Property['type'];
  space: Space;
  /** Documents that have a term in it, and the number of their terms. */
  docs: number;
  tokens: number;
}

/** A part of an index. */
export interface Segment {
  segment: number;
  sizes: Readonly<Record<string, number>>;
  deadCount: number;
  compactedCount: number;
}

/** An index at one moment. */
export interface IndexState {
  name: string;
  code: number;
  version: number;
  mapping: Mapping;
  fields: ReadonlyMap<string, IndexedField>;
  /** By path; the records' is the empty one. */
  spaces: ReadonlyMap<string, Space>;
  records: Space;
  segments: readonly Segment[];
  /** 1 for each record that was not removed or replaced; undefined where all live. */
  live: Uint8Array | undefined;
  liveCount: number;
}

/** The column of the records' ids. */
export const ID_COLUMN = 0;

/** Fields and segments come as JSON, so that one statement, and thus one moment, gives all. */
interface IndexRow {
  code: number;
  version: number;
  mapping: string;
  fields: string;
  segments: string;
}

const STATE = `
  SELECT code, version, mapping,
    (SELECT json_group_array(json_array(code, path, docs, tokens))
     FROM search_fields WHERE index_code = i.code) AS fields,
    (SELECT json_group_array(json_array(segment, json(sizes), dead, dead_count, swept) ORDER BY segment)
     FROM search_segments WHERE index_code = i.code) AS segments
  FROM search_indexes AS i WHERE name = ?1`;

const fieldRows = z.array(z.tuple([z.number(), z.string(), z.number(), z.number()]));
const segmentRows = z.array(
  z.tuple([z.number(), z.record(z.string(), z.number()), z.string(), z.number(), z.number()]),
);

/** What rows are kept for: the nested objects of a mapping, outer ones first, and its fields that are indexed. */
export interface MappedPaths {
  nested: readonly { path: string; parent: string }[];
  fields: readonly MappedField[];
}

/** Lists what of a mapping has a code. */
export function listMappedPaths(mapping: Mapping): MappedPaths {
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
      for (let left = unpacker.next(); left > 0; left -= 1) {
        doc += unpacker.next();
        live[doc] = 0;
      }
    }
  });
  return live;
}

/** Tells which version of an index there is; undefined where there is none. */
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
 * The first statement of every write: fails, and with it the write, if another one came between.
 * @param state - the index as the write knows it
 */
export function bumpVersion(db: D1Database, { code, version }: IndexState): D1PreparedStatement {
  return db
    .prepare('UPDATE search_indexes SET version = iif(version = ?2, version + 1, NULL) WHERE code = ?1')
    .bind(code, version);
}

/** What the database says when another write has moved the version, taken the segment's number, deleted the index. */
const CONFLICT = /search_indexes\.version|search_segments\.segment|FOREIGN KEY/;

/** Whether a write has failed because another one came between: it can start anew. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof Error && CONFLICT.test(error.message);
}

/**
 * Reads what is known of an index, as of one moment.
 * @returns undefined where there is no such index
 */
export async function readState(db: D1Database, name: string): Promise<IndexState | undefined> {
  const row = await db.prepare(STATE).bind(name).first<IndexRow>();
  if (row === null) return undefined;
  const mapping: Mapping = JSON.parse(row.mapping);
  const segmentsWithDead = segmentRows.parse(JSON.parse(row.segments));
  const segments = segmentsWithDead.map(([segment, sizes, , deadCount, swept]) => ({
    segment,
    sizes,
    deadCount,
    compactedCount: swept,
  }));
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
    liveCount: records.size - dead,
  };
}
