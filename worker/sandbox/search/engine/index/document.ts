// Analyses a record by the mapping: its terms, keywords, numbers and nested objects.

import { extractDomain } from '../../../../../shared/index-fields/indexed-url.ts';
import type { Properties, Property } from '../../../../../shared/index-fields/mapping.ts';
import { isObject } from '../../../../../shared/lib/is-object.ts';
import { ValueError } from '../../dates.ts';
import { isScalar, type Scalar, toIndexedValue, type ValueProperty } from '../../values.ts';

/** Splits a text into terms; a gap between positions is a gap in the text. */
export type Analyze = (text: string) => readonly { term: string; position: number }[];

/** A record as parsed JSON. */
export type Source = Readonly<Record<string, unknown>>;

export interface AnalyzedText {
  /** Number of terms. */
  length: number;
  /** Positions of each term, ascending. */
  positions: Map<string, number[]>;
  /** Position of the last term. */
  end: number;
}

/** A record, or a nested object of one. Keys are full paths. */
export interface AnalyzedDocument {
  texts: Map<string, AnalyzedText>;
  keywords: Map<string, Set<string>>;
  numbers: Map<string, (number | bigint)[]>;
  children: Map<string, AnalyzedDocument[]>;
}

/** A value that doesn't fit its field. It is skipped; the rest of the record is indexed. */
export interface MalformedField {
  path: string;
  reason: string;
}

/** Gap between the positions of two values of a field, so that no phrase spans them. */
const POSITION_GAP = 100;
/** Longer keywords are rejected (Lucene's limit is 32,766 bytes). */
const MAX_KEYWORD_LENGTH = 32_766;
const MAX_DEPTH = 50;
/** Maximum number of nested objects in a record, as in Elasticsearch. */
const MAX_NESTED_OBJECTS = 10_000;

const UNSTORABLE_CHARACTERS = /\0|\p{Surrogate}/gu;

/** Terms of a boolean field. */
export const toBooleanTerm = (value: boolean): string => (value ? 'T' : 'F');

/**
 * Replaces characters that the database can't store: SQLite's JSON ends a text at a NUL, and UTF-8 has no lone
 * surrogates.
 */
export function toStorableTerm(term: string): string {
  return term.replace(UNSTORABLE_CHARACTERS, '\ufffd');
}

class RecordAnalyzer {
  readonly malformed: MalformedField[] = [];
  readonly #analyze: Analyze;
  #childCount = 0;

  constructor(analyze: Analyze) {
    this.#analyze = analyze;
  }

  analyze(source: Source, properties: Properties, prefix: string, depth: number): AnalyzedDocument {
    const document: AnalyzedDocument = {
      texts: new Map(),
      keywords: new Map(),
      numbers: new Map(),
      children: new Map(),
    };
    this.#addProperties(document, source, properties, prefix, depth);
    return document;
  }

  #addProperties(
    document: AnalyzedDocument,
    source: Source,
    properties: Properties,
    prefix: string,
    depth: number,
  ) {
    for (const [name, value] of Object.entries(source)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const dot = name.indexOf('.');
      if (property !== undefined) {
        this.#addValue(document, property, prefix + name, value, depth);
      } else if (dot > 0) {
        // "a.b": 1 is {"a": {"b": 1}}
        this.#addProperties(
          document,
          { [name.slice(0, dot)]: { [name.slice(dot + 1)]: value } },
          properties,
          prefix,
          depth,
        );
      }
    }
  }

  #addValue(
    document: AnalyzedDocument,
    property: Property,
    path: string,
    value: unknown,
    depth: number,
  ): void {
    if (depth > MAX_DEPTH) this.#reject(path, `is more than ${MAX_DEPTH} deep`);
    else if (Array.isArray(value)) {
      for (const item of value) this.#addValue(document, property, path, item, depth + 1);
    } else if (property.type === 'object' || property.type === 'nested') {
      if (isObject(value)) this.#addObject(document, property, path, value, depth + 1);
      else if (value !== null && value !== undefined) this.#reject(path, 'is no object');
    } else if (property.type !== 'binary') {
      if (value === null || isScalar(value)) this.#addLeaf(document, property, path, value);
      else if (value !== undefined) this.#reject(path, 'is an object');
    }
  }

  #addObject(
    document: AnalyzedDocument,
    property: Property & { type: 'object' | 'nested' },
    path: string,
    value: Source,
    depth: number,
  ): void {
    if (property.type === 'object') {
      this.#addProperties(document, value, property.properties, `${path}.`, depth);
      return;
    }
    this.#childCount += 1;
    if (this.#childCount > MAX_NESTED_OBJECTS) {
      if (this.#childCount === MAX_NESTED_OBJECTS + 1)
        this.#reject(path, `follows on ${MAX_NESTED_OBJECTS} nested objects`);
      return;
    }
    const child = this.analyze(value, property.properties, `${path}.`, depth);
    const siblings = document.children.get(path);
    if (siblings === undefined) document.children.set(path, [child]);
    else siblings.push(child);
  }

  #addLeaf(document: AnalyzedDocument, property: ValueProperty, path: string, value: Scalar | null): void {
    const indexable = value ?? ('null_value' in property ? property.null_value : undefined);
    if (indexable !== undefined && property.index !== false) {
      try {
        this.#addIndexedValue(document, property, path, indexable);
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        this.#reject(path, error.message);
      }
    }
    for (const [name, variant] of Object.entries(property.fields ?? {})) {
      this.#addValue(document, variant, `${path}.${name}`, value, 0);
    }
  }

  #addIndexedValue(document: AnalyzedDocument, property: ValueProperty, path: string, value: Scalar): void {
    const indexed = toIndexedValue(property, value);
    if (indexed === undefined) return;
    if (property.type === 'text') {
      const text = property.derive === 'domain' ? extractDomain(String(indexed)) : String(indexed);
      if (text !== undefined) this.#addText(document, path, text);
    } else if (typeof indexed === 'string' || typeof indexed === 'boolean') {
      const term = typeof indexed === 'string' ? toStorableTerm(indexed) : toBooleanTerm(indexed);
      if (term.length > MAX_KEYWORD_LENGTH)
        throw new ValueError(`is longer than ${MAX_KEYWORD_LENGTH} characters`);
      const terms = document.keywords.get(path);
      if (terms === undefined) document.keywords.set(path, new Set([term]));
      else terms.add(term);
    } else {
      const numbers = document.numbers.get(path);
      if (numbers === undefined) document.numbers.set(path, [indexed]);
      else numbers.push(indexed);
    }
  }

  #addText(document: AnalyzedDocument, path: string, text: string): void {
    let field = document.texts.get(path);
    if (field === undefined) {
      field = { length: 0, positions: new Map(), end: -1 };
      document.texts.set(path, field);
    }
    const from = field.end + 1;
    for (const { term, position } of this.#analyze(text)) {
      const positions = field.positions.get(term);
      if (positions === undefined) field.positions.set(term, [from + position]);
      else positions.push(from + position);
      field.length += 1;
      field.end = from + position;
    }
    field.end += POSITION_GAP;
  }

  #reject(path: string, reason: string): void {
    this.malformed.push({ path, reason });
  }
}

/**
 * Analyses a record. Explicit nulls become the field's `null_value`; absent, unmapped and unindexed fields are skipped.
 * @returns the document with its nested objects, and the rejected values
 */
export function analyzeRecord(
  source: Source,
  properties: Properties,
  analyze: Analyze,
): { document: AnalyzedDocument; malformed: MalformedField[] } {
  const analyzer = new RecordAnalyzer(analyze);
  const document = analyzer.analyze(source, properties, '', 0);
  return { document, malformed: analyzer.malformed };
}
