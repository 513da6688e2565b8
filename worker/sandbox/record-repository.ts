// Stores and searches the sandbox's records, and keeps their index consistent with them.

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

/** Records and their index. The index of a family is created at its first use. */
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
   * @throws PatternError and LimitError if the query exceeds a limit of the engine
   */
  async search(family: Family, request: SearchRequest): Promise<SearchResult> {
    await this.#ensureIndex(family);
    return this.#engine.search(family, request);
  }

  /**
   * Adds records and replaces changed ones with the same id.
   * @param records - with distinct ids
   */
  async put(family: Family, records: readonly NewRecord[]): Promise<PutCounts> {
    await this.#ensureIndex(family);
    const { counts, differing, write } = await this.store.preparePut(family, records);
    // Index first: if the process ends here, the stored records still differ, and the next import indexes them again.
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
    const creation = this.#engine.createIndex(family, indexFields[family]);
    this.#indexes.set(family, creation);
    creation.catch(() => this.#indexes.delete(family));
    return creation;
  }
}

const repositories = new WeakMap<D1Database, RecordRepository>();

/**
 * Returns the repository of a database. An isolate shares one, so that requests share its index cache.
 */
export function getRecordRepository(db: D1Database): RecordRepository {
  const existing = repositories.get(db);
  if (existing !== undefined) return existing;
  const repository = new RecordRepository(db);
  repositories.set(db, repository);
  return repository;
}
