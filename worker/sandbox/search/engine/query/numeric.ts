// Numbers and dates: the documents with a value, or with one in a range.
import type { Bound, TermValue } from '../../query.ts';
import type { Column } from '../codec/unpack.ts';

/** The documents with a value that fits, each once. */
function filterColumn({ docs, values }: Column, fits: (value: number | bigint) => boolean): Int32Array {
  const found = new Int32Array(docs.length);
  let count = 0;
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    if ((count > 0 && found[count - 1] === doc) || !fits(values[at] ?? 0)) continue;
    found[count] = doc;
    count += 1;
  }
  return found.slice(0, count);
}

/** The documents that have any of some values. */
export function findValues(column: Column, values: readonly TermValue[]): Int32Array {
  if (column.values instanceof Float64Array) {
    const numbers = new Set(values);
    return filterColumn(column, (value) => numbers.has(value));
  }
  // Small whole numbers are numbers in a query, and among large ones bigints in a column.
  const texts = new Set(values.map(String));
  return filterColumn(column, (value) => texts.has(String(value)));
}

function toNumber(bound: Bound | undefined, open: number): number | bigint {
  if (bound === undefined) return open;
  return typeof bound.value === 'string' ? Number(bound.value) : bound.value;
}

/** The documents that have a value in a range; an end that is absent is open. */
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
