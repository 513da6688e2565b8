// The records of one family in memory. A field is indexed when a search uses it that is not in memory.
import { LRUCache } from 'lru-cache';
import type { Mapping, Properties } from '../../../../../shared/index-fields/mapping.ts';
import { createMappingLookup, type MappingLookup } from '../../fields.ts';
import { type Analyze, FieldCollector, listPrefixes, type Source } from './field-collector.ts';
import { compareIds, findEnd } from './order.ts';
import { NumberColumn, type Space } from './space.ts';
import { TermCollector, TermIndex } from './term-index.ts';

export interface SourceDocument {
  id: string;
  source: Source;
}

/** Reads all records by ascending id. Their sources need only these properties. */
export type ReadDocuments = (properties: Properties) => AsyncIterable<readonly SourceDocument[]>;

export type IndexedField = TermIndex | NumberColumn;

/** The indexed fields of all families that stay in memory between searches. */
export type FieldCache = LRUCache<string, IndexedField>;

/** @param maxBytes - of the fields; the least recently used ones are evicted. Default: see decision 5 */
export const createFieldCache = (maxBytes = 128 * 1024 * 1024): FieldCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });

export class SearchIndex {
  readonly records: Space = { parent: undefined, parents: new Int32Array(0), size: 0 };
  /** Ids of the records, which are whole numbers, ascending. */
  ids: readonly string[] = [];
  readonly #mapping: Mapping;
  readonly #lookup: MappingLookup;
  readonly #analyze: Analyze;
  readonly #readDocuments: ReadDocuments;
  /** By path of the nested objects; empty for the records. */
  readonly #spaces = new Map([['', this.records]]);
  readonly #fields: FieldCache;
  /** Distinguishes the fields of this index in the cache. */
  readonly #name: string;
  #isRead = false;

  /**
   * @param readDocuments - returns the same records whenever it is called
   * @param name - differs from those of other indexes that share the cache
   */
  constructor(
    mapping: Mapping,
    analyze: Analyze,
    readDocuments: ReadDocuments,
    fields = createFieldCache(),
    name = '',
  ) {
    this.#mapping = mapping;
    this.#lookup = createMappingLookup(mapping);
    this.#analyze = analyze;
    this.#readDocuments = readDocuments;
    this.#fields = fields;
    this.#name = name;
  }

  getSpace(path: string): Space | undefined {
    return this.#spaces.get(path);
  }

  /** Finds records by id. */
  findRecords(ids: readonly string[]): Int32Array {
    const docs = ids.map((id) => {
      const doc = findEnd(this.ids, (other) => compareIds(other, id) < 0);
      return this.ids[doc] === id ? doc : -1;
    });
    return Int32Array.from(new Set(docs.filter((doc) => doc >= 0))).sort();
  }

  /**
   * Indexes the fields and nested objects that are not in memory.
   * @param paths - those of unknown fields are skipped
   * @returns the fields by path. They stay complete if the cache evicts some of them
   */
  async load(paths: Iterable<string>): Promise<ReadonlyMap<string, IndexedField>> {
    const collector = new FieldCollector(this.#analyze);
    const loaded = new Map<string, IndexedField>();
    for (const path of paths) {
      const field = this.#fields.get(this.#name + path);
      if (field === undefined) this.#addPath(collector, path);
      else loaded.set(path, field);
    }
    if (this.#isRead && collector.fields.size === 0 && collector.parents.size === 0) return loaded;
    const properties = Object.fromEntries(
      Object.entries(this.#mapping.properties).filter(([name]) => collector.hasPath(name)),
    );
    const ids: string[] = [];
    for await (const documents of this.#readDocuments(properties)) {
      for (const { id, source } of documents) collector.collect(source, properties, ids.push(id) - 1);
    }
    this.ids = ids;
    this.records.size = ids.length;
    this.#isRead = true;
    for (const [path, parents] of collector.parents) {
      if (this.#spaces.has(path)) continue;
      const parent = this.#getOuterSpace(path);
      this.#spaces.set(path, { parent, parents: Int32Array.from(parents), size: parents.length });
    }
    for (const [path, values] of collector.fields) {
      const space = this.#getOuterSpace(path);
      const field =
        values instanceof TermCollector
          ? new TermIndex(space, values)
          : new NumberColumn(space, values.docs, values.values);
      loaded.set(path, field);
      this.#fields.set(this.#name + path, field);
    }
    return loaded;
  }

  #addPath(collector: FieldCollector, path: string): void {
    if (this.#spaces.has(path)) return;
    const property = this.#lookup.getField(path)?.property;
    const isIndexed =
      property !== undefined &&
      property.type !== 'binary' &&
      (!('index' in property) || property.index !== false);
    if (!isIndexed && !this.#lookup.isNested(path)) return;
    if (isIndexed) collector.addField(path, property);
    for (const prefix of listPrefixes(path))
      if (this.#lookup.isNested(prefix)) collector.addNestedPath(prefix);
  }

  /** Returns the space of the documents that contain a field or nested object. */
  #getOuterSpace(path: string): Space {
    const outer = listPrefixes(path)
      .slice(0, -1)
      .findLast((prefix) => this.#lookup.isNested(prefix));
    return this.#spaces.get(outer ?? '') ?? this.records;
  }
}
