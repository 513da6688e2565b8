// Tests the harness of the benches.
import { describe, expect, it } from 'vitest';
import {
  computeGeometricMean,
  formatNumber,
  formatRatio,
  formatSpread,
  median,
  summarize,
} from './harness/numbers.ts';
import { readOptions } from './harness/options.ts';
import { orderVariants } from './harness/plan.ts';
import { formatTable } from './harness/table.ts';
import { parseStat, sumUsage } from './harness/usage.ts';

describe('rounds', () => {
  it('alternate the order of the variants', () => {
    expect([0, 1, 2, 3].map((round) => orderVariants(round, ['A', 'B', 'C']).join(''))).toEqual([
      'ABC',
      'CBA',
      'ABC',
      'CBA',
    ]);
  });
});

describe('figures', () => {
  it('are summarized by their median', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 2, 4])).toBe(3);
    expect(summarize([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
    expect(() => median([])).toThrow(RangeError);
  });

  it('average ratios geometrically', () => {
    expect(computeGeometricMean([0.5, 2])).toBeCloseTo(1, 12);
  });

  it('are formatted with three digits, and as a dash if unknown', () => {
    expect([0.123456, 12.345, 1234.5, 0].map(formatNumber)).toEqual(['0.123', '12.3', '1,235', '0']);
    expect([formatNumber(Number.NaN), formatRatio(Number.NaN), formatRatio(2)]).toEqual(['–', '–', '2 ×']);
  });

  it('show minimum and maximum if there are several values', () => {
    expect(formatSpread(summarize([9, 1, 5]))).toBe('5 (1–9)');
    expect(formatSpread(summarize([5]))).toBe('5');
  });
});

describe('tables', () => {
  it('align words left and figures right', () => {
    expect(
      formatTable({
        columns: ['engine', 'ms'],
        rows: [
          ['ours', '1'],
          ['a longer name', '1,000'],
        ],
      }),
    ).toBe(
      ['engine            ms', '─────────────  ─────', 'ours               1', 'a longer name  1,000'].join(
        '\n',
      ),
    );
  });
});

describe('usage', () => {
  const line = (pid: number, parent: number, ticks: number, pages: number): string =>
    [`${pid} (a b)`, 'S', parent, ...Array(9).fill(0), ticks, ticks, ...Array(8).fill(0), pages].join(' ');
  const listed = [
    { ...parseStat(line(10, 1, 100, 1)), command: 'node' },
    { ...parseStat(line(20, 10, 100, 1)), command: 'node' },
    { ...parseStat(line(31, 20, 50, 4)), command: 'workerd' },
    { ...parseStat(line(30, 20, 100, 5)), command: 'workerd' },
    { ...parseStat(line(40, 1, 100, 6)), command: 'workerd' },
  ];

  it('adds up all descendants with the given command', () => {
    expect(sumUsage(listed, 10, 'workerd')).toEqual({ seconds: 3, bytes: 9 * 4096 });
    expect(sumUsage(listed, 31, 'workerd')).toBeUndefined();
  });
});

describe('the command line', () => {
  it('selects benches, sizes, rounds and variants', () => {
    const options = readOptions([
      'search',
      '--quick',
      '--rounds',
      '7',
      '--scale',
      '10,20',
      '--variants',
      'a,b',
    ]);
    expect(options).toMatchObject({
      benches: ['search'],
      settings: { quick: true, rounds: 7, scale: [10, 20] },
      variants: ['a', 'b'],
    });
  });

  it.each([['--rounds', '0'], ['--rounds', 'x'], ['--scale', '5,,6'], ['--nonsense']])(
    'refuses %s %s',
    (...args) => {
      expect(() => readOptions(args)).toThrow(/--/);
    },
  );
});
