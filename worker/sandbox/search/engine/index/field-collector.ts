// Collects the values of some fields from the records of an index, with their nested objects.
import { extractDomain } from '../../../../../shared/index-fields/indexed-url.ts';
import type { Properties, Property } from '../../../../../shared/index-fields/mapping.ts';
import { isObject } from '../../../../../shared/lib/is-object.ts';
import type { Token } from '../../analysis/standard.ts';
import { ValueError } from '../../dates.ts';
import { isScalar, type Scalar, toIndexedValue, type ValueProperty } from '../../values.ts';
import { TermCollector } from './term-index.ts';

/** Splits a text into terms; a gap between positions is a gap in the text. */
export type Analyze = (text: string) => readonly Token[];

/** A record as parsed JSON. */
export type Source = Readonly<Record<string, unknown>>;

/** The values of a number or date field with their documents. */
export interface NumberCollector {
  docs: number[];
  values: (number | bigint)[];
}

/** Longer keywords are not indexed (Lucene's limit is 32,766 bytes). */
const MAX_KEYWORD_LENGTH = 32_766;

/** Terms of a boolean field. */
export const toBooleanTerm = (value: boolean): string => (value ? 'T' : 'F');

/** Lists a path and the paths of the objects that contain it, outer ones first. */
export function listPrefixes(path: string): string[] {
  return path.split('.').map((_, at, names) => names.slice(0, at + 1).join('.'));
}

/** Values that don't fit their fields are skipped. */
export class FieldCollector {
  /** By path of the field. */
  readonly fields = new Map<string, TermCollector | NumberCollector>();
  /** The containing document of each nested object, by path. */
  readonly parents = new Map<string, number[]>();
  readonly #analyze: Analyze;
  readonly #paths = new Set<string>();

  constructor(analyze: Analyze) {
    this.#analyze = analyze;
  }

  addField(path: string, { type }: Property): void {
    const hasTerms = type === 'text' || type === 'keyword' || type === 'boolean';
    this.fields.set(path, hasTerms ? new TermCollector(type === 'text') : { docs: [], values: [] });
    this.#include(path);
  }

  addNestedPath(path: string): void {
    this.parents.set(path, []);
    this.#include(path);
  }

  #include(path: string): void {
    for (const prefix of listPrefixes(path)) this.#paths.add(prefix);
  }

  /** Whether a field or nested object with this prefix was added. */
  hasPath(prefix: string): boolean {
    return this.#paths.has(prefix);
  }

  /**
   * Collects the values of an object. Explicit nulls become the field's `null_value`.
   * @param doc - its document; documents ascend
   * @param prefix - its path and a dot; empty for a record
   */
  collect(source: Source, properties: Properties, doc: number, prefix = ''): void {
    for (const [name, value] of Object.entries(source)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const dot = name.indexOf('.');
      if (property !== undefined) this.#collectValue(property, prefix + name, value, doc);
      else if (dot > 0) {
        // "a.b": 1 is {"a": {"b": 1}}
        const inner = { [name.slice(0, dot)]: { [name.slice(dot + 1)]: value } };
        this.collect(inner, properties, doc, prefix);
      }
    }
  }

  #collectValue(property: Property, path: string, value: unknown, doc: number): void {
    if (!this.#paths.has(path)) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#collectValue(property, path, item, doc);
    } else if (property.type === 'object' || property.type === 'nested') {
      if (isObject(value)) this.#collectObject(property, path, value, doc);
    } else if (property.type !== 'binary' && (value === null || isScalar(value))) {
      this.#collectLeaf(property, path, value, doc);
    }
  }

  #collectObject(
    { type, properties }: Property & { type: 'object' | 'nested' },
    path: string,
    value: Source,
    doc: number,
  ): void {
    const siblings = type === 'nested' ? this.parents.get(path) : undefined;
    this.collect(value, properties, siblings === undefined ? doc : siblings.push(doc) - 1, `${path}.`);
  }

  #collectLeaf(property: ValueProperty, path: string, value: Scalar | null, doc: number): void {
    const field = this.fields.get(path);
    const indexable = value ?? ('null_value' in property ? property.null_value : undefined);
    if (field !== undefined && indexable !== undefined) {
      try {
        this.#addValue(field, property, indexable, doc);
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
      }
    }
    for (const [name, variant] of Object.entries(property.fields ?? {})) {
      this.#collectValue(variant, `${path}.${name}`, value, doc);
    }
  }

  #addValue(
    field: TermCollector | NumberCollector,
    property: ValueProperty,
    value: Scalar,
    doc: number,
  ): void {
    const indexed = toIndexedValue(property, value);
    if (indexed === undefined) return;
    if (!(field instanceof TermCollector)) {
      if (typeof indexed !== 'number' && typeof indexed !== 'bigint') return;
      field.docs.push(doc);
      field.values.push(indexed);
    } else if (property.type === 'text') {
      const text = property.derive === 'domain' ? extractDomain(String(indexed)) : String(indexed);
      if (text !== undefined) field.add(doc, this.#analyze(text));
    } else {
      const term = typeof indexed === 'boolean' ? toBooleanTerm(indexed) : String(indexed);
      if (term.length <= MAX_KEYWORD_LENGTH) field.add(doc, [{ term, position: 0 }]);
    }
  }
}
