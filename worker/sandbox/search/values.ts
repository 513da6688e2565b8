// Converts field values to their indexed form by the field's type, for indexing and for queries.
import type { NumberType, Property } from '../../../shared/index-fields/mapping.ts';
import { getDateFormat, parseDate, ValueError } from './dates.ts';
import type { Bound, TermValue } from './query.ts';

/** A single JSON value; a bigint if the JSON parser kept digits that a number would lose. */
export type Scalar = string | number | boolean | bigint;

/** Checks whether a JSON value is a text, number or boolean. */
export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

/** The properties whose values can be searched. */
export type ValueProperty = Exclude<Property, { type: 'binary' | 'object' | 'nested' }>;

/** One bound of a range in a query. */
export interface RangeEnd {
  value: Scalar;
  inclusive: boolean;
}

/** A range in a query; absent bounds are open. */
export interface RangeInput {
  lower?: RangeEnd | undefined;
  upper?: RangeEnd | undefined;
}

/** A range of indexed values; absent bounds are open. */
export interface Bounds {
  lower: Bound | undefined;
  upper: Bound | undefined;
}

export function toInclusiveBound(value: number | bigint | undefined): Bound | undefined {
  return value === undefined ? undefined : { value, inclusive: true };
}

const integerBits = { byte: 8, short: 16, integer: 32, long: 64 } as const;
/** Type names with their articles, for messages. */
const integerNames = { byte: 'a byte', short: 'a short', integer: 'an integer', long: 'a long' } as const;
type IntegerType = keyof typeof integerBits;

function isInteger(type: Property['type']): type is IntegerType {
  return Object.hasOwn(integerBits, type);
}

function isNumber(type: Property['type']): type is NumberType {
  return isInteger(type) || type === 'float' || type === 'double';
}

function getIntegerLimits(type: IntegerType): { min: bigint; max: bigint } {
  const half = 1n << BigInt(integerBits[type] - 1);
  return { min: -half, max: half - 1n };
}

const integerText = /^[+-]?\d+$/;
const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Number of decimal digits that a double holds exactly. */
const EXACT_DIGITS = 15;

/** @throws ValueError for an invalid number */
function parseNumber(value: Scalar): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  const text = String(value).trim();
  if (text === '') throw new ValueError('empty String');
  if (!decimalText.test(text)) throw new ValueError(`For input string: "${value}"`);
  return integerText.test(text) && text.length > EXACT_DIGITS ? BigInt(text.replace('+', '')) : Number(text);
}

/** Converts an integer to a number if that is exact, otherwise keeps the bigint. */
function toSafeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function toIntegerValue(type: IntegerType, value: number | bigint): number | bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  const { min, max } = getIntegerLimits(type);
  return whole < min || whole > max ? undefined : toSafeNumber(whole);
}

function toFloatValue(type: 'float' | 'double', value: Scalar): number {
  const number = Number(parseNumber(value));
  const stored = type === 'float' ? Math.fround(number) : number;
  if (!Number.isFinite(stored)) {
    throw new ValueError(`[${type}] supports only finite values, but got [${stored}]`);
  }
  return stored;
}

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['', false],
]);

function toBooleanValue(value: Scalar): boolean {
  const parsed = booleans.get(String(value));
  if (parsed === undefined) {
    throw new ValueError(`Can't parse boolean value [${value}], expected [true] or [false]`);
  }
  return parsed;
}

/**
 * Converts a value of a document to its indexed form. Text stays text; the caller analyses it. Integer fields truncate
 * decimals, as the engine does.
 * @returns undefined for a value that is not indexed (a keyword longer than `ignore_above`)
 * @throws ValueError for a value of the wrong type
 */
export function toIndexedValue(property: ValueProperty, value: Scalar): TermValue | undefined {
  const { type } = property;
  if (type === 'text') return String(value);
  if (type === 'keyword') {
    const text = String(value);
    const isTooLong = property.ignore_above !== undefined && text.length > property.ignore_above;
    return isTooLong ? undefined : text;
  }
  if (type === 'boolean') return toBooleanValue(value);
  if (type === 'date') return parseDate(getDateFormat(property.format), String(value));
  if (!isInteger(type)) return toFloatValue(type, value);
  const number = parseNumber(value);
  const whole = typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : number;
  const indexed = toIntegerValue(type, whole);
  if (indexed === undefined)
    throw new ValueError(`Value [${value}] is out of range for ${integerNames[type]}`);
  return indexed;
}

/**
 * Converts a value of a query to the indexed form. Dates need ranges, see `toDateBounds`.
 * @returns undefined if nothing can match: a decimal or out-of-range number for an integer field
 * @throws ValueError for a value of the wrong type
 */
export function toQueryValue(
  property: Exclude<ValueProperty, { type: 'date' }>,
  value: Scalar,
): TermValue | undefined {
  const { type } = property;
  if (type === 'boolean') return toBooleanValue(value);
  if (!isNumber(type)) return String(value);
  return isInteger(type) ? toIntegerValue(type, parseNumber(value)) : toFloatValue(type, value);
}

/** Rounds a bound to the nearest integer inside the range: `all` if it excludes none, `none` if it excludes all. */
function roundInwards(end: RangeEnd, side: 'lower' | 'upper'): bigint | 'all' | 'none' {
  const number = parseNumber(end.value);
  const inwards = side === 'lower' ? 1n : -1n;
  if (typeof number === 'number') {
    if (Number.isNaN(number)) return 'none';
    if (!Number.isFinite(number)) return number > 0 === (side === 'lower') ? 'none' : 'all';
    if (!Number.isInteger(number)) {
      return BigInt(side === 'lower' ? Math.ceil(number) : Math.floor(number));
    }
  }
  return end.inclusive ? BigInt(number) : BigInt(number) + inwards;
}

function toIntegerBounds(type: IntegerType, ends: RangeInput): Bounds | undefined {
  const { min, max } = getIntegerLimits(type);
  const lower = ends.lower === undefined ? 'all' : roundInwards(ends.lower, 'lower');
  const upper = ends.upper === undefined ? 'all' : roundInwards(ends.upper, 'upper');
  if (lower === 'none' || upper === 'none') return undefined;
  const from = lower === 'all' || lower < min ? min : lower;
  const to = upper === 'all' || upper > max ? max : upper;
  if (from > to) return undefined;
  return {
    lower: toInclusiveBound(from > min ? toSafeNumber(from) : undefined),
    upper: toInclusiveBound(to < max ? toSafeNumber(to) : undefined),
  };
}

/**
 * Converts a range on text, keywords or numbers to indexed values. Integer bounds are rounded inwards, clamped to the
 * type's limits and inclusive.
 * @returns undefined if nothing can match
 * @throws ValueError for a bound of the wrong type
 */
export function toQueryBounds(
  property: Exclude<ValueProperty, { type: 'date' | 'boolean' }>,
  ends: RangeInput,
): Bounds | undefined {
  const { type } = property;
  if (isInteger(type)) return toIntegerBounds(type, ends);
  const toBound = (end: RangeEnd | undefined): Bound | undefined =>
    end && { ...end, value: isNumber(type) ? toFloatValue(type, end.value) : String(end.value) };
  return { lower: toBound(ends.lower), upper: toBound(ends.upper) };
}

/** Returns the boolean values in a range, false before true. */
export function toQueryBooleans(ends: RangeInput): readonly boolean[] {
  const { lower, upper } = ends;
  const from = lower === undefined ? -1 : Number(toBooleanValue(lower.value)) - (lower.inclusive ? 1 : 0);
  const to = upper === undefined ? 2 : Number(toBooleanValue(upper.value)) + (upper.inclusive ? 1 : 0);
  return [false, true].filter((value) => Number(value) > from && Number(value) < to);
}
