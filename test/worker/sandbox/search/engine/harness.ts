// A mapping with all field types, a simple analyzer, and builders of indexes and queries.
import type { Mapping } from '../../../../../shared/index-fields/mapping.ts';
import {
  type Hit,
  type SearchRequest,
  searchIndex,
} from '../../../../../worker/sandbox/search/engine/engine.ts';
import type { Analyze } from '../../../../../worker/sandbox/search/engine/index/field-collector.ts';
import { compareIds } from '../../../../../worker/sandbox/search/engine/index/order.ts';
import {
  SearchIndex,
  type SourceDocument,
} from '../../../../../worker/sandbox/search/engine/index/search-index.ts';
import type { Query, TermValue } from '../../../../../worker/sandbox/search/query.ts';

/** Splits a text at white space. */
export function splitWords(text: string): { term: string; position: number }[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '')
    .map((term, position) => ({ term, position }));
}

/** A mapping with all field types and two levels of nested objects. */
export const mapping: Mapping = {
  properties: {
    text: { type: 'text', fields: { exact: { type: 'keyword', null_value: 'NULL' } } },
    keyword: { type: 'keyword', ignore_above: 20 },
    site: { type: 'text', fields: { domain_only: { type: 'text', derive: 'domain' } } },
    number: { type: 'integer', null_value: -1 },
    long: { type: 'long' },
    float: { type: 'double' },
    flag: { type: 'boolean' },
    day: { type: 'date', format: 'yyyy-MM-dd' },
    hidden: { type: 'text', index: false },
    logo: { type: 'binary' },
    place: { type: 'object', properties: { city: { type: 'keyword' } } },
    child: {
      type: 'nested',
      properties: {
        text: { type: 'text' },
        keyword: { type: 'keyword' },
        number: { type: 'integer' },
        grandchild: {
          type: 'nested',
          properties: { keyword: { type: 'keyword' }, number: { type: 'integer' } },
        },
      },
    },
  },
};

export type Source = Record<string, unknown>;

/** Creates an index of documents in any order. */
export function createSearchIndex(
  mapping: Mapping,
  analyze: Analyze,
  documents: readonly SourceDocument[],
): SearchIndex {
  const sorted = documents.toSorted((a, b) => compareIds(a.id, b.id));
  return new SearchIndex(mapping, analyze, async function* () {
    yield sorted;
  });
}

/** An index under test. */
export interface TestIndex {
  search: (query: Query, request?: Partial<SearchRequest>) => Promise<Hit[]>;
  /** Returns the ids of matching records in their order. */
  findIds: (query: Query) => Promise<string[]>;
}

/** Creates an index with records by id. */
export function createTestIndex(records: Readonly<Record<string, Source>>): TestIndex {
  const documents = Object.entries(records).map(([id, source]) => ({ id, source }));
  const index = createSearchIndex(mapping, splitWords, documents);
  const search: TestIndex['search'] = async (query, request = {}) =>
    (await searchIndex(index, { query, size: 1000, ...request })).hits;
  return {
    search,
    findIds: async (query) =>
      (await search(query, { sort: [{ field: '_id', order: 'asc' }] })).map(({ id }) => id),
  };
}

export const all: Query = { kind: 'all', boost: 1 };

export function term(field: string, value: TermValue, boost = 1): Query {
  return { kind: 'term', field, value, boost };
}

export function bool(parts: Partial<Query & { kind: 'bool' }>): Query {
  const { must = [], should = [], filter = [], mustNot = [] } = parts;
  const defaultMinimum = should.length > 0 && must.length + filter.length === 0 ? 1 : 0;
  return {
    minimumShouldMatch: defaultMinimum,
    boost: 1,
    ...parts,
    kind: 'bool',
    must,
    should,
    filter,
    mustNot,
  };
}

export function nested(
  path: string,
  query: Query,
  scoreMode: (Query & { kind: 'nested' })['scoreMode'] = 'avg',
): Query {
  return { kind: 'nested', path, query, scoreMode, boost: 1 };
}

export function wildcard(field: string, pattern: string, caseInsensitive = false): Query {
  return { kind: 'wildcard', field, pattern, caseInsensitive, boost: 1 };
}
