// Searches an index.
import type { Query } from '../query.ts';
import type { SearchIndex } from './index/search-index.ts';
import { listPaths, QueryEvaluation } from './query/evaluation.ts';
import { getScore } from './query/matches.ts';
import { SCORE, type SortKey, type SortValue, sortHits } from './query/sort.ts';

export interface SearchRequest {
  query: Query;
  /** Without keys, hits are sorted by score. Ties are in the order of ids. */
  sort?: readonly SortKey[];
  /** Number of hits to skip. */
  from?: number;
  /** Number of hits to return; 0 for the total alone. */
  size: number;
  /** Sort values after which the page begins. They don't change the total. */
  after?: readonly SortValue[];
  /** Whether to compute scores even if the order doesn't need them. */
  scores?: boolean;
}

export interface Hit {
  id: string;
  /** Null if the search didn't need scores. */
  score: number | null;
  /** The record's values of the sort keys. */
  sort: SortValue[];
}

export interface SearchResult {
  /** The exact number of matches. */
  total: number;
  hits: Hit[];
}

const BEST_FIRST: readonly SortKey[] = [{ field: SCORE, order: 'desc' }];

/**
 * Searches an index. Fields that are not in memory are indexed first.
 * @throws PatternError, LimitError
 */
export async function searchIndex(index: SearchIndex, request: SearchRequest): Promise<SearchResult> {
  const { query, sort, from = 0, size, after, scores = false } = request;
  const keys = sort === undefined || sort.length === 0 ? BEST_FIRST : sort;
  const needsScores = scores || keys.some(({ field }) => field === SCORE);
  const fields = await index.load([...listPaths(query), ...keys.map(({ field }) => field)]);
  const matches = new QueryEvaluation(index, fields).evaluate(query, needsScores);
  const hits = size === 0 ? [] : sortHits(keys, { index, fields }, matches, { from, size, after });
  return {
    total: matches.docs.length,
    hits: hits.map(({ hit, values }) => ({
      id: index.ids[matches.docs[hit] ?? 0] ?? '',
      score: needsScores ? getScore(matches, hit) : null,
      sort: values,
    })),
  };
}
