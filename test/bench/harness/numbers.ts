// Sums up figures of several rounds, and writes them for people.

/** A figure over several rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/**
 * The value in the middle; of an even number of values, the mean of the two in the middle.
 * @throws RangeError where there is no value
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values, no median');
  return (lower + upper) / 2;
}

/** Median, least and greatest of values. @throws RangeError where there is no value */
export function summarize(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The geometric mean, which is what ratios are averaged by; NaN where there is no value. */
export function computeGeometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((addUp, value) => addUp + Math.log(value), 0) / values.length);
}

/** The sum of values. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Writes a number with three significant digits, large ones whole with commas; a dash for what is no number. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

/** Writes a figure as `median (min–max)`, without what is behind it where there is one value only. */
export function formatSpread({ median: middle, min, max }: Spread): string {
  return min === max
    ? formatNumber(middle)
    : `${formatNumber(middle)} (${formatNumber(min)}–${formatNumber(max)})`;
}

/** Writes a ratio with a sign that tells it from a time: `3.4 ×`. */
export function formatRatio(value: number): string {
  return Number.isFinite(value) ? `${formatNumber(value)} ×` : '–';
}
