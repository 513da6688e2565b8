// What filling a column takes, by one lookup and by a call in each cell.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { median, spread, written, writtenRatio, writtenSpread } from '../harness/numbers.ts';
import { AT_ONCE, CELLS, DISTINCT, type Filled, LATENCY_MS, type Twice, twiceSchema } from './column.ts';

type Which = keyof Twice;

const labels: Readonly<Record<Which, string>> = { first: 'first time', again: 'again' };

function figuresOf(outcome: Outcome | undefined, which: Which): Filled[] {
  if (outcome?.state !== 'measured') return [];
  return z
    .array(twiceSchema)
    .parse(outcome.rounds)
    .map((round) => round[which]);
}

/** Tells what came out. @param variants - ours first */
export function columnReport(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = (['first', 'again'] as const).flatMap((which) => {
    const ours = figuresOf(outcomes.get(variants[0]?.name ?? ''), which);
    return variants.flatMap(({ name, label }) => {
      const figures = figuresOf(outcomes.get(name), which);
      if (figures.length === 0) return [];
      const [{ calls = 0, bought = 0, credits = 0 } = {}] = figures;
      const times = figures.map(({ ms }) => ms);
      const ratio = ours.length === 0 ? Number.NaN : median(times) / median(ours.map(({ ms }) => ms));
      return [{ label: `${label}, ${labels[which]}`, calls, bought, credits, times, ratio }];
    });
  });
  return {
    tables: [
      {
        columns: ['a column', 'calls of the sheet', 'calls of the provider', 'credits', 'ms', 'ratio'],
        rows: rows.map(({ label, calls, bought, credits, times, ratio }) => [
          label,
          written(calls),
          written(bought),
          written(credits),
          writtenSpread(spread(times)),
          writtenRatio(ratio),
        ]),
      },
    ],
    notes: [
      `${CELLS.toLocaleString('en-US')} cells with ${DISTINCT} distinct ids; the provider takes ${LATENCY_MS} ms for an answer; cells that call for themselves run ${AT_ONCE} at a time, as Google runs them. Ratio: how many times our time it takes.`,
      'Starting custom functions is in neither time: a sheet does it a thousand times for calls in cells, once for the lookup.',
    ],
    data: rows,
  };
}
