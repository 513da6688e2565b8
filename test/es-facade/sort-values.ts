// The values of a sort key as Elasticsearch tells and takes them, and as the engine does.
import { getDateFormat, parseDate } from '../../worker/sandbox/search/dates.ts';
import type { SortValue } from '../../worker/sandbox/search/engine/sort/sort.ts';
import type { MappedField, Property } from '../../worker/sandbox/search/mapping.ts';
import type { SortKey } from '../../worker/sandbox/search/parse/index.ts';
import { toShortFloat } from '../../worker/sandbox/search/short-float.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { writeDate } from './date-text.ts';
import { illegalArgument } from './es-error.ts';

/** A value of a sort key in an answer. */
export type ToldValue = string | number | bigint | null;

/** What kind of value a sort key has. */
type SortKind = 'score' | 'whole' | 'real' | 'date' | 'boolean' | 'keyword';

/** A sort key with what its field is. */
export interface PlannedKey {
  key: SortKey;
  kind: SortKind;
  /** Undefined for the score and for fields that are not mapped. */
  field: MappedField | undefined;
  /** That its dates are told in; undefined: milliseconds. */
  format: string | undefined;
}

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

/** The value that stands for none: before all others, as the numbers count, or behind them. */
function missingValue({ key: { missing, order }, kind }: PlannedKey): ToldValue {
  if (kind === 'keyword') return null;
  const isGreatest = (missing === '_first') === (order === 'desc');
  if (kind === 'real' || kind === 'score') return isGreatest ? 'Infinity' : '-Infinity';
  return isGreatest ? GREATEST_LONG : LEAST_LONG;
}

/** Tells a value of the engine in an answer. */
export function toldValue(planned: PlannedKey, value: SortValue): ToldValue {
  const { kind, format } = planned;
  if (value === null) return format === undefined ? missingValue(planned) : null;
  if (kind === 'date' && format !== undefined) return writeDate(format, Number(value));
  if (kind === 'boolean') return value === 'T' ? 1 : 0;
  if (kind === 'score') return toShortFloat(Number(value));
  return kind === 'whole' && typeof value === 'string' ? BigInt(value) : value;
}

const WHOLE = /^[+-]?\d{1,19}$/;

/** NaN for what is no number. */
const toNumber = (value: unknown): number => (String(value).trim() === '' ? Number.NaN : Number(value));

/** @returns undefined for what is no whole number */
function toWhole(value: unknown): SortValue | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  if (!WHOLE.test(String(value))) return undefined;
  const whole = BigInt(String(value));
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole);
}

/** @returns undefined for what is no date */
function toInstant(value: unknown, { field, format }: PlannedKey): SortValue | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const own = field?.property.type === 'date' ? field.property.format : undefined;
  try {
    return parseDate(getDateFormat(format ?? own), String(value));
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

const booleans: Readonly<Record<string, string>> = { true: 'T', 1: 'T', false: 'F', 0: 'F' };

const readers: Readonly<Record<SortKind, (value: unknown, key: PlannedKey) => SortValue | undefined>> = {
  // As it was told, as the float that it was.
  score: (value) => Math.fround(toNumber(value)),
  real: toNumber,
  whole: toWhole,
  date: toInstant,
  boolean: (value) => booleans[String(value)],
  keyword: String,
};

/**
 * Reads a value of `search_after`, or of `missing`.
 * @throws EsError for what is no value of that kind
 */
export function takenValue(planned: PlannedKey, value: unknown): SortValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object')
    throw illegalArgument(`Can't handle [search_after] field value of type object`);
  const missing = missingValue(planned);
  if (missing !== null && String(missing) === String(value)) return null;
  const read = readers[planned.kind](value, planned);
  if (read === undefined || Number.isNaN(read))
    throw illegalArgument(`Failed to parse search_after value for field [${planned.key.field}].`);
  return read;
}
