// Loads the lists of one search: collects requests and reads them in few statements.

import { LRUCache } from 'lru-cache';
import { splitIntoBatches } from '../../../../../shared/lib/split-into-batches.ts';
import { toJsonChunks } from '../codec/packed.ts';
import type { Column, KeywordOrder, LiveDocuments, PositionPostings, Postings } from '../codec/unpack.ts';
import type { IndexState, Space } from '../index/state.ts';
import * as kinds from './list-types.ts';

const LISTS_PER_STATEMENT = 256;

type RowConsumer = (rows: readonly kinds.Row[]) => void;

/** Loads lists of one type, from the cache or the database. */
class ListLoader<ListRequest, Value extends object> {
  readonly #type: kinds.ListType<ListRequest, Value>;
  readonly #cache: LRUCache<string, Value>;
  readonly #prefix: string;
  readonly #loaded = new Map<string, Value>();
  readonly #requested = new Map<string, ListRequest>();

  /** @param prefix - identifies the index, its version and the type in cache keys */
  constructor(type: kinds.ListType<ListRequest, Value>, cache: LRUCache<string, Value>, prefix: string) {
    this.#type = type;
    this.#cache = cache;
    this.#prefix = prefix;
  }

  request(listRequest: ListRequest): void {
    const key = this.#toKey(listRequest);
    if (this.#loaded.has(key) || this.#requested.has(key)) return;
    const cached = this.#cache.get(this.#prefix + key);
    if (cached === undefined) this.#requested.set(key, listRequest);
    else this.#loaded.set(key, cached);
  }

  get(listRequest: ListRequest): Value {
    const value = this.#loaded.get(this.#toKey(listRequest));
    if (value === undefined) throw new Error(`no ${this.#prefix} was read for ${this.#toKey(listRequest)}`);
    return value;
  }

  /**
   * Builds the statements for the requested lists and clears the requests.
   * @returns each statement with the consumer of its rows
   */
  buildStatements(
    db: D1Database,
    segments: string,
    context: kinds.UnpackContext,
  ): { statement: D1PreparedStatement; consume: RowConsumer }[] {
    const requested = [...this.#requested];
    this.#requested.clear();
    const statements = [];
    for (const lists of splitIntoBatches(requested, LISTS_PER_STATEMENT)) {
      const parts = toJsonChunks(
        lists.map(([, list], requestIndex) => [requestIndex, ...this.#type.toParameters(list)]),
      );
      const rows: kinds.Row[] = [];
      for (const [part, text] of parts.entries()) {
        statements.push({
          statement: db.prepare(this.#type.sql).bind(segments, text),
          consume: (received: readonly kinds.Row[]) => {
            for (const row of received) rows.push(row);
            if (part === parts.length - 1) this.#unpack(lists, rows, context);
          },
        });
      }
    }
    return statements;
  }

  #unpack(
    lists: readonly [string, ListRequest][],
    rows: readonly kinds.Row[],
    context: kinds.UnpackContext,
  ): void {
    const rowsByRequest = Map.groupBy(rows, ({ requestIndex }) => requestIndex);
    lists.forEach(([key, listRequest], requestIndex) => {
      const value = this.#type.unpack(rowsByRequest.get(requestIndex) ?? [], listRequest, context);
      this.#loaded.set(key, value);
      this.#cache.set(this.#prefix + key, value);
    });
  }

  #toKey(listRequest: ListRequest): string {
    return JSON.stringify(this.#type.toParameters(listRequest));
  }
}

/** Reads one version of an index for one search. */
export class IndexReader {
  readonly state: IndexState;
  readonly postings;
  readonly positions;
  readonly termRanges;
  readonly termSets;
  readonly fieldDocuments;
  readonly columns;
  readonly parents;
  readonly recordIds;
  readonly recordsById;
  readonly vocabularies;
  readonly keywordOrders;
  readonly #db: D1Database;
  readonly #live = new Map<Space, LiveDocuments>();

  constructor(db: D1Database, state: IndexState, cache: EngineCache) {
    this.#db = db;
    this.state = state;
    const createLoader = <ListRequest, Value extends object>(
      name: string,
      type: kinds.ListType<ListRequest, Value>,
      lists: LRUCache<string, Value>,
    ) => new ListLoader(type, lists, `${state.code}.${state.version}.${name}`);
    this.postings = createLoader('postings', kinds.postings, cache.postings);
    this.positions = createLoader('positions', kinds.positions, cache.positions);
    this.termRanges = createLoader('termRanges', kinds.termRanges, cache.docs);
    this.termSets = createLoader('termSets', kinds.termSets, cache.docs);
    this.fieldDocuments = createLoader('fieldDocuments', kinds.fieldDocuments, cache.docs);
    this.parents = createLoader('parents', kinds.parents, cache.docs);
    this.recordsById = createLoader('recordsById', kinds.recordsById, cache.docs);
    this.columns = createLoader('columns', kinds.columns, cache.columns);
    this.recordIds = createLoader('recordIds', kinds.recordIds, cache.strings);
    this.vocabularies = createLoader('vocabularies', kinds.vocabularies, cache.strings);
    this.keywordOrders = createLoader('keywordOrders', kinds.keywordOrders, cache.orders);
  }

  /** Requests the lists that lead from a space to its records. */
  requestParents(space: Space): void {
    for (let inner = space; inner.parent !== undefined; inner = inner.parent) this.parents.request(inner);
  }

  /** Returns the live documents of a space. Its parents must be loaded. */
  getLive(space: Space): LiveDocuments {
    const { live } = this.state;
    if (space.parent === undefined || live === undefined) return live;
    const cached = this.#live.get(space);
    if (cached !== undefined) return cached;
    const parentFlags = this.getLive(space.parent);
    const flags = Uint8Array.from(this.parents.get(space), (parent) => parentFlags?.[parent] ?? 1);
    this.#live.set(space, flags);
    return flags;
  }

  /**
   * Loads all requested lists.
   * @returns false if the index has changed since `state` was read
   */
  async read(): Promise<boolean> {
    const segments = JSON.stringify(this.state.segments.map(({ segment }) => segment));
    const context = { state: this.state, live: (space: Space) => this.getLive(space) };
    // Parents come first: the other lists need them to find the live documents.
    const loaders = [
      this.parents,
      this.postings,
      this.positions,
      this.termRanges,
      this.termSets,
      this.fieldDocuments,
      this.columns,
      this.recordIds,
      this.recordsById,
      this.vocabularies,
      this.keywordOrders,
    ];
    const statements = loaders.flatMap((loader) => loader.buildStatements(this.#db, segments, context));
    if (statements.length === 0) return true;
    const version = this.#db
      .prepare(
        `SELECT version AS requestIndex, 0 AS ordinal, '' AS docs, '' AS content FROM search_indexes WHERE code = ?1`,
      )
      .bind(this.state.code);
    const [current, ...results] = await this.#db.batch<kinds.Row>([
      version,
      ...statements.map(({ statement }) => statement),
    ]);
    if (current?.results[0]?.requestIndex !== this.state.version) return false;
    for (const [at, { results: rows }] of results.entries()) statements[at]?.consume(rows);
    return true;
  }
}

const MEGABYTE = 2 ** 20;
/** Bytes of an entry beside its content. */
const ENTRY_OVERHEAD = 200;
/** Few terms and ids need more bytes. */
const BYTES_PER_TEXT = 40;

function createLru<Value extends object>(
  megabytes: number,
  size: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    maxSize: megabytes * MEGABYTE,
    sizeCalculation: (value, key) => ENTRY_OVERHEAD + key.length + size(value),
  });
}

const getPostingsSize = ({ docs }: Postings): number => docs.length * 9;

/** Creates an empty cache, bounded in bytes. */
export function createCache() {
  return {
    postings: createLru<Postings>(20, getPostingsSize),
    positions: createLru<PositionPostings>(
      12,
      (value) => getPostingsSize(value) + value.starts.byteLength + value.positions.byteLength,
    ),
    docs: createLru<Int32Array>(8, ({ byteLength }) => byteLength),
    columns: createLru<Column>(12, ({ docs }) => docs.length * 12),
    strings: createLru<string[]>(8, ({ length }) => length * BYTES_PER_TEXT),
    orders: createLru<KeywordOrder>(
      4,
      ({ keywords, lowest }) => keywords.length * BYTES_PER_TEXT + lowest.byteLength * 2,
    ),
  };
}

export type EngineCache = ReturnType<typeof createCache>;
