// The engine of the sandbox's search: one interface, and what answers it on D1.
import type { Mapping } from '../mapping.ts';
import type { Query } from '../query.ts';
import { createCache, type EngineCache } from './cache.ts';
import type { Analyze } from './index/document.ts';
import { createIndex, deleteIndex } from './index/indexes.ts';
import { ID_COLUMN, type IndexState, readState, readVersion } from './index/state.ts';
import { IndexWriter, type MalformedValue, type NewDocument, UnknownIndexError } from './index/writer.ts';
import { QueryEvaluation } from './query/evaluation.ts';
import { getScore, type Matches } from './query/matches.ts';
import { TermExpansion } from './query/term-expansion.ts';
import { IndexReader } from './read/reader.ts';
import { requestSortLists, SCORE, type SortKey, type SortValue } from './sort/sort.ts';
import { selectTopHits } from './sort/top-hits.ts';

export type { SortKey, SortValue } from './sort/sort.ts';

/** What is looked for, and which part of it is wanted. */
export interface SearchRequest {
  query: Query;
  /** Without keys the best score comes first. Ties are in the order of the index. */
  sort?: readonly SortKey[];
  /** How many hits to pass over. */
  from?: number;
  /** How many hits are wanted; 0 for the total alone. */
  size: number;
  /** Values of all keys: only hits strictly behind them are wanted. Does not change the total. */
  after?: readonly SortValue[];
  /** Whether hits have scores where the order does not need them. */
  scores?: boolean;
}

/** A record that was found. */
export interface Hit {
  id: string;
  /** Null if nobody asked. */
  score: number | null;
  /** Its values of the sort keys. */
  sort: SortValue[];
}

/** What was found. */
export interface SearchResult {
  /** Exact. */
  total: number;
  hits: Hit[];
}

/** Finds records of indexes; their sources are kept elsewhere. */
export interface SearchEngine {
  /**
   * Makes an index, or gives the one of that name a mapping that has more fields; records that are there are not
   * indexed anew.
   * @throws MappingConflictError for a field that has become another kind of field
   */
  createIndex(name: string, mapping: Mapping): Promise<void>;
  /** Deletes an index with all that is in it; where there is none, nothing. */
  deleteIndex(name: string): Promise<void>;
  /**
   * Adds records, or replaces those with the same ids.
   * @returns values that do not fit their fields: they are left out, their records are found by the rest
   * @throws UnknownIndexError
   */
  put(index: string, documents: readonly NewDocument[]): Promise<MalformedValue[]>;
  /** Takes records out. @throws UnknownIndexError */
  remove(index: string, ids: readonly (bigint | string)[]): Promise<void>;
  /** @throws UnknownIndexError, PatternError, LimitError */
  search(index: string, request: SearchRequest): Promise<SearchResult>;
  /** @returns how many records match. @throws as {@link SearchEngine.search} */
  count(index: string, query: Query): Promise<number>;
}

/** How often a search starts anew because the index was written to while it read. */
const ATTEMPTS = 5;
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

  async deleteIndex(name: string): Promise<void> {
    this.#states.delete(name);
    await deleteIndex(this.#db, name);
  }

  put(index: string, documents: readonly NewDocument[]): Promise<MalformedValue[]> {
    return this.#writer.put(index, documents);
  }

  remove(index: string, ids: readonly (bigint | string)[]): Promise<void> {
    return this.#writer.delete(index, ids);
  }

  async count(index: string, query: Query): Promise<number> {
    const { total } = await this.search(index, { query, sort: [{ field: '_doc', order: 'asc' }], size: 0 });
    return total;
  }

  async search(index: string, request: SearchRequest): Promise<SearchResult> {
    const { query, sort, from = 0, size, after, scores = false } = request;
    const keys = sort === undefined || sort.length === 0 ? BEST_FIRST : sort;
    const scoring = scores || keys.some(({ field }) => field === SCORE);
    const { reader, matches } = await this.#find(index, query, scoring, (wanting) => {
      if (size === 0) return;
      wanting.recordIds.request(ID_COLUMN);
      requestSortLists(wanting, keys);
    });
    const total = matches.docs.length;
    if (size === 0) return { total, hits: [] };
    const ids = reader.recordIds.get(ID_COLUMN);
    const hits = selectTopHits(keys, reader, matches, from, size, after).map(({ at, values }) => ({
      id: ids[matches.docs[at] ?? 0] ?? '',
      score: scoring ? getScore(matches, at) : null,
      sort: values,
    }));
    return { total, hits };
  }

  /** Answers a query in one version of its index. */
  async #find(
    index: string,
    query: Query,
    scoring: boolean,
    wantMore: (reader: IndexReader) => void,
  ): Promise<{ reader: IndexReader; matches: Matches }> {
    for (let attempt = 1; ; attempt += 1) {
      const reader = new IndexReader(this.#db, await this.#state(index), this.#cache);
      const evaluation = new QueryEvaluation(reader, new TermExpansion(reader));
      evaluation.requestVocabularies(query);
      let current = await reader.read();
      if (current) {
        evaluation.requestLists(query);
        wantMore(reader);
        current = await reader.read();
      }
      if (current) return { reader, matches: evaluation.evaluate(query, scoring) };
      if (attempt === ATTEMPTS)
        throw new Error(`the index [${index}] is being written to faster than it can be read`);
    }
  }

  async #state(index: string): Promise<IndexState> {
    const known = this.#states.get(index);
    const current = await readVersion(this.#db, index);
    if (current === undefined) throw new UnknownIndexError(`no such index [${index}]`);
    if (known?.code === current.code && known.version === current.version) return known;
    const state = await readState(this.#db, index);
    if (state === undefined) throw new UnknownIndexError(`no such index [${index}]`);
    this.#states.set(index, state);
    return state;
  }
}

/**
 * Makes the engine on a database that has the tables of migration 0002.
 * @param analyze - splits texts into terms
 */
export function createEngine(db: D1Database, analyze: Analyze): SearchEngine {
  return new D1SearchEngine(db, analyze);
}
