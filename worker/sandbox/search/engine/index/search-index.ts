// The records of one family in memory. A field is indexed when a search first uses it.
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
  readonly #fields = new Map<string, IndexedField>();
  #isRead = false;

  /** @param readDocuments - returns the same records whenever it is called */
  constructor(mapping: Mapping, analyze: Analyze, readDocuments: ReadDocuments) {
    this.#mapping = mapping;
    this.#lookup = createMappingLookup(mapping);
    this.#analyze = analyze;
    this.#readDocuments = readDocuments;
  }

  /** Returns a field that {@link load} has indexed; undefined for other names. */
  getField(path: string): IndexedField | undefined {
    return this.#fields.get(path);
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
   * Indexes the fields and nested objects that are not indexed yet.
   * @param paths - those of unknown fields are skipped
   */
  async load(paths: Iterable<string>): Promise<void> {
    const collector = new FieldCollector(this.#analyze);
    for (const path of paths) this.#addPath(collector, path);
    if (this.#isRead && collector.fields.size === 0 && collector.parents.size === 0) return;
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
      this.#fields.set(path, field);
    }
  }

  #addPath(collector: FieldCollector, path: string): void {
    if (this.#fields.has(path) || this.#spaces.has(path)) return;
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
