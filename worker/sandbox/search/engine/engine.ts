// The search engine of the sandbox on D1.
import type { Mapping } from '../../../../shared/index-fields/mapping.ts';
import type { Query } from '../query.ts';
import type { Analyze } from './index/document.ts';
import { createIndex, ID_COLUMN, type IndexState, readState, readVersion } from './index/state.ts';
import { IndexWriter, type MalformedValue, type NewDocument, UnknownIndexError } from './index/writer.ts';
import { QueryEvaluation } from './query/evaluation.ts';
import { getScore, type Matches } from './query/matches.ts';
import { TermExpansion } from './query/term-expansion.ts';
import { createCache, type EngineCache, IndexReader } from './read/reader.ts';
import { rankHits, requestSortLists, SCORE, type SortKey, type SortValue } from './sort/sort.ts';

export type { SortKey, SortValue } from './sort/sort.ts';

export interface SearchRequest {
  query: Query;
  /** Without keys, hits are sorted by score. Ties are in index order. */
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

/** Searches indexes of records. It doesn't store their sources. */
export interface SearchEngine {
  /**
   * Creates an index, or replaces its mapping by one with more fields. Existing records are not indexed again.
   * @throws MappingConflictError if a field changes its type
   */
  createIndex(name: string, mapping: Mapping): Promise<void>;
  /**
   * Adds records and replaces those with the same ids.
   * @returns values that don't fit their fields; they are skipped, the rest of the record is indexed
   * @throws UnknownIndexError
   */
  put(index: string, documents: readonly NewDocument[]): Promise<MalformedValue[]>;
  /** @throws UnknownIndexError, PatternError, LimitError */
  search(index: string, request: SearchRequest): Promise<SearchResult>;
}

/** Maximum number of attempts; a search restarts when a write changes the index. */
const MAX_ATTEMPTS = 5;
const BEST_FIRST: readonly SortKey[] = [{ field: SCORE, order: 'desc' }];

class D1SearchEngine implements SearchEngine {
  readonly #db: D1Database;
  readonly #writer: IndexWriter;
  readonly #cache: EngineCache = createCache();
  readonly #states = new Map<string, IndexState>();

  constructor(db: D1Database, analyze: Analyze) {
    this.#db = db;
    this.#writer = new IndexWriter(db, analyze);
  }

  createIndex(name: string, mapping: Mapping): Promise<void> {
    return createIndex(this.#db, name, mapping);
  }

  put(index: string, documents: readonly NewDocument[]): Promise<MalformedValue[]> {
    return this.#writer.put(index, documents);
  }

  async search(index: string, request: SearchRequest): Promise<SearchResult> {
    const { query, sort, from = 0, size, after, scores = false } = request;
    const keys = sort === undefined || sort.length === 0 ? BEST_FIRST : sort;
    const needsScores = scores || keys.some(({ field }) => field === SCORE);
    const { reader, matches } = await this.#evaluate(index, query, needsScores, (reader) => {
      if (size === 0) return;
      reader.recordIds.request(ID_COLUMN);
      requestSortLists(reader, keys);
    });
    const total = matches.docs.length;
    if (size === 0) return { total, hits: [] };
    const ids = reader.recordIds.get(ID_COLUMN);
    const hits = selectTopHits(keys, reader, matches, from, size, after).map(({ at, values }) => ({
      id: ids[matches.docs[at] ?? 0] ?? '',
      score: needsScores ? getScore(matches, at) : null,
      sort: values,
    }));
    return { total, hits };
  }

  /** Evaluates a query on one version of its index. */
  async #evaluate(
    index: string,
    query: Query,
    needsScores: boolean,
    requestMore: (reader: IndexReader) => void,
  ): Promise<{ reader: IndexReader; matches: Matches }> {
    for (let attempt = 1; ; attempt += 1) {
      const reader = new IndexReader(this.#db, await this.#getState(index), this.#cache);
      const evaluation = new QueryEvaluation(reader, new TermExpansion(reader));
      evaluation.requestVocabularies(query);
      let isCurrent = await reader.read();
      if (isCurrent) {
        evaluation.requestLists(query);
        requestMore(reader);
        isCurrent = await reader.read();
      }
      if (isCurrent) return { reader, matches: evaluation.evaluate(query, needsScores) };
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`the index [${index}] is being written to faster than it can be read`);
    }
  }

  async #getState(index: string): Promise<IndexState> {
    const cached = this.#states.get(index);
    const current = await readVersion(this.#db, index);
    if (current === undefined) throw new UnknownIndexError(`no such index [${index}]`);
    if (cached?.code === current.code && cached.version === current.version) return cached;
    const state = await readState(this.#db, index);
    if (state === undefined) throw new UnknownIndexError(`no such index [${index}]`);
    this.#states.set(index, state);
    return state;
  }
}

/**
 * Creates the engine on a database with the tables of `worker/sandbox/migrations`.
 * @param analyze - splits texts into terms
 */
export function createEngine(db: D1Database, analyze: Analyze): SearchEngine {
  return new D1SearchEngine(db, analyze);
}

/** A hit: its index in the matches, and its sort values. */
export interface RankedHit {
  at: number;
  values: SortValue[];
}

/**
 * Selects and sorts the first hits; ties are in index order.
 * @param keys - the keys passed to {@link requestSortLists}; their lists must be loaded
 * @param from - number of hits to skip
 * @param after - sort values after which the hits begin
 */
function selectTopHits(
  keys: readonly SortKey[],
  reader: IndexReader,
  matches: Matches,
  from: number,
  size: number,
  after: readonly SortValue[] | undefined,
): RankedHit[] {
  const order = keys.map((key) => rankHits(key, reader, matches));
  const ranks = order.map((key) => key.ranks);
  const bounds = after === undefined ? undefined : order.map((key, at) => key.toRank(after[at] ?? null));
  const compare = (a: number, b: number): number => {
    for (const rank of ranks) {
      const first = rank[a] ?? 0;
      const second = rank[b] ?? 0;
      if (first !== second) return first < second ? -1 : 1;
    }
    return a - b;
  };
  const isBehind = (at: number): boolean => {
    for (const [key, bound] of bounds?.entries() ?? []) {
      const rank = ranks[key]?.[at] ?? 0;
      if (rank !== bound) return rank > bound;
    }
    return bounds === undefined;
  };
  const best = selectTop(matches.docs.length, from + size, ranks, compare, isBehind);
  return best.slice(from).map((at) => ({ at, values: order.map((key) => key.getValue(at)) }));
}

/** Selects the first `most` items in order. Its heap has the last of them on top. */
function selectTop(
  count: number,
  size: number,
  ranks: readonly Float64Array[],
  compare: (a: number, b: number) => number,
  isCandidate: (at: number) => boolean,
): number[] {
  const heap: number[] = [];
  const siftDown = (): void => {
    const item = heap[0] ?? 0;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && compare(heap[child + 1] ?? 0, heap[child] ?? 0) > 0) child += 1;
      if (compare(heap[child] ?? 0, item) <= 0) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = item;
  };
  const firstRanks = ranks[0] ?? new Float64Array(count);
  // With one key, equal ranks sort by index, so that a later item can't precede.
  const onlyKey = ranks.length < 2;
  let lastRank = Number.NaN;
  for (let at = 0; at < count; at += 1) {
    const rank = firstRanks[at] ?? 0;
    if (rank > lastRank || (onlyKey && rank === lastRank) || !isCandidate(at)) continue;
    if (heap.length < size) {
      heap.push(at);
      let child = heap.length - 1;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        if (compare(at, heap[parent] ?? 0) <= 0) break;
        heap[child] = heap[parent] ?? 0;
        child = parent;
      }
      heap[child] = at;
    } else if (size > 0 && compare(at, heap[0] ?? 0) < 0) {
      heap[0] = at;
      siftDown();
    }
    if (heap.length === size && size > 0) lastRank = firstRanks[heap[0] ?? 0] ?? lastRank;
  }
  return heap.sort(compare);
}
