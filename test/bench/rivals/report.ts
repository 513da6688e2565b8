// Reports the rivals bench: our cache hits beside those of other servers.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { formatRatio, formatSpread, median, summarize } from '../harness/numbers.ts';
import { CONNECTION_COUNT, type Figure, figureSchema } from '../load/measure.ts';

/** Targets: our responses per second relative to theirs. */
const targets: Readonly<Record<string, number>> = { portkey: 5 };

interface Row extends Variant {
  figures: readonly Figure[];
  /** Our responses per second relative to theirs, and the same by processor time. */
  ratio: number;
  processorRatio: number;
}

const medianOf = (figures: readonly Figure[], of: (figure: Figure) => number): number =>
  figures.length === 0 ? Number.NaN : median(figures.map(of));
const getSpeed = ({ perS }: Figure): number => perS;
const getProcessorMicros = ({ processor: micros = Number.NaN }: Figure): number => micros;

function readFigures(outcome: Outcome | undefined): Figure[] {
  return outcome?.state === 'measured' ? z.array(figureSchema).parse(outcome.rounds) : [];
}

function formatRow({ label, figures, processorRatio, ratio }: Row): string[] {
  const of = (pick: (figure: Figure) => number): string => formatSpread(summarize(figures.map(pick)));
  return [
    label,
    of(getSpeed),
    of(getProcessorMicros),
    of(({ p50 }) => p50),
    of(({ p99 }) => p99),
    formatRatio(processorRatio),
    formatRatio(ratio),
  ];
}

/** Builds the report. @param variants - ours first */
export function buildReport(variants: readonly Variant[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const ours = readFigures(outcomes.get(variants[0]?.name ?? ''));
  const rows = variants.flatMap((variant): Row[] => {
    const figures = readFigures(outcomes.get(variant.name));
    if (figures.length === 0) return [];
    const ratio = medianOf(ours, getSpeed) / medianOf(figures, getSpeed);
    const processorRatio = medianOf(figures, getProcessorMicros) / medianOf(ours, getProcessorMicros);
    return [{ ...variant, figures, ratio, processorRatio }];
  });
  return {
    tables: [
      {
        columns: [
          'a cached record, 2 KB',
          'answers a second',
          'processor µs',
          'p50 ms',
          'p99 ms',
          'processor ratio',
          'ratio',
        ],
        rows: rows.map(formatRow),
      },
    ],
    notes: [
      `Answers a second through ${CONNECTION_COUNT} connections, with the server's processor time per answer; p50 and p99 through one connection. Ratios: ours relative to theirs; above 1 ours is faster.`,
      'nginx serves its cache without authentication, rate limit, log or ledger: the upper bound.',
      'Portkey’s package has no cache: it calls the provider each time, which responds immediately.',
      ...rows.flatMap(({ name, label, ratio }) => {
        const target = targets[name];
        if (target === undefined) return [];
        const result = ratio >= target ? 'reached' : 'MISSED';
        return [`${label}: target ≥ ${target} ×, found ${formatRatio(ratio)}: ${result}.`];
      }),
    ],
    data: rows,
  };
}
