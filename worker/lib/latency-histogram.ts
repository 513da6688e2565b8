// Histograms of durations: counts by fixed ranges, which can be added up, and percentiles of them.
import * as z from 'zod';

/**
 * Longest duration of each range of a histogram, milliseconds; the last range has none. The columns of `usage_hours` and the
 * histograms that ledgers store have this order, so a change needs a migration of both.
 */
export const latencyBoundsMs = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000] as const;

/** Number of calls in each range of {@link latencyBoundsMs}, and of those that took longer. */
export type Histogram = readonly number[];

export const histogramSchema = z.array(z.int().min(0)).length(latencyBoundsMs.length + 1);

export const emptyHistogram: Histogram = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);

/** Returns the index of the range of a duration in milliseconds. */
export function findRange(latencyMs: number): number {
  const range = latencyBoundsMs.findIndex((bound) => latencyMs <= bound);
  return range === -1 ? latencyBoundsMs.length : range;
}

/**
 * Creates the histogram of calls that took equally long.
 * @param latencyMs - milliseconds
 */
export function createHistogram(calls: number, latencyMs: number): Histogram {
  return emptyHistogram.with(findRange(latencyMs), calls);
}

export function addHistograms(one: Histogram, other: Histogram): Histogram {
  return one.map((count, at) => count + (other[at] ?? 0));
}

/**
 * Estimates the duration that a share of the calls does not exceed. Assumes that durations are spread evenly over a range.
 * @param share - above 0, at most 1; 0.5 is the median
 * @returns milliseconds, or the highest bound if the duration is above it; null without calls
 */
export function estimatePercentile(histogram: Histogram, share: number): number | null {
  const rank = share * histogram.reduce((sum, count) => sum + count, 0);
  if (rank === 0) return null;
  let before = 0;
  let lower = 0;
  for (const [at, bound] of latencyBoundsMs.entries()) {
    const count = histogram[at] ?? 0;
    if (rank <= before + count) return lower + ((bound - lower) * (rank - before)) / count;
    before += count;
    lower = bound;
  }
  return lower;
}
