// Every golden query: the engine on D1 returns the records, totals, order, scores and errors of Lucene.
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { MappedField } from '../../../../shared/index-fields/mapping.ts';
import { analyze, lowerCase } from '../../../../worker/sandbox/search/analysis/standard.ts';
import { getDateFormat, parseDate } from '../../../../worker/sandbox/search/dates.ts';
import { type SearchResult, searchIndex } from '../../../../worker/sandbox/search/engine/engine.ts';
import type { SearchIndex } from '../../../../worker/sandbox/search/engine/index/search-index.ts';
import { PatternError } from '../../../../worker/sandbox/search/engine/query/automaton.ts';
import type { SortKey, SortValue } from '../../../../worker/sandbox/search/engine/query/sort.ts';
import { createMappingLookup } from '../../../../worker/sandbox/search/fields.ts';
import { parseQuery, QueryError } from '../../../../worker/sandbox/search/parse/index.ts';
import { digestDocuments } from '../../../golden/document.ts';
import { readGoldenDocuments } from '../../../golden/documents.ts';
import {
  type GoldenQuery,
  type GoldenSet,
  goldenIndexes,
  goldenNow,
  loadGoldenSet,
} from '../../../golden/load.ts';
import { createSearchIndex } from './engine/harness.ts';
import { findDifference } from './golden-compare.ts';

const PAGE = 50;

/** Queries whose errors have other messages than Lucene's. */
const ownMessages: Readonly<Record<string, string>> = {
  'match bad operator': '[match] unknown operator [xor], expected [and] or [or]',
  'simple unknown key': '[simple_query_string] unsupported field [operator]',
  'term array of value': '[term] unknown token [START_ARRAY] after [value]',
};

const order = z.enum(['asc', 'desc']);

/** A search body. A sort key is a name or an order by name; scores descend by default. */
const bodySchema = z.strictObject({
  query: z.unknown(),
  sort: z
    .array(
      z.union([
        z.string().transform((field): SortKey => ({ field, order: field === '_score' ? 'desc' : 'asc' })),
        z
          .record(z.string(), z.union([order, z.object({ order }).transform((key) => key.order)]))
          .transform((orders): SortKey[] =>
            Object.entries(orders).map(([field, order]) => ({ field, order })),
          ),
      ]),
    )
    .transform((keys) => keys.flat())
    .optional(),
  from: z.number().optional(),
  size: z.number().default(PAGE),
  search_after: z.array(z.union([z.string(), z.number()])).optional(),
});

/** Cursors of the engine have dates in milliseconds. */
function toCursorValue(field: MappedField | undefined, value: string | number): SortValue {
  return field?.property.type === 'date'
    ? parseDate(getDateFormat(field.property.format), String(value))
    : value;
}

async function search(
  index: SearchIndex,
  { mapping }: GoldenSet,
  { query, sort = [], from = 0, size, search_after: after }: z.infer<typeof bodySchema>,
): Promise<SearchResult | { error: string }> {
  const lookup = createMappingLookup(mapping);
  const cursor = after?.map((value, at) => toCursorValue(lookup.getField(sort[at]?.field ?? ''), value));
  try {
    const parsed = parseQuery(query, { mapping: lookup, now: () => goldenNow, analyze, lowerCase });
    return await searchIndex(index, { query: parsed, sort, from, size, ...(cursor && { after: cursor }) });
  } catch (error) {
    if (error instanceof QueryError || error instanceof PatternError) return { error: error.message };
    throw error;
  }
}

/** Compares the answer to a query with Lucene's. @returns the difference; undefined if there is none */
async function findQueryDifference(
  index: SearchIndex,
  set: GoldenSet,
  query: GoldenQuery,
): Promise<string | undefined> {
  const error = ownMessages[query.name];
  const answer = error === undefined ? set.answers.get(query.name) : { error };
  if (answer === undefined) return 'no golden answer';
  const body = bodySchema.parse(query.body);
  const page = { hasPrevious: body.from !== undefined, isSorted: body.sort !== undefined };
  return findDifference(await search(index, set, body), answer, page);
}

for (const set of goldenIndexes.map(loadGoldenSet)) {
  const documents = await readGoldenDocuments(set);
  if (documents === undefined) {
    it.skip(`golden queries on ${set.index}: their documents are not available`, () => {});
    continue;
  }
  describe(`golden queries on ${set.index}`, () => {
    const index = createSearchIndex(set.mapping, analyze, documents);
    beforeAll(async () => {
      expect(set.digest).toEqual({ count: documents.length, sha256: await digestDocuments(documents) });
    });
    // One test for each query would take longer than the queries.
    const byClause = Map.groupBy(set.queries, ({ clause }) => clause);
    it.each([...byClause])('%s', async (_, queries) => {
      const differences: string[] = [];
      for (const query of queries) {
        const difference = await findQueryDifference(index, set, query);
        if (difference !== undefined) differences.push(`${query.name}: ${difference}`);
      }
      expect(differences).toEqual([]);
    });
  });
}
