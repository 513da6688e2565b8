// Histograms of durations: sums lose no call, and percentiles lie in the range of the exact ones.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addHistograms,
  createHistogram,
  emptyHistogram,
  estimatePercentile,
  type Histogram,
  latencyBoundsMs,
} from '../../../worker/lib/latency-histogram.ts';

/** Longer than every bound. */
const LONGEST_MS = 60_000;

const durations = fc.array(
  fc.oneof(fc.nat({ max: LONGEST_MS }), fc.nat({ max: 40 }), fc.constantFrom(...latencyBoundsMs)),
  { minLength: 1, maxLength: 200 },
);
const share = fc.constantFrom(0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1);

const count = (list: readonly number[]): Histogram =>
  list.map((ms) => createHistogram(1, ms)).reduce(addHistograms, emptyHistogram);

/** Finds the range of a duration: its bounds, milliseconds. */
function findRange(ms: number): { lower: number; upper: number } {
  const lower = latencyBoundsMs.findLast((bound) => bound < ms) ?? 0;
  return { lower, upper: latencyBoundsMs.find((bound) => ms <= bound) ?? lower };
}

describe('a histogram', () => {
  it('has each call in one range, whatever the order and grouping of sums', () => {
    fc.assert(
      fc.property(durations, durations, (one, other) => {
        const sum = addHistograms(count(one), count(other));
        expect(sum).toEqual(count([...other, ...one]));
        expect(sum.reduce((calls, range) => calls + range, 0)).toBe(one.length + other.length);
        expect(sum).toHaveLength(latencyBoundsMs.length + 1);
      }),
    );
  });

  it('counts a duration that equals a bound below it, and the longest ones last', () => {
    for (const [at, bound] of latencyBoundsMs.entries()) {
      expect(createHistogram(3, bound)).toEqual(emptyHistogram.with(at, 3));
      expect(createHistogram(3, bound + 0.5)).toEqual(emptyHistogram.with(at + 1, 3));
    }
    expect(createHistogram(2, -5)).toEqual(emptyHistogram.with(0, 2));
  });
});

describe('estimatePercentile', () => {
  it('returns a duration in the range of the exact one, or the highest bound if that is above it', () => {
    fc.assert(
      fc.property(durations, share, (list, wanted) => {
        const sorted = list.toSorted((one, other) => one - other);
        const exact = sorted[Math.ceil(wanted * sorted.length) - 1] ?? 0;
        const { lower, upper } = findRange(exact);
        const estimate = estimatePercentile(count(list), wanted);
        expect(estimate).toBeGreaterThanOrEqual(lower);
        expect(estimate).toBeLessThanOrEqual(upper);
      }),
    );
  });

  it('never falls as the share grows, and is the same for any multiple of the calls', () => {
    fc.assert(
      fc.property(durations, share, share, (list, one, other) => {
        const histogram = count(list);
        const estimate = (wanted: number) => estimatePercentile(histogram, wanted) ?? Number.NaN;
        expect(estimate(Math.max(one, other))).toBeGreaterThanOrEqual(estimate(Math.min(one, other)));
        const doubled = addHistograms(histogram, histogram);
        expect(estimatePercentile(doubled, one)).toBeCloseTo(estimate(one), 6);
      }),
    );
  });

  it.each([
    ['the middle of a range', [[10, 200]], 0.5, 200],
    ['95% of a range', [[100, 200]], 0.95, 290],
    ['the first range', [[4, 0]], 0.5, 0.5],
    [
      'the end of a range',
      [
        [2, 5],
        [2, 2000],
      ],
      0.5,
      10,
    ],
    [
      'a range after empty ones',
      [
        [1, 0],
        [3, 2000],
      ],
      0.5,
      1000 + 2000 / 3,
    ],
    [
      'the highest bound',
      [
        [1, 5],
        [9, LONGEST_MS],
      ],
      0.5,
      30_000,
    ],
  ] as const)('interpolates: %s', (_, groups, wanted, expected) => {
    const histogram = groups
      .map(([calls, ms]) => createHistogram(calls, ms))
      .reduce(addHistograms, emptyHistogram);
    expect(estimatePercentile(histogram, wanted)).toBeCloseTo(expected, 9);
  });

  it('is null without calls', () => {
    expect(estimatePercentile(emptyHistogram, 0.5)).toBeNull();
  });
});
