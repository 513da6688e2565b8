// The reading of one search: it asks for all it wants, gets it in few statements, and finds it here.
import type { LRUCache } from 'lru-cache';
import type { Live } from '../codec/unpack.ts';
import * as kinds from './list-types.ts';
import type { Memory } from '../cache.ts';
import { jsonParts } from '../index/json-chunks.ts';
import type { IndexState, Space } from '../index/state.ts';

/** Lists of one kind in one statement. */
const LISTS_PER_STATEMENT = 256;

type Take = (rows: readonly kinds.Row[]) => void;

/** Lists of one kind: remembered ones are there at once, the others after they were read. */
export class Shelf<Wanted, Value extends object> {
  readonly #kind: kinds.Kind<Wanted, Value>;
  readonly #memory: LRUCache<string, Value>;
  readonly #prefix: string;
  readonly #found = new Map<string, Value>();
  readonly #wanted = new Map<string, Wanted>();

  /** @param prefix - tells the index, its version and the kind */
  constructor(kind: kinds.Kind<Wanted, Value>, memory: LRUCache<string, Value>, prefix: string) {
    this.#kind = kind;
    this.#memory = memory;
    this.#prefix = prefix;
  }

  /** Asks for a list. */
  want(wanted: Wanted): void {
    const key = this.#key(wanted);
    if (this.#found.has(key) || this.#wanted.has(key)) return;
    const remembered = this.#memory.get(this.#prefix + key);
    if (remembered === undefined) this.#wanted.set(key, wanted);
    else this.#found.set(key, remembered);
  }

  /** A list that was asked for and read. */
  get(wanted: Wanted): Value {
    const value = this.#found.get(this.#key(wanted));
    if (value === undefined) throw new Error(`no ${this.#prefix} was read for ${this.#key(wanted)}`);
    return value;
  }

  /**
   * The statements for what is asked for and not there, which is then no longer asked for.
   * @returns each with what takes its rows; lists without rows are there at once
   */
  statements(
    db: D1Database,
    segments: string,
    unpacking: kinds.Unpacking,
  ): { statement: D1PreparedStatement; take: Take }[] {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const statements = [];
    for (let at = 0; at < wanted.length; at += LISTS_PER_STATEMENT) {
      const lists = wanted.slice(at, at + LISTS_PER_STATEMENT);
      const parts = jsonParts(lists.map(([, list], leaf) => [leaf, ...this.#kind.row(list)]));
      const rows: kinds.Row[] = [];
      for (const [part, text] of parts.entries()) {
        statements.push({
          statement: db.prepare(this.#kind.sql).bind(segments, text),
          take: (taken: readonly kinds.Row[]) => {
            for (const row of taken) rows.push(row);
            if (part === parts.length - 1) this.#unpack(lists, rows, unpacking);
          },
        });
      }
    }
    return statements;
  }

  #unpack(lists: readonly [string, Wanted][], rows: readonly kinds.Row[], unpacking: kinds.Unpacking): void {
    const byLeaf = Map.groupBy(rows, ({ leaf }) => leaf);
    lists.forEach(([key, wanted], leaf) => {
      const value = this.#kind.unpack(byLeaf.get(leaf) ?? [], wanted, unpacking);
      this.#found.set(key, value);
      this.#memory.set(this.#prefix + key, value);
    });
  }

  #key(wanted: Wanted): string {
    return JSON.stringify(this.#kind.row(wanted));
  }
}

/** The reading of one search, in one version of an index. */
export class Reader {
  readonly state: IndexState;
  readonly postings;
  readonly places;
  readonly spans;
  readonly unions;
  readonly having;
  readonly columns;
  readonly parents;
  readonly ids;
  readonly byId;
  readonly vocabularies;
  readonly orders;
  readonly #db: D1Database;
  readonly #live = new Map<Space, Live>();

  constructor(db: D1Database, state: IndexState, memory: Memory) {
    this.#db = db;
    this.state = state;
    const shelf = <Wanted, Value extends object>(
      name: string,
      kind: kinds.Kind<Wanted, Value>,
      remembered: LRUCache<string, Value>,
    ) => new Shelf(kind, remembered, `${state.code}.${state.version}.${name}`);
    this.postings = shelf('postings', kinds.postings, memory.postings);
    this.places = shelf('places', kinds.places, memory.places);
    this.spans = shelf('spans', kinds.spans, memory.docs);
    this.unions = shelf('unions', kinds.unions, memory.docs);
    this.having = shelf('having', kinds.having, memory.docs);
    this.parents = shelf('parents', kinds.parents, memory.docs);
    this.byId = shelf('byId', kinds.byId, memory.docs);
    this.columns = shelf('columns', kinds.columns, memory.columns);
    this.ids = shelf('ids', kinds.ids, memory.texts);
    this.vocabularies = shelf('vocabularies', kinds.vocabularies, memory.texts);
    this.orders = shelf('orders', kinds.orders, memory.orders);
  }

  /** Asks for what tells to which records the documents of a space belong. */
  wantSpace(space: Space): void {
    for (let inner = space; inner.parent !== undefined; inner = inner.parent) this.parents.want(inner);
  }

  /** Which documents of a space live. The space must have been read. */
  live(space: Space): Live {
    const { live } = this.state;
    if (space.parent === undefined || live === undefined) return live;
    const known = this.#live.get(space);
    if (known !== undefined) return known;
    const parentLives = this.live(space.parent);
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
    const unpacking = { state: this.state, live: (space: Space) => this.live(space) };
    // Parents come first: what is unpacked after them asks which documents live.
    const shelves = [
      this.parents,
      this.postings,
      this.places,
      this.spans,
      this.unions,
      this.having,
      this.columns,
      this.ids,
      this.byId,
      this.vocabularies,
      this.orders,
    ];
    const statements = shelves.flatMap((shelf) => shelf.statements(this.#db, segments, unpacking));
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
