// Sort keys over the hits of a search: each key becomes a rank for each hit, lower first.
import { type Column, compareCodePoints, type KeywordOrder } from '../codec/unpack.ts';
import { ID_COLUMN, type IndexedField } from '../index/state.ts';
import type { Matches } from '../query/matches.ts';
import type { IndexReader } from '../read/reader.ts';

/**
 * A sort key. Of several values of a record, the lowest counts for ascending order, otherwise the highest. Records without a
 * value are last in either order.
 */
export interface SortKey {
  /** A field of the records; `_score`; `_id`, shorter ids first, which orders numbers; `_doc`. */
  field: string;
  order: 'asc' | 'desc';
}

/** A record's value of a sort key: dates in milliseconds, integers beyond 2^53 as text, null if it has none. */
export type SortValue = string | number | null;

/** The name of the score as a sort key. */
export const SCORE = '_score';
const ID = '_id';
const DOC = '_doc';

/** A sort key applied to the hits of a search. */
export interface RankedSortKey {
  /** The rank of each hit; lower ranks sort first. */
  ranks: Float64Array;
  getValue: (at: number) => SortValue;
  /** Returns the rank that a value has or would have. */
  toRank: (value: SortValue) => number;
}

/** The rank of hits without a value. */
const MISSING_RANK = Number.POSITIVE_INFINITY;

/** Ranks hits by numbers; NaN is a missing value. */
function rankNumbers(key: SortKey, numbers: Float64Array): RankedSortKey {
  const sign = key.order === 'asc' ? 1 : -1;
  const toRank = (number: number): number => (Number.isNaN(number) ? MISSING_RANK : sign * number);
  return {
    ranks: numbers.map(toRank),
    getValue: (at) => {
      const number = numbers[at];
      return number === undefined || Number.isNaN(number) ? null : number;
    },
    toRank: (value) => toRank(value === null || value === '' ? Number.NaN : Number(value)),
  };
}

/** Ranks hits by their index in a sorted list; −1 is a missing value. A value between two items gets half a rank. */
function rankByIndex<Value>(
  key: SortKey,
  indexes: ArrayLike<number>,
  list: readonly Value[],
  format: (value: Value) => SortValue,
  isBelow: (value: Value, target: SortValue) => boolean,
): RankedSortKey {
  const sign = key.order === 'asc' ? 1 : -1;
  return {
    ranks: Float64Array.from(indexes, (index) => (index < 0 ? MISSING_RANK : sign * index)),
    getValue: (at) => {
      const value = list[indexes[at] ?? -1];
      return value === undefined ? null : format(value);
    },
    toRank: (target) => {
      if (target === null) return MISSING_RANK;
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const value = list[middle];
        if (value !== undefined && isBelow(value, target)) low = middle + 1;
        else high = middle;
      }
      const found = list[low];
      return sign * (found !== undefined && format(found) === target ? low : low - 0.5);
    },
  };
}

/** Compares ids by length first, which orders numbers. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodePoints(a, b);
}

/** Visits the range of column values of each hit that has any. */
function forEachHit(
  docs: Int32Array,
  column: Column,
  visit: (at: number, from: number, to: number) => void,
): void {
  let from = 0;
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    while (from < column.docs.length && (column.docs[from] ?? 0) < doc) from += 1;
    let to = from;
    while (column.docs[to] === doc) to += 1;
    if (to > from) visit(at, from, to);
  }
}

/** The index of the value that counts in a sorted list of values. */
const getDecidingIndex = ({ order }: SortKey): number => (order === 'asc' ? 0 : -1);

function rankColumn(key: SortKey, docs: Int32Array, column: Column): RankedSortKey {
  const { values } = column;
  if (values instanceof BigInt64Array) return rankBigInts(key, docs, column, values);
  const numbers = new Float64Array(docs.length).fill(Number.NaN);
  forEachHit(docs, column, (at, from, to) => {
    const value = to - from === 1 ? values[from] : values.slice(from, to).sort().at(getDecidingIndex(key));
    numbers[at] = value ?? Number.NaN;
  });
  return rankNumbers(key, numbers);
}

/** Ranks hits by integers beyond 2^53. */
function rankBigInts(key: SortKey, docs: Int32Array, column: Column, values: BigInt64Array): RankedSortKey {
  const hitValues = new Array<bigint | undefined>(docs.length).fill(undefined);
  forEachHit(docs, column, (at, from, to) => {
    hitValues[at] = to - from === 1 ? values[from] : values.slice(from, to).sort().at(getDecidingIndex(key));
  });
  const list = [...BigInt64Array.from(new Set(hitValues.filter((value) => value !== undefined))).sort()];
  const indexes = new Map(list.map((value, index) => [value, index]));
  return rankByIndex(
    key,
    hitValues.map((value) => (value === undefined ? -1 : (indexes.get(value) ?? -1))),
    list,
    (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
    (value, target) => value < parseInteger(target),
  );
}

const INTEGER = /^-?\d{1,19}$/;

/** Parses a cursor value; NaN if it is not an integer. */
function parseInteger(value: SortValue): number | bigint {
  return typeof value === 'string' && INTEGER.test(value) ? BigInt(value) : Number(value ?? Number.NaN);
}

function rankKeywords(
  key: SortKey,
  docs: Int32Array,
  { keywords, lowest, highest }: KeywordOrder,
): RankedSortKey {
  const indexes = key.order === 'asc' ? lowest : highest;
  return rankByIndex(
    key,
    docs.map((doc) => indexes[doc] ?? -1),
    keywords,
    (keyword) => keyword,
    (keyword, target) => compareCodePoints(keyword, String(target)) < 0,
  );
}

/** Ids that a number holds exactly. */
const NUMERIC_ID = /^(?:0|[1-9]\d{0,14})$/;

/** @returns undefined if an id is not numeric; ids are then compared as texts */
function toIdNumbers(docs: Int32Array, ids: readonly string[]): Float64Array | undefined {
  const numbers = new Float64Array(docs.length);
  for (let at = 0; at < docs.length; at += 1) {
    const id = ids[docs[at] ?? 0] ?? '';
    if (!NUMERIC_ID.test(id)) return undefined;
    numbers[at] = Number(id);
  }
  return numbers;
}

function rankIds(key: SortKey, docs: Int32Array, ids: readonly string[]): RankedSortKey {
  const numbers = toIdNumbers(docs, ids);
  if (numbers !== undefined)
    return { ...rankNumbers(key, numbers), getValue: (at) => ids[docs[at] ?? 0] ?? '' };
  const list = Array.from(docs, (doc) => ids[doc] ?? '').sort(compareIds);
  const indexes = new Map(list.map((id, index) => [id, index]));
  return rankByIndex(
    key,
    docs.map((doc) => indexes.get(ids[doc] ?? '') ?? -1),
    list,
    (id) => id,
    (id, target) => compareIds(id, String(target)) < 0,
  );
}

function findSortField(reader: IndexReader, { field }: SortKey): IndexedField | undefined {
  const found = reader.state.fields.get(field);
  return found?.space === reader.state.records && found.type !== 'text' ? found : undefined;
}

const isKeyword = ({ type }: IndexedField): boolean => type === 'keyword' || type === 'boolean';

export function requestSortLists(reader: IndexReader, keys: readonly SortKey[]): void {
  for (const key of keys) {
    if (key.field === ID) reader.recordIds.request(ID_COLUMN);
    const field = findSortField(reader, key);
    if (field !== undefined) (isKeyword(field) ? reader.keywordOrders : reader.columns).request(field);
  }
}

function toScores({ docs, scores }: Matches): Float64Array {
  return typeof scores === 'number' ? new Float64Array(docs.length).fill(scores) : new Float64Array(scores);
}

/** Applies a key to the hits of a search; the lists of {@link requestSortLists} must be loaded. */
export function rankHits(key: SortKey, reader: IndexReader, matches: Matches): RankedSortKey {
  const { docs } = matches;
  if (key.field === SCORE) return rankNumbers(key, toScores(matches));
  if (key.field === DOC) return rankNumbers(key, new Float64Array(docs));
  if (key.field === ID) return rankIds(key, docs, reader.recordIds.get(ID_COLUMN));
  const field = findSortField(reader, key);
  // Not a field of the records: the value is missing in all.
  if (field === undefined) return rankNumbers(key, new Float64Array(docs.length).fill(Number.NaN));
  return isKeyword(field)
    ? rankKeywords(key, docs, reader.keywordOrders.get(field))
    : rankColumn(key, docs, reader.columns.get(field));
}
