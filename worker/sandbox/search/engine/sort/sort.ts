// Sort keys over the hits of a search: every key becomes a number per hit, the lower the earlier.
import type { Scalar } from '../../values.ts';
import { compareCodePoints } from '../codec/code-points.ts';
import type { Column, KeywordOrder } from '../codec/unpack.ts';
import { ID_COLUMN, type IndexedField } from '../index/state.ts';
import type { Matches } from '../query/matches.ts';
import type { IndexReader } from '../read/reader.ts';
import { chooseBigInt, chooseNumber, type MultiValueMode } from './multi-value.ts';

/** One key of an order. */
export interface SortKey {
  /** A field of the records; `_score`; `_id`, shorter ones first, so that numbers are in their order; `_doc`. */
  field: string;
  order: 'asc' | 'desc';
  /** Where records without a value stand: `_last` in either order, `_first`, or, of numbers, as if they had this one. */
  missing?: Scalar;
  /** Which of several values counts; the least where the order ascends, else the greatest. */
  mode?: MultiValueMode;
}

/**
 * A record's value of a sort key: dates in milliseconds, whole numbers beyond 2^53 as text, null where it has none.
 */
export type SortValue = string | number | null;

/** The name of the score among sort keys. */
export const SCORE = '_score';
const ID = '_id';
const DOC = '_doc';

/** One key over the hits of a search. */
export interface RankedSortKey {
  /** For each hit a number; the lower comes first. */
  ranks: Float64Array;
  /** The value of a hit. */
  getValue: (at: number) => SortValue;
  /** The rank that a value has or would have. */
  toRank: (value: SortValue) => number;
}

const isFirst = ({ missing }: SortKey): boolean => missing === '_first';

function getMissingRank(key: SortKey): number {
  return isFirst(key) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** A key whose values are numbers; NaN is none. */
function rankNumbers(key: SortKey, numbers: Float64Array): RankedSortKey {
  const sign = key.order === 'asc' ? 1 : -1;
  const rank = (number: number): number => (Number.isNaN(number) ? getMissingRank(key) : sign * number);
  return {
    ranks: numbers.map(rank),
    getValue: (at) => {
      const number = numbers[at];
      return number === undefined || Number.isNaN(number) ? null : number;
    },
    toRank: (value) => rank(value === null || value === '' ? Number.NaN : Number(value)),
  };
}

/** A key whose values stand in a list, in order; −1 is none. Between two of them lies a half. */
function rankOrdered<Value>(
  key: SortKey,
  places: ArrayLike<number>,
  list: readonly Value[],
  text: (value: Value) => SortValue,
  isBelow: (value: Value, sought: SortValue) => boolean,
): RankedSortKey {
  const sign = key.order === 'asc' ? 1 : -1;
  return {
    ranks: Float64Array.from(places, (place) => (place < 0 ? getMissingRank(key) : sign * place)),
    getValue: (at) => {
      const value = list[places[at] ?? -1];
      return value === undefined ? null : text(value);
    },
    toRank: (sought) => {
      if (sought === null) return getMissingRank(key);
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const value = list[middle];
        if (value !== undefined && isBelow(value, sought)) low = middle + 1;
        else high = middle;
      }
      const found = list[low];
      return sign * (found !== undefined && text(found) === sought ? low : low - 0.5);
    },
  };
}

/** Ids of different lengths are in the order of these, so that numbers are in theirs. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodePoints(a, b);
}

/** Calls with every hit's part of a column: where it begins and ends there. */
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

const getMode = ({ mode, order }: SortKey): MultiValueMode => mode ?? (order === 'asc' ? 'min' : 'max');

/** @param whole - whether the field holds whole numbers */
function rankColumn(key: SortKey, docs: Int32Array, column: Column, whole: boolean): RankedSortKey {
  const mode = getMode(key);
  const { values } = column;
  if (values instanceof BigInt64Array) return rankBigInts(key, docs, column, values);
  const missing = key.missing === undefined || key.missing === '_last' ? Number.NaN : Number(key.missing);
  const numbers = new Float64Array(docs.length).fill(missing);
  forEachHit(docs, column, (at, from, to) => {
    numbers[at] =
      to - from === 1
        ? (values[from] ?? missing)
        : chooseNumber(Float64Array.from(values.subarray(from, to)), mode, whole);
  });
  return rankNumbers(key, numbers);
}

/** Whole numbers beyond what a number holds exactly. */
function rankBigInts(key: SortKey, docs: Int32Array, column: Column, values: BigInt64Array): RankedSortKey {
  const mode = getMode(key);
  const missing = toWholeNumber(String(key.missing ?? ''));
  const chosen = new Array<bigint | undefined>(docs.length).fill(
    typeof missing === 'bigint' ? missing : undefined,
  );
  forEachHit(docs, column, (at, from, to) => {
    chosen[at] = to - from === 1 ? values[from] : chooseBigInt(values.slice(from, to), mode);
  });
  const list = [...BigInt64Array.from(new Set(chosen.filter((value) => value !== undefined))).sort()];
  const places = new Map(list.map((value, place) => [value, place]));
  return rankOrdered(
    key,
    chosen.map((value) => (value === undefined ? -1 : (places.get(value) ?? -1))),
    list,
    (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
    (value, sought) => value < toWholeNumber(sought),
  );
}

const WHOLE_NUMBER = /^-?\d{1,19}$/;

/** A value of a cursor; not a number if it is none. */
function toWholeNumber(value: SortValue): number | bigint {
  return typeof value === 'string' && WHOLE_NUMBER.test(value) ? BigInt(value) : Number(value ?? Number.NaN);
}

function rankKeywords(
  key: SortKey,
  docs: Int32Array,
  { keywords, least, greatest }: KeywordOrder,
): RankedSortKey {
  const places = getMode(key) === 'max' ? greatest : least;
  return rankOrdered(
    key,
    docs.map((doc) => places[doc] ?? -1),
    keywords,
    (keyword) => keyword,
    (keyword, sought) => compareCodePoints(keyword, String(sought)) < 0,
  );
}

/** Ids that numbers hold exactly. */
const NUMERIC_ID = /^(?:0|[1-9]\d{0,14})$/;

/** @returns undefined where an id is no number; the order is then one of texts */
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
  const places = new Map(list.map((id, place) => [id, place]));
  return rankOrdered(
    key,
    docs.map((doc) => places.get(ids[doc] ?? '') ?? -1),
    list,
    (id) => id,
    (id, sought) => compareIds(id, String(sought)) < 0,
  );
}

function findSortField(reader: IndexReader, { field }: SortKey): IndexedField | undefined {
  const found = reader.state.fields.get(field);
  return found?.space === reader.state.records && found.type !== 'text' ? found : undefined;
}

const isKeyword = ({ type }: IndexedField): boolean => type === 'keyword' || type === 'boolean';

/** Asks for what an order needs. */
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

/** A key over the hits of a search; what {@link requestSortLists} asked for must have been read. */
export function rankHits(key: SortKey, reader: IndexReader, matches: Matches): RankedSortKey {
  const { docs } = matches;
  if (key.field === SCORE) return rankNumbers(key, toScores(matches));
  if (key.field === DOC) return rankNumbers(key, new Float64Array(docs));
  if (key.field === ID) return rankIds(key, docs, reader.recordIds.get(ID_COLUMN));
  const field = findSortField(reader, key);
  // A field of no records: all lack it.
  if (field === undefined) return rankNumbers(key, new Float64Array(docs.length).fill(Number.NaN));
  return isKeyword(field)
    ? rankKeywords(key, docs, reader.keywordOrders.get(field))
    : rankColumn(key, docs, reader.columns.get(field), field.type !== 'float' && field.type !== 'double');
}
