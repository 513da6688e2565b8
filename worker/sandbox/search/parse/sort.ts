// The order that the body of a search asks for.

import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Scalar } from '../values.ts';
import { QueryError } from './errors.ts';
import { createChoiceReader, isScalar, type OptionReader, Options, textReader } from './options.ts';

const orders = ['asc', 'desc'] as const;
const modes = ['min', 'max', 'sum', 'avg', 'median'] as const;

/** One key of an order. Which fields can be sorted by is the caller's to say. */
export interface SortKey {
  /** A field, or `_score`. */
  field: string;
  order: (typeof orders)[number];
  /** Where documents without a value stand: `_last`, `_first`, or as if they had that value. */
  missing?: Scalar;
  /** Which of several values counts. */
  mode?: (typeof modes)[number];
  /** What a field that is not mapped is taken for, in place of an error. */
  unmappedType?: string;
}

/** The name of the score among sort keys. */
export const SCORE = '_score';

/** The most keys that an order is made of. */
const MAX_SORT_KEYS = 32;

const orderReader = createChoiceReader(orders, (given) => `Unknown SortOrder [${given}]`);
const modeReader = createChoiceReader(modes, (given) => `Unknown SortMode [${given}]`);
const missingReader: OptionReader<Scalar> = (value) => {
  if (isScalar(value)) return value;
  throw new QueryError('[field_sort] failed to parse field [missing]');
};

const refused: ReadonlyMap<string, string> = new Map([
  ['_script', 'scripts cannot run here'],
  ['_geo_distance', 'there are no fields with places on a map'],
]);

/** The best first, and every other value from the least on. */
function defaultOrder(field: string): SortKey['order'] {
  return field === SCORE ? 'desc' : 'asc';
}

function parseKey(field: string, value: unknown): SortKey {
  const reason = refused.get(field);
  if (reason !== undefined) throw new QueryError(`sort by [${field}] is not supported: ${reason}`);
  if (!isObject(value)) {
    const order = value === null ? undefined : orderReader(value, { clause: 'field_sort', option: 'order' });
    return { field, order: order ?? defaultOrder(field) };
  }
  const options = new Options('field_sort', value);
  const key: SortKey = { field, order: options.read('order', orderReader) ?? defaultOrder(field) };
  const missing = options.read('missing', missingReader);
  const mode = options.read('mode', modeReader);
  const unmappedType = options.read('unmapped_type', textReader);
  options.ignore('format', 'numeric_type');
  options.finish('unknown field');
  if (missing !== undefined) key.missing = missing;
  if (mode !== undefined) key.mode = mode;
  if (unmappedType !== undefined) key.unmappedType = unmappedType;
  return key;
}

function parseEntry(entry: unknown): SortKey[] {
  if (typeof entry === 'string') return [parseKey(entry, null)];
  if (isObject(entry)) return Object.entries(entry).map(([field, value]) => parseKey(field, value));
  throw new QueryError(
    'malformed sort format, within the sort array, an object, or an actual string are allowed',
  );
}

/**
 * Reads an order: a list of names and objects such as `"id"`, `{"followers": "desc"}` and
 * `{"founded": {"order": "desc", "missing": "_first"}}`. A single one stands for a list of it.
 * @returns the keys, the first one first; `_score` descends and all others ascend unless told otherwise
 * @throws QueryError for what is no order
 */
export function parseSort(json: unknown): readonly SortKey[] {
  const entries = Array.isArray(json) ? json : [json];
  const keys = entries.flatMap(parseEntry);
  if (keys.length > MAX_SORT_KEYS) throw new QueryError(`sort by more than [${MAX_SORT_KEYS}] keys`);
  return keys;
}
