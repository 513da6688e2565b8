// Stores and searches the sandbox's records, and keeps their index consistent with them.
import type { Family } from '../../shared/families/index.ts';
import { indexFields } from '../../shared/families/registry.ts';
import { isUrlField, toIndexedUrl } from '../../shared/index-fields/indexed-url.ts';
import type { Mapping, Properties, Property } from '../../shared/index-fields/mapping.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { type NewRecord, type PutCounts, RecordStore } from './record-store.ts';
import { analyze } from './search/analysis/standard.ts';
import {
  createEngine,
  type SearchEngine,
  type SearchRequest,
  type SearchResult,
} from './search/engine/engine.ts';
import type { Source } from './search/engine/index/document.ts';

/** Checks for an absent field, a null or an array of such values. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.every(isMissing));
}

function hasSubstitute(property: Property): boolean {
  if ('null_value' in property) return true;
  return 'fields' in property && Object.values(property.fields ?? {}).some(hasSubstitute);
}

/** Applies a function to a value or to each item of an array. */
function mapItems(value: unknown, transform: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map((item) => mapItems(item, transform)) : transform(value);
}

function toIndexValue(name: string, property: Property, value: unknown): unknown {
  if (property.type === 'object' && isMissing(value)) return toIndexObject({}, property.properties);
  if (property.type === 'object' || property.type === 'nested') {
    return mapItems(value, (item) => (isObject(item) ? toIndexObject(item, property.properties) : item));
  }
  // The engine replaces only nulls by the field's substitute.
  if (isMissing(value)) return hasSubstitute(property) ? null : undefined;
  if (!isUrlField(name)) return value;
  return mapItems(value, (item) => (typeof item === 'string' ? toIndexedUrl(item) : item));
}

function toIndexObject(source: Source, properties: Properties): Source {
  const indexed = Object.entries(properties).map(([name, property]) => [
    name,
    toIndexValue(name, property, Object.hasOwn(source, name) ? source[name] : undefined),
  ]);
  return { ...source, ...Object.fromEntries(indexed.filter(([, value]) => value !== undefined)) };
}

/**
 * Converts a record to its index document: missing values become nulls if the field has a substitute
 * (`NULL` or −1), and URLs lose scheme and `www`.
 * @param mapping - the mapping of the record's family
 * @returns a copy; the record stays unchanged
 */
export function buildIndexSource(mapping: Mapping, record: Source): Source {
  return toIndexObject(record, mapping.properties);
}

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
