// Reports the arrival bench: the time to the first row, compared with a polling program.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { formatRatio, formatSpread, type Spread, summarize } from '../harness/numbers.ts';
import { type Arrival, roundSchema } from './figures.ts';

/** Columns of the stages in chronological order. */
const STAGES: readonly { name: keyof Arrival; heading: string }[] = [
  { name: 'stored', heading: 'rows stored, ms' },
  { name: 'polled', heading: 'polling program, ms' },
  { name: 'changesRequested', heading: 'sheet polls, ms' },
  { name: 'rowsRequested', heading: 'rows requested, ms' },
  { name: 'firstRow', heading: 'first row, ms' },
  { name: 'lastRow', heading: 'last row, ms' },
];

interface Row {
  label: string;
  /** Number of orders. */
  requests: number;
  stages: Record<keyof Arrival, Spread>;
  /** Time to the first row relative to the polling program. */
  ratio: number;
}

function createRow(label: string, arrivals: readonly Arrival[]): Row {
  const summarizeStage = (name: keyof Arrival): Spread => summarize(arrivals.map((arrival) => arrival[name]));
  const stages = {
    stored: summarizeStage('stored'),
    polled: summarizeStage('polled'),
    changesRequested: summarizeStage('changesRequested'),
    rowsRequested: summarizeStage('rowsRequested'),
    firstRow: summarizeStage('firstRow'),
    lastRow: summarizeStage('lastRow'),
  };
  return { label, requests: arrivals.length, stages, ratio: stages.firstRow.median / stages.polled.median };
}

/** Builds the report. */
export function buildReport(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = variants.flatMap(({ name, label }): Row[] => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    return [createRow(label, z.array(roundSchema).parse(outcome.rounds).flat())];
  });
  return {
    tables: [
      {
        columns: ['a bulk order of', ...STAGES.map(({ heading }) => heading), 'ratio'],
        rows: rows.map(({ label, stages, ratio }) => [
          label,
          ...STAGES.map(({ name }) => formatSpread(stages[name])),
          formatRatio(ratio),
        ]),
      },
    ],
    notes: [
      'Times since the provider’s webhook. The sidebar is open and shows the list of bulk orders.',
      `Medians of ${rows.map(({ label, requests }) => `${requests} orders of ${label}`).join(', ')}.`,
      'Ratio: the time to the first row relative to a program that polls the order once a second and reads its rows.',
    ],
    data: rows,
  };
}
