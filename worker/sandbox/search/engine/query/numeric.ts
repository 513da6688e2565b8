// Finds documents by numbers and dates: by value or range.
import type { Bound, TermValue } from '../../query.ts';
import type { Column } from '../codec/unpack.ts';

/** Finds the documents with a matching value, each once. */
function filterColumn({ docs, values }: Column, matches: (value: number | bigint) => boolean): Int32Array {
  const matching = new Int32Array(docs.length);
  let count = 0;
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    if ((count > 0 && matching[count - 1] === doc) || !matches(values[at] ?? 0)) continue;
    matching[count] = doc;
    count += 1;
  }
  return matching.slice(0, count);
}

/** Finds the documents with any of the values. */
export function findValues(column: Column, values: readonly TermValue[]): Int32Array {
  if (column.values instanceof Float64Array) {
    const numbers = new Set(values);
    return filterColumn(column, (value) => numbers.has(value));
  }
  // Small integers are numbers in a query, but bigints in a column that contains large ones.
  const texts = new Set(values.map(String));
  return filterColumn(column, (value) => texts.has(String(value)));
}

function toNumber(bound: Bound | undefined, open: number): number | bigint {
  if (bound === undefined) return open;
  return typeof bound.value === 'string' ? Number(bound.value) : bound.value;
}

/** Finds the documents with a value in a range; absent bounds are open. */
export function findRange(column: Column, lower: Bound | undefined, upper: Bound | undefined): Int32Array {
  const from = toNumber(lower, Number.NEGATIVE_INFINITY);
  const to = toNumber(upper, Number.POSITIVE_INFINITY);
  const fromIncluded = lower?.inclusive ?? true;
  const toIncluded = upper?.inclusive ?? true;
  return filterColumn(
    column,
    (value) => (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to),
  );
}
