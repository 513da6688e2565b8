// Which of several values of a record counts in an order, as Elasticsearch has it.

/** The least, the greatest, or what all come to. */
export type MultiValueMode = 'min' | 'max' | 'sum' | 'avg' | 'median';

/** What two values in the middle come to. */
const average = (lower: number, upper: number): number => (lower + upper) / 2;

/**
 * One value of several.
 * @param values - one at least; they are put in order, in which they are added up as well
 * @param whole - whether the field holds whole numbers: what they come to is one too
 */
export function chooseNumber(values: Float64Array, mode: MultiValueMode, whole: boolean): number {
  values.sort();
  const rounded = (value: number): number => (whole ? Math.round(value) : value);
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
      return rounded(sum() / values.length);
    case 'median':
      return values.length % 2 === 1 ? upper : rounded(average(values[middle - 1] ?? upper, upper));
  }
}

const toInt64 = (value: bigint): bigint => BigInt.asIntN(64, value);

/** One of several whole numbers that need all 64 bits; their sum wraps around as it does there. */
export function chooseBigInt(values: BigInt64Array, mode: MultiValueMode): bigint {
  values.sort();
  const sum = (): bigint => toInt64(values.reduce((total, value) => total + value, 0n));
  const rounded = (value: number): bigint => toInt64(BigInt(Math.round(value)));
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
      return rounded(Number(sum()) / values.length);
    case 'median':
      return values.length % 2 === 1
        ? upper
        : rounded(average(Number(values[middle - 1] ?? upper), Number(upper)));
  }
}
