// Tests the report of the arrival bench.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../harness/bench.ts';
import type { Arrival } from './figures.ts';
import { buildReport } from './report.ts';

const module = new URL(import.meta.url);
const variants = ['small', 'large'].map((name) => ({ name, label: name, module }));

/** An order with these stages. */
function createArrival(...times: [number, number, number, number, number, number]): Arrival {
  const [stored, polled, changesRequested, rowsRequested, firstRow, lastRow] = times;
  return { stored, polled, changesRequested, rowsRequested, firstRow, lastRow };
}

const createOutcome = (...rounds: Arrival[][]): Outcome => ({
  state: 'measured',
  preparation: undefined,
  rounds,
});

describe('an arrival', () => {
  it('is reported with the medians of all orders and rounds, and the ratio to the polling program', () => {
    const small = createOutcome(
      [createArrival(100, 160, 150, 170, 200, 210), createArrival(120, 165, 300, 320, 360, 400)],
      [createArrival(110, 190, 200, 220, 330, 340)],
    );
    const { tables, notes } = buildReport(variants, new Map([['small', small]]));
    expect(tables[0]?.rows).toEqual([
      [
        'small',
        '110 (100–120)',
        '165 (160–190)',
        '200 (150–300)',
        '220 (170–320)',
        '330 (200–360)',
        '340 (210–400)',
        '2 ×',
      ],
    ]);
    expect(notes).toContain('Medians of 3 orders of small.');
  });

  it('has a row for each measured size', () => {
    const outcomes = new Map<string, Outcome>([
      ['small', { state: 'failed', reason: 'no browser' }],
      ['large', createOutcome([createArrival(1000, 1200, 1100, 1150, 1500, 1600)])],
    ]);
    const rows = buildReport(variants, outcomes).tables[0]?.rows;
    expect(rows).toEqual([['large', '1,000', '1,200', '1,100', '1,150', '1,500', '1,600', '1.25 ×']]);
  });
});
