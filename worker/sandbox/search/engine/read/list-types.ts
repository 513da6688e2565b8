// The types of lists that a search loads: their SQL and how to unpack their rows.
import * as z from 'zod';
import {
  type Column,
  compareCodePoints,
  type KeywordOrder,
  type LiveDocuments,
  type PackedRow,
  type PositionPostings,
  type Postings,
  unpackColumn,
  unpackKeywordOrder,
  unpackParents,
  unpackPositions,
  unpackPostings,
  unpackSet,
} from '../codec/unpack.ts';
import type { ID_COLUMN, IndexedField, IndexState, Space } from '../index/state.ts';

/** A result row of the statements. `requestIndex` is the index of the list in the request. */
export interface Row extends PackedRow {
  requestIndex: number;
}

export interface UnpackContext {
  state: IndexState;
  live: (space: Space) => LiveDocuments;
}

export interface ListType<ListRequest, Value extends object> {
  /** ?1 is a JSON array of the index's segments, ?2 one of `row`s, each preceded by its index. */
  sql: string;
  toParameters: (request: ListRequest) => unknown[];
  unpack: (rows: readonly Row[], request: ListRequest, context: UnpackContext) => Value;
}

export interface FieldTerm {
  field: IndexedField;
  term: string;
}

/** A range of terms of a field; absent bounds are open. */
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

const stringListSchema = z.array(z.string());

const hasLengths = (field: IndexedField): boolean => field.type === 'text';

/** Builds the common table expressions: the segments, and the requested lists with named columns. */
function buildRequestSql(...columns: readonly string[]): string {
  const selected = ['requestIndex', ...columns].map((name, at) => `value ->> ${at} AS ${name}`);
  return `WITH
    segments AS MATERIALIZED (SELECT key AS ordinal, value AS segment FROM json_each(?1)),
    requests AS MATERIALIZED (SELECT ${selected.join(', ')} FROM json_each(?2))`;
}

/** Builds the condition for the terms of a range; a blob sorts after any text. */
const buildRangeCondition = (table: string): string => `${table}.field = requests.field
  AND ${table}.term >= coalesce(requests.lower, '') AND ${table}.term <= coalesce(requests.upper, x'')
  AND (requests.lower_in OR ${table}.term IS NOT requests.lower)
  AND (requests.upper_in OR ${table}.term IS NOT requests.upper)`;

const rangeRequestSql = buildRequestSql('field', 'lower', 'lower_in', 'upper', 'upper_in');

function toRangeRow({ field, from, fromIncluded, to, toIncluded }: TermRange): unknown[] {
  return [field.code, from ?? null, Number(fromIncluded ?? true), to ?? null, Number(toIncluded ?? true)];
}

function buildTermSql(content: 'positions' | "''"): string {
  return `${buildRequestSql('field', 'term')}
    SELECT requestIndex, ordinal, docs, ${content} AS content
    FROM segments CROSS JOIN requests CROSS JOIN search_postings AS p
    WHERE p.segment = segments.segment AND p.field = requests.field AND p.term = requests.term`;
}

function buildColumnSql(content: 'content' | "''"): string {
  return `${buildRequestSql('field')}
    SELECT requestIndex, ordinal, docs, ${content} AS content
    FROM segments CROSS JOIN requests CROSS JOIN search_columns AS c
    WHERE c.segment = segments.segment AND c.field = requests.field`;
}

export const postings: ListType<FieldTerm, Postings> = {
  sql: buildTermSql("''"),
  toParameters: ({ field, term }) => [field.code, term],
  unpack: (rows, { field }, { live }) =>
    unpackPostings(rows, field.space, live(field.space), hasLengths(field)),
};

export const positions: ListType<FieldTerm, PositionPostings> = {
  sql: buildTermSql('positions'),
  toParameters: postings.toParameters,
  unpack: (rows, { field }, { live }) => unpackPositions(rows, field.space, live(field.space)),
};

export const termRanges: ListType<TermRange, Int32Array> = {
  sql: `${rangeRequestSql}
    SELECT requestIndex, ordinal, docs, '' AS content FROM (
      SELECT requestIndex, ordinal,
        (SELECT group_concat(p.docs, '') FROM search_postings AS p
         WHERE p.segment = segments.segment AND ${buildRangeCondition('p')}) AS docs
      FROM segments CROSS JOIN requests)
    WHERE docs IS NOT NULL`,
  toParameters: toRangeRow,
  unpack: (rows, { field }, { live }) => unpackSet(rows, field.space, live(field.space), hasLengths(field)),
};

/** The documents with any of several terms. */
export const termSets: ListType<FieldTerms, Int32Array> = {
  sql: `${buildRequestSql('field', 'terms')}
    SELECT requestIndex, ordinal, docs, '' AS content FROM (
      SELECT requestIndex, ordinal,
        (SELECT group_concat(p.docs, '') FROM json_each(requests.terms) AS t CROSS JOIN search_postings AS p
         WHERE p.segment = segments.segment AND p.field = requests.field AND p.term = t.value) AS docs
      FROM segments CROSS JOIN requests)
    WHERE docs IS NOT NULL`,
  toParameters: ({ field, terms }) => [field.code, terms],
  unpack: termRanges.unpack,
};

export const fieldDocuments: ListType<IndexedField, Int32Array> = {
  sql: buildColumnSql("''"),
  toParameters: (field) => [field.code],
  unpack: (rows, { space }, { live }) => unpackSet(rows, space, live(space), false),
};

export const columns: ListType<IndexedField, Column> = {
  sql: buildColumnSql('content'),
  toParameters: fieldDocuments.toParameters,
  unpack: (rows, { space }, { live }) => unpackColumn(rows, space, live(space)),
};

export const parents: ListType<Space, Int32Array> = {
  sql: buildColumnSql("''"),
  toParameters: ({ code }) => [code],
  unpack: (rows, space) => unpackParents(rows, space),
};

export const recordIds: ListType<typeof ID_COLUMN, string[]> = {
  sql: buildColumnSql('content'),
  toParameters: (code) => [code],
  unpack: (rows, _, { state }) => {
    const all: string[] = [];
    for (const { ordinal, content } of rows) {
      const base = state.records.bases[ordinal] ?? 0;
      const size = state.records.sizes[ordinal] ?? 0;
      stringListSchema.parse(JSON.parse(`[${content.slice(0, -1)}]`)).forEach((id, at) => {
        if (at < size) all[base + at] = id;
      });
    }
    return all;
  },
};

export const recordsById: ListType<{ index: number; ids: readonly string[] }, Int32Array> = {
  sql: `${buildRequestSql('index_code', 'ids')}
    SELECT requestIndex, ordinal, '' AS docs, CAST(doc AS TEXT) AS content
    FROM requests CROSS JOIN json_each(requests.ids) AS i CROSS JOIN search_records AS r CROSS JOIN segments
    WHERE r.index_code = requests.index_code AND r.id = i.value AND segments.segment = r.segment`,
  toParameters: ({ index, ids: list }) => [index, list],
  unpack: (rows, _, { state: { records }, live }) => {
    const liveFlags = live(records);
    const docs = rows.map(({ ordinal, content }) => (records.bases[ordinal] ?? 0) + Number(content));
    return Int32Array.from(
      new Set(docs.filter((doc) => doc < records.size && liveFlags?.[doc] !== 0)),
    ).sort();
  },
};

/**
 * The sorted terms of a range, including those of deleted documents. Segments repeat most terms, but every import would
 * rewrite a large part of a shared table.
 */
export const vocabularies: ListType<TermRange, string[]> = {
  sql: `${rangeRequestSql}
    SELECT requestIndex, ordinal, '' AS docs,
      (SELECT json_group_array(term) FROM search_postings AS p
       WHERE p.segment = segments.segment AND ${buildRangeCondition('p')}) AS content
    FROM segments CROSS JOIN requests`,
  toParameters: toRangeRow,
  unpack: (rows) => {
    const terms = new Set(rows.flatMap(({ content }) => stringListSchema.parse(JSON.parse(content))));
    return [...terms].sort(compareCodePoints);
  },
};

export const keywordOrders: ListType<IndexedField, KeywordOrder> = {
  sql: `${buildRequestSql('field')}
    SELECT requestIndex, ordinal, docs, term AS content
    FROM segments CROSS JOIN requests CROSS JOIN search_postings AS p
    WHERE p.segment = segments.segment AND p.field = requests.field`,
  toParameters: fieldDocuments.toParameters,
  unpack: (rows, { space }, { live }) => unpackKeywordOrder(rows, space, live(space)),
};
