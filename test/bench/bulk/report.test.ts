// Tests the report of the bulk bench.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../harness/bench.ts';
import type { Figure } from './figures.ts';
import { buildReport } from './report.ts';

const MEGABYTE = 2 ** 20;
const module = new URL(import.meta.url);
const variants = [
  { name: 'a', label: 'gunzip', module },
  { name: 'b', label: 'ours', module },
];

function createRows(gunzip: Figure[], ours: Figure[]): readonly (readonly string[])[] {
  const outcome = (round: Figure[]): Outcome => ({
    state: 'measured',
    preparation: undefined,
    rounds: [round],
  });
  const outcomes = new Map([
    ['a', outcome(gunzip)],
    ['b', outcome(ours)],
  ]);
  return buildReport(variants, outcomes, [10, 100]).tables[0]?.rows ?? [];
}

describe('a file', () => {
  it('is reported with its pace relative to gunzip and its memory growth relative to the smallest file', () => {
    const small = { records: 10, bytes: MEGABYTE };
    const large = { records: 100, bytes: 10 * MEGABYTE };
    const rows = createRows(
      [
        { ...small, seconds: 1, processor: 1 },
        { ...large, seconds: 10, processor: 10 },
      ],
      [
        { ...small, seconds: 2, processor: 1, idle: 5 * MEGABYTE, peak: 9 * MEGABYTE },
        { ...large, seconds: 40, processor: 20, idle: 5 * MEGABYTE, peak: 11 * MEGABYTE },
      ],
    );
    expect(rows).toEqual([
      ['gunzip', '10', '1', '1', '1', '–', '–', '–', '1 ×', '1 ×'],
      ['gunzip', '100', '10', '10', '1', '–', '–', '–', '1 ×', '1 ×'],
      ['ours', '10', '1', '2', '0.5', '5', '4', '1 ×', '1 ×', '0.5 ×'],
      ['ours', '100', '10', '40', '0.25', '5', '6', '1.5 ×', '0.5 ×', '0.25 ×'],
    ]);
  });

  it('has dashes for figures that the system cannot measure', () => {
    const figure = { records: 10, bytes: MEGABYTE, seconds: 1 };
    const rows = createRows([figure, figure], [figure, figure]);
    expect(rows.map((row) => row.slice(5, 9))).toEqual(Array.from({ length: 4 }, () => ['–', '–', '–', '–']));
  });
});
