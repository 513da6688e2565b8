// A field's values in the form in which they are indexed, by the field's type: for the indexer and for queries alike.
import { lowerCase } from './analysis/standard.ts';
import { dateFormat, parseDate } from './dates.ts';
import type { NumberType, Property } from './mapping.ts';
import type { Bound, TermValue } from './query.ts';
import { ValueError } from './value-error.ts';

/** A single value as JSON has it; a bigint where the reader of the JSON kept digits that a number would lose. */
export type Scalar = string | number | boolean | bigint;

/** The properties that hold values which can be searched. */
export type ValueProperty = Exclude<Property, { type: 'binary' | 'object' | 'nested' }>;

/** Brings a text into the form of a field's terms, where these are keywords in lower case. */
export function normaliseKeyword(property: Property, text: string): string {
  return property.type === 'keyword' && property.lowercase === true ? lowerCase(text) : text;
}

/** One end of a range as it is asked for. */
export interface RangeEnd {
  value: Scalar;
  inclusive: boolean;
}

/** A range as it is asked for; an end that is absent is open. */
export interface RangeInput {
  lower?: RangeEnd;
  upper?: RangeEnd;
}

/** A range in the form in which values are indexed; an end that is absent is open. */
export interface Bounds {
  lower?: Bound;
  upper?: Bound;
}

const integerBits = { byte: 8, short: 16, integer: 32, long: 64 } as const;
/** The types as a sentence names them. */
const integerNames = { byte: 'a byte', short: 'a short', integer: 'an integer', long: 'a long' } as const;
type IntegerType = keyof typeof integerBits;

function isInteger(type: Property['type']): type is IntegerType {
  return Object.hasOwn(integerBits, type);
}

function isNumber(type: Property['type']): type is NumberType {
  return isInteger(type) || type === 'float' || type === 'double';
}

function integerLimits(type: IntegerType): { min: bigint; max: bigint } {
  const half = 1n << BigInt(integerBits[type] - 1);
  return { min: -half, max: half - 1n };
}

const integerText = /^[+-]?\d+$/;
const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** So many digits a double holds exactly. */
const EXACT_DIGITS = 15;

/** @throws ValueError for what is no number */
function numeric(value: Scalar): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  const text = String(value).trim();
  if (text === '') throw new ValueError('empty String');
  if (!decimalText.test(text)) throw new ValueError(`For input string: "${value}"`);
  return integerText.test(text) && text.length > EXACT_DIGITS ? BigInt(text.replace('+', '')) : Number(text);
}

/** Whole numbers are numbers as long as a double holds them exactly, and bigints beyond. */
function wholeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function wholeValue(type: IntegerType, value: number | bigint): number | bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  const { min, max } = integerLimits(type);
  return whole < min || whole > max ? undefined : wholeNumber(whole);
}

function floatValue(type: 'float' | 'double', value: Scalar): number {
  const number = Number(numeric(value));
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

function booleanValue(value: Scalar): boolean {
  const found = booleans.get(String(value));
  if (found === undefined) {
    throw new ValueError(`Can't parse boolean value [${value}], expected [true] or [false]`);
  }
  return found;
}

/**
 * The form in which a value of a document is indexed. Text comes back as text: to be analysed by the caller.
 * Whole-number fields cut decimals off, as the engine does when it indexes.
 * @returns undefined for what is stored but not indexed (a keyword longer than `ignore_above`)
 * @throws ValueError for what does not fit the type
 */
export function toIndexedValue(property: ValueProperty, value: Scalar): TermValue | undefined {
  const { type } = property;
  if (type === 'text') return String(value);
  if (type === 'keyword') {
    const text = String(value);
    const isTooLong = property.ignore_above !== undefined && text.length > property.ignore_above;
    return isTooLong ? undefined : normaliseKeyword(property, text);
  }
  if (type === 'boolean') return booleanValue(value);
  if (type === 'date') return parseDate(dateFormat(property.format), String(value));
  if (!isInteger(type)) return floatValue(type, value);
  const number = numeric(value);
  const whole = typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : number;
  const indexed = wholeValue(type, whole);
  if (indexed === undefined)
    throw new ValueError(`Value [${value}] is out of range for ${integerNames[type]}`);
  return indexed;
}

/**
 * What a query for one value looks for. Dates have no such value: they are ranges, see `dateBounds`.
 * @returns undefined where nothing can match: a whole-number field asked for a decimal or for a number out of its range
 * @throws ValueError for what is no value of that type
 */
export function toQueryValue(
  property: Exclude<ValueProperty, { type: 'date' }>,
  value: Scalar,
): TermValue | undefined {
  const { type } = property;
  if (type === 'boolean') return booleanValue(value);
  if (!isNumber(type)) return normaliseKeyword(property, String(value));
  return isInteger(type) ? wholeValue(type, numeric(value)) : floatValue(type, value);
}

/** The least whole number (the greatest, for an upper end) that an end lets in; undefined where it lets in none. */
function roundInwards(end: RangeEnd, side: 'lower' | 'upper'): bigint | 'all' | 'none' {
  const number = numeric(end.value);
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

function wholeBounds(type: IntegerType, ends: RangeInput): Bounds | undefined {
  const { min, max } = integerLimits(type);
  const lower = ends.lower === undefined ? 'all' : roundInwards(ends.lower, 'lower');
  const upper = ends.upper === undefined ? 'all' : roundInwards(ends.upper, 'upper');
  if (lower === 'none' || upper === 'none') return undefined;
  const from = lower === 'all' || lower < min ? min : lower;
  const to = upper === 'all' || upper > max ? max : upper;
  if (from > to) return undefined;
  const bounds: Bounds = {};
  if (from > min) bounds.lower = { value: wholeNumber(from), inclusive: true };
  if (to < max) bounds.upper = { value: wholeNumber(to), inclusive: true };
  return bounds;
}

/**
 * The range of indexed values that a query asks for, on text, keywords and numbers. The ends of whole numbers are
 * rounded inwards and clamped to what the type holds, so they are inclusive.
 * @returns undefined where nothing can match
 * @throws ValueError for an end that is no value of that type
 */
export function toQueryBounds(
  property: Exclude<ValueProperty, { type: 'date' | 'boolean' }>,
  ends: RangeInput,
): Bounds | undefined {
  const { type } = property;
  if (isInteger(type)) return wholeBounds(type, ends);
  const indexed = (value: Scalar) =>
    isNumber(type) ? floatValue(type, value) : normaliseKeyword(property, String(value));
  const bounds: Bounds = {};
  if (ends.lower !== undefined) bounds.lower = { ...ends.lower, value: indexed(ends.lower.value) };
  if (ends.upper !== undefined) bounds.upper = { ...ends.upper, value: indexed(ends.upper.value) };
  return bounds;
}

/** The values of a boolean field, false before true, that a range lets in. */
export function toQueryBooleans(ends: RangeInput): readonly boolean[] {
  const { lower, upper } = ends;
  const from = lower === undefined ? -1 : Number(booleanValue(lower.value)) - (lower.inclusive ? 1 : 0);
  const to = upper === undefined ? 2 : Number(booleanValue(upper.value)) + (upper.inclusive ? 1 : 0);
  return [false, true].filter((value) => Number(value) > from && Number(value) < to);
}
