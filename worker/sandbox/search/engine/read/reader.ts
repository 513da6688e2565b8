// The reading of one search: it asks for all it wants, gets it in few statements, and finds it here.
import type { LRUCache } from 'lru-cache';
import type { EngineCache } from '../cache.ts';
import type { LiveDocuments } from '../codec/unpack.ts';
import { toJsonChunks } from '../index/json-chunks.ts';
import type { IndexState, Space } from '../index/state.ts';
import * as kinds from './list-types.ts';

/** Lists of one kind in one statement. */
const LISTS_PER_STATEMENT = 256;

type RowConsumer = (rows: readonly kinds.Row[]) => void;

/** Lists of one kind: remembered ones are there at once, the others after they were read. */
export class ListLoader<Wanted, Value extends object> {
  readonly #type: kinds.ListType<Wanted, Value>;
  readonly #cache: LRUCache<string, Value>;
  readonly #prefix: string;
  readonly #loaded = new Map<string, Value>();
  readonly #requested = new Map<string, Wanted>();

  /** @param prefix - tells the index, its version and the kind */
  constructor(kind: kinds.ListType<Wanted, Value>, memory: LRUCache<string, Value>, prefix: string) {
    this.#type = kind;
    this.#cache = memory;
    this.#prefix = prefix;
  }

  /** Asks for a list. */
  request(wanted: Wanted): void {
    const key = this.#key(wanted);
    if (this.#loaded.has(key) || this.#requested.has(key)) return;
    const remembered = this.#cache.get(this.#prefix + key);
    if (remembered === undefined) this.#requested.set(key, wanted);
    else this.#loaded.set(key, remembered);
  }

  /** A list that was asked for and read. */
  get(wanted: Wanted): Value {
    const value = this.#loaded.get(this.#key(wanted));
    if (value === undefined) throw new Error(`no ${this.#prefix} was read for ${this.#key(wanted)}`);
    return value;
  }

  /**
   * The statements for what is asked for and not there, which is then no longer asked for.
   * @returns each with what takes its rows; lists without rows are there at once
   */
  buildStatements(
    db: D1Database,
    segments: string,
    unpacking: kinds.UnpackContext,
  ): { statement: D1PreparedStatement; take: RowConsumer }[] {
    const wanted = [...this.#requested];
    this.#requested.clear();
    const statements = [];
    for (let at = 0; at < wanted.length; at += LISTS_PER_STATEMENT) {
      const lists = wanted.slice(at, at + LISTS_PER_STATEMENT);
      const parts = toJsonChunks(lists.map(([, list], leaf) => [leaf, ...this.#type.row(list)]));
      const rows: kinds.Row[] = [];
      for (const [part, text] of parts.entries()) {
        statements.push({
          statement: db.prepare(this.#type.sql).bind(segments, text),
          take: (taken: readonly kinds.Row[]) => {
            for (const row of taken) rows.push(row);
            if (part === parts.length - 1) this.#unpack(lists, rows, unpacking);
          },
        });
      }
    }
    return statements;
  }

  #unpack(
    lists: readonly [string, Wanted][],
    rows: readonly kinds.Row[],
    unpacking: kinds.UnpackContext,
  ): void {
    const byLeaf = Map.groupBy(rows, ({ leaf }) => leaf);
    lists.forEach(([key, wanted], leaf) => {
      const value = this.#type.unpack(byLeaf.get(leaf) ?? [], wanted, unpacking);
      this.#loaded.set(key, value);
      this.#cache.set(this.#prefix + key, value);
    });
  }

  #key(wanted: Wanted): string {
    return JSON.stringify(this.#type.row(wanted));
  }
}

/** The reading of one search, in one version of an index. */
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

  constructor(db: D1Database, state: IndexState, memory: EngineCache) {
    this.#db = db;
    this.state = state;
    const shelf = <Wanted, Value extends object>(
      name: string,
      kind: kinds.ListType<Wanted, Value>,
      remembered: LRUCache<string, Value>,
    ) => new ListLoader(kind, remembered, `${state.code}.${state.version}.${name}`);
    this.postings = shelf('postings', kinds.postings, memory.postings);
    this.positions = shelf('places', kinds.positions, memory.places);
    this.termRanges = shelf('spans', kinds.termRanges, memory.docs);
    this.termSets = shelf('unions', kinds.termSets, memory.docs);
    this.fieldDocuments = shelf('having', kinds.fieldDocuments, memory.docs);
    this.parents = shelf('parents', kinds.parents, memory.docs);
    this.recordsById = shelf('byId', kinds.recordsById, memory.docs);
    this.columns = shelf('columns', kinds.columns, memory.columns);
    this.recordIds = shelf('ids', kinds.recordIds, memory.texts);
    this.vocabularies = shelf('vocabularies', kinds.vocabularies, memory.texts);
    this.keywordOrders = shelf('orders', kinds.keywordOrders, memory.orders);
  }

  /** Asks for what tells to which records the documents of a space belong. */
  requestParents(space: Space): void {
    for (let inner = space; inner.parent !== undefined; inner = inner.parent) this.parents.request(inner);
  }

  /** Which documents of a space live. The space must have been read. */
  getLive(space: Space): LiveDocuments {
    const { live } = this.state;
    if (space.parent === undefined || live === undefined) return live;
    const known = this.#live.get(space);
    if (known !== undefined) return known;
    const parentLives = this.getLive(space.parent);
    const lives = Uint8Array.from(this.parents.get(space), (parent) => parentLives?.[parent] ?? 1);
    this.#live.set(space, lives);
    return lives;
  }

  /**
   * Reads all that was asked for.
   * @returns whether the index is still the one of `state`
   */
  async read(): Promise<boolean> {
    const segments = JSON.stringify(this.state.segments.map(({ segment }) => segment));
    const unpacking = { state: this.state, live: (space: Space) => this.getLive(space) };
    // Parents come first: what is unpacked after them asks which documents live.
    const shelves = [
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
    const statements = shelves.flatMap((shelf) => shelf.buildStatements(this.#db, segments, unpacking));
    if (statements.length === 0) return true;
    const version = this.#db
      .prepare(
        `SELECT version AS leaf, 0 AS place, '' AS docs, '' AS content FROM search_indexes WHERE code = ?1`,
      )
      .bind(this.state.code);
    const [current, ...results] = await this.#db.batch<kinds.Row>([
      version,
      ...statements.map(({ statement }) => statement),
    ]);
    if (current?.results[0]?.leaf !== this.state.version) return false;
    for (const [at, { results: rows }] of results.entries()) statements[at]?.take(rows);
    return true;
  }
}
