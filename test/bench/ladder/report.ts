// Reports the ladder bench: each rung beside its baseline.
import * as z from 'zod';
import type { Outcome, Report } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, median, summarize } from '../harness/numbers.ts';
import { CONNECTION_COUNT, type Figure, figureSchema } from '../load/measure.ts';

/** A rung of the ladder. */
export interface Rung {
  name: string;
  label: string;
  /** The rung that it is compared with. */
  baseline: string;
}

/** Duration of each call of a binding in the row of a new isolate: much more than everything else takes. */
export const DISTANCE_MS = 50;

/**
 * Targets: responses per microsecond of processor time relative to the baseline, the time added to it, or sequential trips of
 * {@link DISTANCE_MS}.
 */
const targets = {
  'memory-hit': { ratio: 0.7 },
  'kv-hit': { ratio: 0.9 },
  'cold-hit': { trips: 2 },
  miss: { addsMs: 1 },
} as const;

function findTarget(name: string): { ratio?: number; addsMs?: number; trips?: number } {
  return Object.entries(targets).find(([rung]) => rung === name)?.[1] ?? {};
}

interface Row extends Rung {
  figures: readonly Figure[];
  baselineFigures: readonly Figure[];
}

/** Compares a rung with its baseline. */
function computeRatios({ figures, baselineFigures }: Row): {
  speed: number;
  processor: number;
  addsMs: number;
} {
  const medianOf = (all: readonly Figure[], of: (figure: Figure) => number): number =>
    all.length === 0 ? Number.NaN : median(all.map(of));
  const processor = ({ processor: micros = Number.NaN }: Figure): number => micros;
  return {
    speed: medianOf(figures, ({ perS }) => perS) / medianOf(baselineFigures, ({ perS }) => perS),
    processor: medianOf(baselineFigures, processor) / medianOf(figures, processor),
    addsMs: medianOf(figures, ({ p50 }) => p50) - medianOf(baselineFigures, ({ p50 }) => p50),
  };
}

function formatRow(row: Row, labels: ReadonlyMap<string, string>): string[] {
  const format = (pick: (figure: Figure) => number): string => formatSpread(summarize(row.figures.map(pick)));
  const { speed, processor, addsMs } = computeRatios(row);
  return [
    row.label,
    format(({ perS }) => perS),
    format(({ processor: micros = Number.NaN }) => micros),
    format(({ p50 }) => p50),
    format(({ p99 }) => p99),
    labels.get(row.baseline) ?? '–',
    row.baseline === row.name ? '–' : formatNumber(addsMs),
    formatRatio(processor),
    formatRatio(speed),
  ];
}

function formatTarget(row: Row): string[] {
  const { ratio, addsMs, trips } = findTarget(row.name);
  const ratios = computeRatios(row);
  if (ratio !== undefined) {
    const reached = ratios.processor >= ratio ? 'reached' : 'MISSED';
    return [
      `${row.label}: target ≥ ${ratio} × by processor time, found ${formatRatio(ratios.processor)}: ${reached}.`,
    ];
  }
  if (trips !== undefined) {
    const found = Math.floor(median(row.figures.map(({ p50 }) => p50)) / DISTANCE_MS);
    const reached = found <= trips ? 'reached' : 'MISSED';
    return [
      `${row.label}: target ${trips} sequential trips of ${DISTANCE_MS} ms, found ${found}: ${reached}. Its p50 includes the start of an app.`,
    ];
  }
  if (addsMs === undefined) return [];
  const reached = ratios.addsMs < addsMs ? 'reached' : 'MISSED';
  return [
    `${row.label}: target < ${addsMs} ms above the bare proxy, found ${formatNumber(ratios.addsMs)} ms: ${reached}.`,
  ];
}

/** Builds the report. @param rungs - in the order of the table */
export function buildReport(rungs: readonly Rung[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const all = new Map(
    rungs.map(({ name }) => {
      const outcome = outcomes.get(name);
      return [name, outcome?.state === 'measured' ? z.array(figureSchema).parse(outcome.rounds) : []];
    }),
  );
  const labels = new Map(rungs.map(({ name, label }) => [name, label]));
  const rows = rungs.flatMap((rung): Row[] => {
    const figures = all.get(rung.name) ?? [];
    return figures.length === 0 ? [] : [{ ...rung, figures, baselineFigures: all.get(rung.baseline) ?? [] }];
  });
  return {
    tables: [
      {
        columns: [
          'one workerd, 2 KB',
          'answers a second',
          'processor µs',
          'p50 ms',
          'p99 ms',
          'against',
          'adds ms',
          'processor ratio',
          'ratio',
        ],
        rows: rows.map((row) => formatRow(row, labels)),
      },
    ],
    notes: [
      `Answers a second through ${CONNECTION_COUNT} connections, with workerd's processor time per answer; p50 and p99 through one connection. Ratios: answers a second relative to the baseline, and answers per microsecond of processor time, which other programs disturb less.`,
      ...rows.flatMap(formatTarget),
    ],
    data: rows.map((row) => ({ ...row, ...computeRatios(row) })),
  };
}
