// Parses the sort of a search body.

import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Scalar } from '../values.ts';
import { QueryError } from './errors.ts';
import { createChoiceReader, isScalar, type OptionReader, Options, textReader } from './options.ts';

const orders = ['asc', 'desc'] as const;
const modes = ['min', 'max', 'sum', 'avg', 'median'] as const;

/** A sort key. The caller decides which fields can be sorted by. */
export interface SortKey {
  /** A field, or `_score`. */
  field: string;
  order: (typeof orders)[number];
  /** Position of documents without a value: `_last`, `_first`, or a substitute value. */
  missing?: Scalar;
  /** Which of several values counts. */
  mode?: (typeof modes)[number];
  /** The type to assume for an unmapped field, instead of an error. */
  unmappedType?: string;
}

/** The name of the score as a sort key. */
export const SCORE = '_score';

const MAX_SORT_KEYS = 32;

const orderReader = createChoiceReader(orders, (given) => `Unknown SortOrder [${given}]`);
const modeReader = createChoiceReader(modes, (given) => `Unknown SortMode [${given}]`);
const missingReader: OptionReader<Scalar> = (value) => {
  if (isScalar(value)) return value;
  throw new QueryError('[field_sort] failed to parse field [missing]');
};

const unsupportedKeys: ReadonlyMap<string, string> = new Map([
  ['_script', 'scripts cannot run here'],
  ['_geo_distance', 'there are no fields with places on a map'],
]);

/** Scores sort descending by default, fields ascending. */
function defaultOrder(field: string): SortKey['order'] {
  return field === SCORE ? 'desc' : 'asc';
}

function parseKey(field: string, value: unknown): SortKey {
  const reason = unsupportedKeys.get(field);
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
 * Parses a sort: a list of names and objects such as `"id"`, `{"followers": "desc"}` and
 * `{"founded": {"order": "desc", "missing": "_first"}}`, or a single one.
 * @returns the keys in order of priority; `_score` descends by default, all others ascend
 * @throws QueryError for an invalid sort
 */
export function parseSort(json: unknown): readonly SortKey[] {
  const entries = Array.isArray(json) ? json : [json];
  const keys = entries.flatMap(parseEntry);
  if (keys.length > MAX_SORT_KEYS) throw new QueryError(`sort by more than [${MAX_SORT_KEYS}] keys`);
  return keys;
}
