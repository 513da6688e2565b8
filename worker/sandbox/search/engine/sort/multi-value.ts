// Chooses the sort value of a record with several values, as Elasticsearch does.

/** How to combine several values. */
export type MultiValueMode = 'min' | 'max' | 'sum' | 'avg' | 'median';

const average = (lower: number, upper: number): number => (lower + upper) / 2;

/**
 * Combines several numbers.
 * @param values - at least one; sorted in place before summing
 * @param isInteger - whether the field holds integers; the result is then rounded
 */
export function combineNumbers(values: Float64Array, mode: MultiValueMode, isInteger: boolean): number {
  values.sort();
  const round = (value: number): number => (isInteger ? Math.round(value) : value);
  const sum = (): number => values.reduce((total, value) => total + value, 0);
  const middle = values.length >> 1;
  const upper = values[middle] ?? Number.NaN;
  switch (mode) {
    case 'min':
      return values[0] ?? Number.NaN;
    case 'max':
      return values.at(-1) ?? Number.NaN;
    case 'sum':
      return sum();
    case 'avg':
      return round(sum() / values.length);
    case 'median':
      return values.length % 2 === 1 ? upper : round(average(values[middle - 1] ?? upper, upper));
  }
}

const toInt64 = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Combines several 64-bit integers; the sum overflows as in Elasticsearch. */
export function combineBigInts(values: BigInt64Array, mode: MultiValueMode): bigint {
  values.sort();
  const sum = (): bigint => toInt64(values.reduce((total, value) => total + value, 0n));
  const round = (value: number): bigint => toInt64(BigInt(Math.round(value)));
  const middle = values.length >> 1;
  const upper = values[middle] ?? 0n;
  switch (mode) {
    case 'min':
      return values[0] ?? 0n;
    case 'max':
      return values.at(-1) ?? 0n;
    case 'sum':
      return sum();
    case 'avg':
      return round(Number(sum()) / values.length);
    case 'median':
      return values.length % 2 === 1
        ? upper
        : round(average(Number(values[middle - 1] ?? upper), Number(upper)));
  }
}
