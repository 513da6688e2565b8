// Reports the cost of filling a column by one lookup and by a call per cell.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, median, summarize } from '../harness/numbers.ts';
import {
  CELL_COUNT,
  CONCURRENCY,
  DISTINCT_IDS,
  type Fill,
  type Fills,
  fillsSchema,
  LATENCY_MS,
} from './column.ts';

type Which = keyof Fills;

const labels: Readonly<Record<Which, string>> = { first: 'first time', again: 'again' };

function readFills(outcome: Outcome | undefined, which: Which): Fill[] {
  if (outcome?.state !== 'measured') return [];
  return z
    .array(fillsSchema)
    .parse(outcome.rounds)
    .map((round) => round[which]);
}

/** Builds the report. @param variants - ours first */
export function buildColumnReport(
  variants: readonly Variant[],
  outcomes: ReadonlyMap<string, Outcome>,
): Report {
  const rows = (['first', 'again'] as const).flatMap((which) => {
    const ours = readFills(outcomes.get(variants[0]?.name ?? ''), which);
    return variants.flatMap(({ name, label }) => {
      const figures = readFills(outcomes.get(name), which);
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
          formatNumber(calls),
          formatNumber(bought),
          formatNumber(credits),
          formatSpread(summarize(times)),
          formatRatio(ratio),
        ]),
      },
    ],
    notes: [
      `${CELL_COUNT.toLocaleString('en-US')} cells with ${DISTINCT_IDS} distinct ids; the provider takes ${LATENCY_MS} ms for an answer; cells that call for themselves run ${CONCURRENCY} at a time, as Google runs them. Ratio: how many times our time it takes.`,
      'Starting custom functions is in neither time: a sheet does it a thousand times for calls in cells, once for the lookup.',
    ],
    data: rows,
  };
}
