// Summarizes and formats figures of several rounds.

/** A figure over several rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Returns the median. @throws RangeError if there are no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values, no median');
  return (lower + upper) / 2;
}

/** Returns median, minimum and maximum. @throws RangeError if there are no values */
export function summarize(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Formats a number with three significant digits, large numbers as integers with commas, NaN as a dash. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

/** Formats a figure as `median (min–max)`, or as a single value if all are equal. */
export function formatSpread({ median: middle, min, max }: Spread): string {
  return min === max
    ? formatNumber(middle)
    : `${formatNumber(middle)} (${formatNumber(min)}–${formatNumber(max)})`;
}

/** Formats a ratio: `3.4 ×`. */
export function formatRatio(value: number): string {
  return Number.isFinite(value) ? `${formatNumber(value)} ×` : '–';
}
