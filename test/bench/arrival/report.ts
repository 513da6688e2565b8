// What the figures of the arrival bench say: the time to the first row in the open sheet over that of a bare poll.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { type Spread, spread, writtenRatio, writtenSpread } from '../harness/numbers.ts';
import { type Arrival, roundSchema } from './figures.ts';

/** The columns between the size and the ratio, in the order in which things happen. */
const STAGES: readonly { name: keyof Arrival; heading: string }[] = [
  { name: 'kept', heading: 'rows kept, ms' },
  { name: 'polled', heading: 'bare poll, ms' },
  { name: 'asked', heading: 'sheet asks, ms' },
  { name: 'fetched', heading: 'asks for rows, ms' },
  { name: 'first', heading: 'first row, ms' },
  { name: 'last', heading: 'last row, ms' },
];

interface Row {
  label: string;
  /** How many requests it is made of. */
  requests: number;
  stages: Record<keyof Arrival, Spread>;
  /** Time to the first row over that of the bare poll. */
  ratio: number;
}

function rowOf(label: string, arrivals: readonly Arrival[]): Row {
  const over = (name: keyof Arrival): Spread => spread(arrivals.map((arrival) => arrival[name]));
  const stages = {
    kept: over('kept'),
    polled: over('polled'),
    asked: over('asked'),
    fetched: over('fetched'),
    first: over('first'),
    last: over('last'),
  };
  return { label, requests: arrivals.length, stages, ratio: stages.first.median / stages.polled.median };
}

/** Tells what came out. */
export function report(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = variants.flatMap(({ name, label }): Row[] => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    return [rowOf(label, z.array(roundSchema).parse(outcome.rounds).flat())];
  });
  return {
    tables: [
      {
        columns: ['a bulk request of', ...STAGES.map(({ heading }) => heading), 'ratio'],
        rows: rows.map(({ label, stages, ratio }) => [
          label,
          ...STAGES.map(({ name }) => writtenSpread(stages[name])),
          writtenRatio(ratio),
        ]),
      },
    ],
    notes: [
      'Since the provider’s webhook came in. The sidebar is open, with the list of bulk requests in front.',
      `Medians of ${rows.map(({ label, requests }) => `${requests} requests of ${label}`).join(', ')}.`,
      'Ratio: the time to the first row over that of a program that asks once a second how the request stands, and reads its rows.',
    ],
    data: rows,
  };
}
