// The records of one sandbox and their index, kept in step.

import type { Family } from '../../shared/families/index.ts';
import { indexFields } from '../../shared/families/registry.ts';
import { buildIndexSource } from './index-source.ts';
import { type NewRecord, type PutCounts, RecordStore } from './record-store.ts';
import { analyze } from './search/analysis/standard.ts';
import {
  createEngine,
  type SearchEngine,
  type SearchRequest,
  type SearchResult,
} from './search/engine/engine.ts';

/** Finds and keeps records. A family's index is made when it is first needed. */
export class RecordRepository {
  readonly store: RecordStore;
  readonly #engine: SearchEngine;
  readonly #indexes = new Map<Family, Promise<void>>();

  constructor(db: D1Database) {
    this.store = new RecordStore(db);
    this.#engine = createEngine(db, analyze);
  }

  /**
   * Searches the records of a stored family.
   * @throws PatternError and LimitError for what asks too much of the engine
   */
  async search(family: Family, request: SearchRequest): Promise<SearchResult> {
    await this.#ensureIndex(family);
    return this.#engine.search(family, request);
  }

  /**
   * Puts records in, replacing those with the same id; records that are there already are left alone.
   * @param records - with distinct ids
   */
  async put(family: Family, records: readonly NewRecord[]): Promise<PutCounts> {
    await this.#ensureIndex(family);
    const { counts, differing, write } = await this.store.preparePut(family, records);
    // Where this is cut off, the records still differ from what is stored, so that the next try indexes them again.
    await this.#engine.put(
      family,
      differing.map(({ id, record }) => ({ id, source: buildIndexSource(indexFields[family], record) })),
    );
    await write();
    return counts;
  }

  #ensureIndex(family: Family): Promise<void> {
    const existing = this.#indexes.get(family);
    if (existing !== undefined) return existing;
    const made = this.#engine.createIndex(family, indexFields[family]);
    this.#indexes.set(family, made);
    made.catch(() => this.#indexes.delete(family));
    return made;
  }
}

const repositories = new WeakMap<D1Database, RecordRepository>();

/**
 * The library on a database: one for an isolate, so that what it remembers of the index is of use to many requests.
 */
export function getRecordRepository(db: D1Database): RecordRepository {
  const existing = repositories.get(db);
  if (existing !== undefined) return existing;
  const library = new RecordRepository(db);
  repositories.set(db, library);
  return library;
}
