// Every golden query: the engine on D1 returns the records, totals, order, scores and errors of Lucene.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyze, lowerCase } from '../../../../worker/sandbox/search/analysis/standard.ts';
import { createEngine } from '../../../../worker/sandbox/search/engine/engine.ts';
import { createMappingLookup } from '../../../../worker/sandbox/search/fields.ts';
import { toEsError } from '../../../es-facade/errors.ts';
import { parseSearchBody } from '../../../es-facade/search-body.ts';
import { type FoundDocuments, searchIndex } from '../../../es-facade/search-index.ts';
import { digestDocuments } from '../../../golden/document.ts';
import {
  type GoldenQuery,
  type GoldenSet,
  goldenIndexes,
  goldenNow,
  loadGoldenSet,
} from '../../../golden/load.ts';
import { fetchDocuments } from '../../golden-data.ts';
import { findDifference } from './golden-compare.ts';

const PAGE = 50;

/** Queries whose errors have other messages than Lucene's. */
const ownMessages: Readonly<Record<string, string>> = {
  'match bad operator': '[match] unknown operator [xor], expected [and] or [or]',
  'sort bad order': 'Unknown SortOrder [up]',
  'simple unknown key': '[simple_query_string] unsupported field [operator]',
  'term array of value': '[term] unknown token [START_ARRAY] after [value]',
};

const engine = createEngine(env.SANDBOX_DB, analyze);

async function search(
  { index, mapping }: GoldenSet,
  { body }: GoldenQuery,
): Promise<FoundDocuments | { error: string }> {
  const context = { mapping: createMappingLookup(mapping), now: () => goldenNow, analyze, lowerCase };
  try {
    return await searchIndex(engine, index, context, parseSearchBody({ size: PAGE, ...body }));
  } catch (error) {
    const esError = toEsError(error);
    if (esError === undefined) throw error;
    return { error: esError.message };
  }
}

/** Compares the answer to a query with Lucene's. @returns the difference; undefined if there is none */
async function findQueryDifference(set: GoldenSet, query: GoldenQuery): Promise<string | undefined> {
  const error = ownMessages[query.name];
  const answer = error === undefined ? set.answers.get(query.name) : { error };
  if (answer === undefined) return 'no golden answer';
  const page = { hasPrevious: query.body.from !== undefined, isSorted: query.body.sort !== undefined };
  return findDifference(await search(set, query), answer, page);
}

for (const set of goldenIndexes.map(loadGoldenSet)) {
  const documents = await fetchDocuments(set.index);
  if (documents === null) {
    it.skip(`golden queries on ${set.index}: their documents are not available`, () => {});
    continue;
  }
  describe(`golden queries on ${set.index}`, () => {
    beforeAll(async () => {
      expect(set.digest).toEqual({ count: documents.length, sha256: await digestDocuments(documents) });
      await engine.createIndex(set.index, set.mapping);
      await engine.put(set.index, documents);
    });
    // One test for each query would take longer than the queries.
    const byClause = Map.groupBy(set.queries, ({ clause }) => clause);
    it.each([...byClause])('%s', async (_, queries) => {
      const differences: string[] = [];
      for (const query of queries) {
        const difference = await findQueryDifference(set, query);
        if (difference !== undefined) differences.push(`${query.name}: ${difference}`);
      }
      expect(differences).toEqual([]);
    });
  });
}
