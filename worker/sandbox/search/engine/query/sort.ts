// Sorts the hits of a search.
import { compareCodePoints, compareIds } from '../index/order.ts';
import type { IndexedField, SearchIndex } from '../index/search-index.ts';
import { NumberColumn } from '../index/space.ts';
import { TermIndex } from '../index/term-index.ts';
import { getScore, type Matches } from './matches.ts';

/**
 * A sort key. Of several values of a record, the lowest counts for ascending order, otherwise the highest. Records without a
 * value are last in either order.
 */
export interface SortKey {
  /** A field of the records, `_score`, or `_id`. */
  field: string;
  order: 'asc' | 'desc';
}

/** A record's value of a sort key: dates in milliseconds, integers beyond 2^53 as text, null if it has none. */
export type SortValue = string | number | null;

/** The names of the score and of the id as sort keys. */
export const SCORE = '_score';
export const ID = '_id';

/** A sort key with the values of the hits. Hits are numbered. */
interface HitOrder {
  compare: (hit: number, other: number) => number;
  getValue: (hit: number) => SortValue;
  /** Creates a test whether a hit is before (negative) or after (positive) a value. */
  compareTo: (value: SortValue) => (hit: number) => number;
}

/** @param parse - converts a cursor's value; undefined for one that a field can't have */
function orderHits<Value>(
  key: SortKey,
  values: readonly (Value | undefined)[],
  compareValues: (a: Value, b: Value) => number,
  parse: (value: string | number) => Value | undefined,
  format: (value: Value) => SortValue,
): HitOrder {
  const sign = key.order === 'asc' ? 1 : -1;
  const compare = (a: Value | undefined, b: Value | undefined): number =>
    a === undefined || b === undefined
      ? Number(a === undefined) - Number(b === undefined)
      : sign * compareValues(a, b);
  return {
    compare: (hit, other) => compare(values[hit], values[other]),
    getValue: (hit) => {
      const value = values[hit];
      return value === undefined ? null : format(value);
    },
    compareTo: (value) => {
      const bound = value === null ? undefined : parse(value);
      return (hit) => compare(values[hit], bound);
    },
  };
}

const INTEGER = /^-?\d{1,19}$/;

function orderByNumber(key: SortKey, values: readonly (number | bigint | undefined)[]): HitOrder {
  return orderHits(
    key,
    values,
    (a, b) => (a < b ? -1 : Number(a > b)),
    (value) => {
      if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value);
      return value === '' || Number.isNaN(Number(value)) ? undefined : Number(value);
    },
    (value) =>
      Number.isSafeInteger(Number(value)) || typeof value === 'number' ? Number(value) : String(value),
  );
}

function orderByText(
  key: SortKey,
  values: readonly (string | undefined)[],
  compareTexts: (a: string, b: string) => number,
): HitOrder {
  return orderHits(key, values, compareTexts, String, (value) => value);
}

/** Finds the number of each document that counts. */
function findNumbers({ order }: SortKey, { docs, values }: NumberColumn): Map<number, number | bigint> {
  const found = new Map<number, number | bigint>();
  for (const [at, doc] of docs.entries()) {
    const [value, known] = [values[at] ?? 0, found.get(doc)];
    if (known === undefined || (order === 'asc' ? value < known : value > known)) found.set(doc, value);
  }
  return found;
}

/** Finds the term of each document that counts. */
function findTerms({ order }: SortKey, field: TermIndex): Map<number, string> {
  const found = new Map<number, string>();
  for (const [rank, term] of field.terms.entries()) {
    for (const doc of field.getDocs(rank)) if (order === 'desc' || !found.has(doc)) found.set(doc, term);
  }
  return found;
}

/** An index with the loaded fields of a search. */
interface Loaded {
  index: SearchIndex;
  fields: ReadonlyMap<string, IndexedField>;
}

function orderByKey(key: SortKey, { index, fields }: Loaded, matches: Matches): HitOrder {
  const docs = [...matches.docs];
  if (key.field === SCORE)
    return orderByNumber(
      key,
      docs.map((_, hit) => getScore(matches, hit)),
    );
  if (key.field === ID)
    return orderByText(
      key,
      docs.map((doc) => index.ids[doc]),
      compareIds,
    );
  const field = fields.get(key.field);
  if (field?.space === index.records && field instanceof NumberColumn) {
    const numbers = findNumbers(key, field);
    return orderByNumber(
      key,
      docs.map((doc) => numbers.get(doc)),
    );
  }
  // Texts, and fields of nested objects: all records lack a value.
  const terms =
    field?.space === index.records && field instanceof TermIndex && !field.isText
      ? findTerms(key, field)
      : new Map<number, string>();
  return orderByText(
    key,
    docs.map((doc) => terms.get(doc)),
    compareCodePoints,
  );
}

/** A hit: its number in the matches, and its sort values. */
export interface SortedHit {
  hit: number;
  values: SortValue[];
}

/**
 * Sorts the hits and selects a page; ties are in the order of their ids.
 * @param from - number of hits to skip
 * @param after - sort values after which the hits begin
 */
export function sortHits(
  keys: readonly SortKey[],
  loaded: Loaded,
  matches: Matches,
  { from, size, after }: { from: number; size: number; after: readonly SortValue[] | undefined },
): SortedHit[] {
  const orders = keys.map((key) => orderByKey(key, loaded, matches));
  const bounds = after === undefined ? [] : orders.map((order, key) => order.compareTo(after[key] ?? null));
  // The first key that differs decides.
  const compare = (hit: number, other: number): number =>
    orders.reduce((result, order) => result || order.compare(hit, other), 0) || hit - other;
  const isAfter = (hit: number): boolean =>
    bounds.reduce((result, compareTo) => result || compareTo(hit), 0) > 0;
  const hits = Array.from(matches.docs, (_, hit) => hit);
  return (after === undefined ? hits : hits.filter(isAfter))
    .sort(compare)
    .slice(from, from + size)
    .map((hit) => ({ hit, values: orders.map((order) => order.getValue(hit)) }));
}
