// The values of a sort key as Elasticsearch tells and takes them, and as the engine does.
import { dateFormat, parseDate } from '../../worker/provider/search/dates.ts';
import type { SortValue } from '../../worker/provider/search/engine/sort.ts';
import type { MappedField, Property } from '../../worker/provider/search/mapping.ts';
import type { SortKey } from '../../worker/provider/search/parse/index.ts';
import { ValueError } from '../../worker/provider/search/value-error.ts';
import { shortFloat } from '../../worker/provider/short-float.ts';
import { writeDate } from './date-text.ts';
import { illegalArgument } from './es-error.ts';

/** A value of a sort key in an answer. */
export type ToldValue = string | number | bigint | null;

/** What kind of value a sort key has. */
export type SortKind = 'score' | 'whole' | 'real' | 'date' | 'boolean' | 'keyword';

const GREATEST_LONG = 2n ** 63n - 1n;
const LEAST_LONG = -(2n ** 63n);

const kinds: Readonly<Partial<Record<Property['type'], SortKind>>> = {
  keyword: 'keyword',
  boolean: 'boolean',
  date: 'date',
  float: 'real',
  double: 'real',
};

/** The kind of a field's values; fields that can't be sorted by have none that would matter. */
export function sortKind({ property }: MappedField): SortKind {
  return kinds[property.type] ?? 'whole';
}

/** Where a record stands that has no value: before all others, as the numbers count, or behind them. */
function missingIsGreatest({ order, missing }: SortKey): boolean {
  return (missing === '_first') === (order === 'desc');
}

/** The value that stands for none. */
function missingValue(key: SortKey, kind: SortKind): ToldValue {
  if (kind === 'keyword') return null;
  const greatest = missingIsGreatest(key);
  if (kind === 'real' || kind === 'score') return greatest ? 'Infinity' : '-Infinity';
  return greatest ? GREATEST_LONG : LEAST_LONG;
}

/**
 * Tells a value of the engine in an answer.
 * @param format - that dates are told in; undefined: milliseconds
 */
export function toldValue(
  key: SortKey,
  kind: SortKind,
  format: string | undefined,
  value: SortValue,
): ToldValue {
  if (value === null) return format === undefined ? missingValue(key, kind) : null;
  if (kind === 'date' && format !== undefined) return writeDate(format, Number(value));
  if (kind === 'boolean') return value === 'T' ? 1 : 0;
  if (kind === 'score') return shortFloat(Number(value));
  return kind === 'whole' && typeof value === 'string' ? BigInt(value) : value;
}

const WHOLE = /^[+-]?\d{1,19}$/;

function wholeValue(value: unknown): SortValue | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  const text = String(value);
  if (!WHOLE.test(text)) return undefined;
  const whole = BigInt(text);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole);
}

function realValue(value: unknown): SortValue | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/** A score as it was told, as the float that it was. */
function scoreValue(value: unknown): SortValue | undefined {
  const number = realValue(value);
  return number === undefined ? undefined : Math.fround(Number(number));
}

function dateValue(value: unknown, format: string | undefined): SortValue | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  try {
    return parseDate(dateFormat(format), String(value));
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

function fieldFormat(field: MappedField | undefined): string | undefined {
  return field?.property.type === 'date' ? field.property.format : undefined;
}

function booleanValue(value: unknown): SortValue | undefined {
  if (['true', '1'].includes(String(value))) return 'T';
  return ['false', '0'].includes(String(value)) ? 'F' : undefined;
}

/**
 * Reads a value of `search_after`.
 * @param field - undefined for the score and for fields that are not mapped
 * @param format - of dates, in place of the field's own
 * @throws EsError for what is no value of that kind
 */
export function takenValue(
  key: SortKey,
  kind: SortKind,
  field: MappedField | undefined,
  value: unknown,
  format?: string,
): SortValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object')
    throw illegalArgument(`Can't handle [search_after] field value of type object`);
  const missing = missingValue(key, kind);
  if (missing !== null && String(missing) === String(value)) return null;
  const readers: Readonly<Record<SortKind, () => SortValue | undefined>> = {
    score: () => scoreValue(value),
    real: () => realValue(value),
    whole: () => wholeValue(value),
    date: () => dateValue(value, format ?? fieldFormat(field)),
    boolean: () => booleanValue(value),
    keyword: () => String(value),
  };
  const read = readers[kind]();
  if (read === undefined)
    throw illegalArgument(`Failed to parse search_after value for field [${key.field}].`);
  return read;
}
