// The kinds of list that a search reads: how each is asked for in SQL, and what its rows are unpacked to.
import * as z from 'zod';
import { compareCodePoints } from '../codec/code-points.ts';
import { type PositionPostings, unpackPositions } from '../codec/positions.ts';
import {
  type Column,
  type KeywordOrder,
  type LiveDocuments,
  type PackedRow,
  type Postings,
  unpackColumn,
  unpackKeywordOrder,
  unpackParents,
  unpackPostings,
  unpackSet,
} from '../codec/unpack.ts';
import type { ID_COLUMN, IndexedField, IndexState, Space } from '../index/state.ts';

/** A row of every statement here. `leaf` is the list's place among those that were asked for. */
export interface Row extends PackedRow {
  leaf: number;
}

/** What unpacking needs to know. */
export interface UnpackContext {
  state: IndexState;
  live: (space: Space) => LiveDocuments;
}

/** A kind of list. */
export interface ListType<Wanted, Value extends object> {
  /** ?1 is a JSON array of the index's segments, ?2 one of `row`s, each with its place before it. */
  sql: string;
  /** What the statement is told of a list. */
  row: (wanted: Wanted) => unknown[];
  unpack: (rows: readonly Row[], wanted: Wanted, unpacking: UnpackContext) => Value;
}

export interface FieldTerm {
  field: IndexedField;
  term: string;
}

/** The terms of a field from one to another; an end that is absent is open. */
export interface TermRange {
  field: IndexedField;
  from?: string | undefined;
  fromIncluded?: boolean;
  to?: string | undefined;
  toIncluded?: boolean;
}

export interface FieldTerms {
  field: IndexedField;
  terms: readonly string[];
}

const texts = z.array(z.string());

const hasLengths = (field: IndexedField): boolean => field.type === 'text';

/** The segments, and what is wanted by the names of its columns. */
function buildRequestSql(...columns: readonly string[]): string {
  const read = ['leaf', ...columns].map((name, at) => `value ->> ${at} AS ${name}`);
  return `WITH
    places AS MATERIALIZED (SELECT key AS place, value AS segment FROM json_each(?1)),
    wanted AS MATERIALIZED (SELECT ${read.join(', ')} FROM json_each(?2))`;
}

/** The rows of a table that are in a span; a blob is greater than any text. */
const buildRangeCondition = (table: string): string => `${table}.field = wanted.field
  AND ${table}.term >= coalesce(wanted.lower, '') AND ${table}.term <= coalesce(wanted.upper, x'')
  AND (wanted.lower_in OR ${table}.term IS NOT wanted.lower)
  AND (wanted.upper_in OR ${table}.term IS NOT wanted.upper)`;

const rangeRequestSql = buildRequestSql('field', 'lower', 'lower_in', 'upper', 'upper_in');

function toRangeRow({ field, from, fromIncluded, to, toIncluded }: TermRange): unknown[] {
  return [field.code, from ?? null, Number(fromIncluded ?? true), to ?? null, Number(toIncluded ?? true)];
}

function buildTermSql(content: 'positions' | "''"): string {
  return `${buildRequestSql('field', 'term')}
    SELECT leaf, place, docs, ${content} AS content
    FROM places CROSS JOIN wanted CROSS JOIN search_postings AS p
    WHERE p.segment = places.segment AND p.field = wanted.field AND p.term = wanted.term`;
}

function buildColumnSql(content: 'content' | "''"): string {
  return `${buildRequestSql('field')}
    SELECT leaf, place, docs, ${content} AS content
    FROM places CROSS JOIN wanted CROSS JOIN search_columns AS c
    WHERE c.segment = places.segment AND c.field = wanted.field`;
}

/** The documents that have a term. */
export const postings: ListType<FieldTerm, Postings> = {
  sql: buildTermSql("''"),
  row: ({ field, term }) => [field.code, term],
  unpack: (rows, { field }, { live }) =>
    unpackPostings(rows, field.space, live(field.space), hasLengths(field)),
};

/** The documents that have a term of a text field, and where. */
export const positions: ListType<FieldTerm, PositionPostings> = {
  sql: buildTermSql('positions'),
  row: postings.row,
  unpack: (rows, { field }, { live }) => unpackPositions(rows, field.space, live(field.space)),
};

/** The documents that have any term of a span. */
export const termRanges: ListType<TermRange, Int32Array> = {
  sql: `${rangeRequestSql}
    SELECT leaf, place, docs, '' AS content FROM (
      SELECT leaf, place,
        (SELECT group_concat(p.docs, '') FROM search_postings AS p
         WHERE p.segment = places.segment AND ${buildRangeCondition('p')}) AS docs
      FROM places CROSS JOIN wanted)
    WHERE docs IS NOT NULL`,
  row: toRangeRow,
  unpack: (rows, { field }, { live }) => unpackSet(rows, field.space, live(field.space), hasLengths(field)),
};

/** The documents that have any of some terms. */
export const termSets: ListType<FieldTerms, Int32Array> = {
  sql: `${buildRequestSql('field', 'terms')}
    SELECT leaf, place, docs, '' AS content FROM (
      SELECT leaf, place,
        (SELECT group_concat(p.docs, '') FROM json_each(wanted.terms) AS t CROSS JOIN search_postings AS p
         WHERE p.segment = places.segment AND p.field = wanted.field AND p.term = t.value) AS docs
      FROM places CROSS JOIN wanted)
    WHERE docs IS NOT NULL`,
  row: ({ field, terms }) => [field.code, terms],
  unpack: termRanges.unpack,
};

/** The documents that have a field. */
export const fieldDocuments: ListType<IndexedField, Int32Array> = {
  sql: buildColumnSql("''"),
  row: (field) => [field.code],
  unpack: (rows, { space }, { live }) => unpackSet(rows, space, live(space), false),
};

/** The numbers of a field. */
export const columns: ListType<IndexedField, Column> = {
  sql: buildColumnSql('content'),
  row: fieldDocuments.row,
  unpack: (rows, { space }, { live }) => unpackColumn(rows, space, live(space)),
};

/** The parent of each nested object of a space. */
export const parents: ListType<Space, Int32Array> = {
  sql: buildColumnSql("''"),
  row: ({ code }) => [code],
  unpack: (rows, space) => unpackParents(rows, space),
};

/** The ids of all records. */
export const recordIds: ListType<typeof ID_COLUMN, string[]> = {
  sql: buildColumnSql('content'),
  row: (code) => [code],
  unpack: (rows, _, { state }) => {
    const all: string[] = [];
    for (const { place, content } of rows) {
      const base = state.records.bases[place] ?? 0;
      const known = state.records.sizes[place] ?? 0;
      texts.parse(JSON.parse(`[${content.slice(0, -1)}]`)).forEach((id, at) => {
        if (at < known) all[base + at] = id;
      });
    }
    return all;
  },
};

/** The records of some ids. */
export const recordsById: ListType<{ index: number; ids: readonly string[] }, Int32Array> = {
  sql: `${buildRequestSql('index_code', 'ids')}
    SELECT leaf, place, '' AS docs, CAST(doc AS TEXT) AS content
    FROM wanted CROSS JOIN json_each(wanted.ids) AS i CROSS JOIN search_records AS r CROSS JOIN places
    WHERE r.index_code = wanted.index_code AND r.id = i.value AND places.segment = r.segment`,
  row: ({ index, ids: list }) => [index, list],
  unpack: (rows, _, { state: { records }, live }) => {
    const alive = live(records);
    const docs = rows.map(({ place, content }) => (records.bases[place] ?? 0) + Number(content));
    return Int32Array.from(new Set(docs.filter((doc) => doc < records.size && alive?.[doc] !== 0))).sort();
  },
};

/**
 * The terms of a span, in order, those included that no document has any more. Segments share most of them, but a table
 * of all terms would be written to all over by every import.
 */
export const vocabularies: ListType<TermRange, string[]> = {
  sql: `${rangeRequestSql}
    SELECT leaf, place, '' AS docs,
      (SELECT json_group_array(term) FROM search_postings AS p
       WHERE p.segment = places.segment AND ${buildRangeCondition('p')}) AS content
    FROM places CROSS JOIN wanted`,
  row: toRangeRow,
  unpack: (rows) => {
    const terms = new Set(rows.flatMap(({ content }) => texts.parse(JSON.parse(content))));
    return [...terms].sort(compareCodePoints);
  },
};

/** The keywords of a field, to sort by. */
export const keywordOrders: ListType<IndexedField, KeywordOrder> = {
  sql: `${buildRequestSql('field')}
    SELECT leaf, place, docs, term AS content
    FROM places CROSS JOIN wanted CROSS JOIN search_postings AS p
    WHERE p.segment = places.segment AND p.field = wanted.field`,
  row: fieldDocuments.row,
  unpack: (rows, { space }, { live }) => unpackKeywordOrder(rows, space, live(space)),
};
