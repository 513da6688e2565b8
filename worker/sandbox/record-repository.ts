// Searches the sandbox's records in an index in memory.
import type { Family } from '../../shared/families/index.ts';
import { indexFields } from '../../shared/families/registry.ts';
import { isUrlField, toIndexedUrl } from '../../shared/index-fields/indexed-url.ts';
import type { Properties, Property } from '../../shared/index-fields/mapping.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { RecordStore } from './record-store.ts';
import { analyze } from './search/analysis/standard.ts';
import { type SearchRequest, type SearchResult, searchIndex } from './search/engine/engine.ts';
import type { Source } from './search/engine/index/field-collector.ts';
import { createFieldCache, SearchIndex } from './search/engine/index/search-index.ts';

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
  if (property.type === 'object' && isMissing(value)) return buildIndexSource({}, property.properties);
  if (property.type === 'object' || property.type === 'nested') {
    return mapItems(value, (item) => (isObject(item) ? buildIndexSource(item, property.properties) : item));
  }
  // The engine replaces only nulls by the field's substitute.
  if (isMissing(value)) return hasSubstitute(property) ? null : undefined;
  if (!isUrlField(name)) return value;
  return mapItems(value, (item) => (typeof item === 'string' ? toIndexedUrl(item) : item));
}

/**
 * Converts a record or an object in it to its index document: missing values become nulls if the field has a substitute
 * (`NULL` or −1), and URLs lose scheme and `www`.
 * @param properties - of the record's family or of the object
 * @returns a copy; the record stays unchanged
 */
export function buildIndexSource(source: Source, properties: Properties): Source {
  const indexed = Object.entries(properties).map(([name, property]) => [
    name,
    toIndexValue(name, property, Object.hasOwn(source, name) ? source[name] : undefined),
  ]);
  return { ...source, ...Object.fromEntries(indexed.filter(([, value]) => value !== undefined)) };
}

/** Maximum number of attempts of a search; it is repeated if a write has changed the records that it reads. */
const MAX_ATTEMPTS = 5;

/** Records and their indexes, which are built in memory when they are needed. */
export class RecordRepository {
  readonly store: RecordStore;
  /** Indexes of one version of the records. */
  readonly #indexes = new Map<Family, SearchIndex>();
  #fields = createFieldCache();
  #version = -1;

  constructor(db: D1Database) {
    this.store = new RecordStore(db);
  }

  /**
   * Searches the records of a stored family.
   * @throws PatternError and LimitError if the query exceeds a limit of the engine
   */
  async search(family: Family, request: SearchRequest): Promise<SearchResult> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const version = await this.store.readVersion();
      const result = await searchIndex(this.#getIndex(family, version), request);
      if ((await this.store.readVersion()) === version) return result;
    }
    throw new Error(`The records of ${family} are being written faster than they can be read.`);
  }

  #getIndex(family: Family, version: number): SearchIndex {
    if (version !== this.#version) {
      this.#indexes.clear();
      // Searches that are still running add fields of the former version to its cache.
      this.#fields = createFieldCache();
      this.#version = version;
    }
    const existing = this.#indexes.get(family);
    if (existing !== undefined) return existing;
    const read = (properties: Properties) => this.#readSources(family, properties);
    const index = new SearchIndex(indexFields[family], analyze, read, this.#fields, `${family} `);
    this.#indexes.set(family, index);
    return index;
  }

  async *#readSources(family: Family, properties: Properties) {
    for await (const page of this.store.readAll(family, Object.keys(properties)))
      yield page.map(({ id, source }) => ({ id, source: buildIndexSource(source, properties) }));
  }
}

const repositories = new WeakMap<D1Database, RecordRepository>();

/**
 * Returns the repository of a database. An isolate has one, so that requests share its indexes.
 */
export function getRecordRepository(db: D1Database): RecordRepository {
  const existing = repositories.get(db);
  if (existing !== undefined) return existing;
  const repository = new RecordRepository(db);
  repositories.set(db, repository);
  return repository;
}
