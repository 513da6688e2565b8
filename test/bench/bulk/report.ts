// Reports the bulk bench: pace compared with gunzip, memory compared with an idle workerd.
import * as z from 'zod';
import type { Outcome, Report, Variant } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, type Spread, summarize } from '../harness/numbers.ts';
import { type Figure, roundSchema } from './figures.ts';

const MEGABYTE = 2 ** 20;

interface Row {
  label: string;
  records: number;
  megabytes: number;
  seconds: Spread;
  /** Unpacked megabytes per second. */
  pace: Spread;
  /** Unpacked megabytes per second of processor time. */
  work: Spread | undefined;
  /** Megabytes of workerd; undefined for other variants. */
  idle: Spread | undefined;
  growth: Spread | undefined;
}

function summarizeKnown(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : summarize(known);
}

function createRow(label: string, figures: readonly Figure[]): Row {
  const growth = ({ idle, peak }: Figure): number | undefined =>
    idle === undefined || peak === undefined ? undefined : (peak - idle) / MEGABYTE;
  const [first] = figures;
  return {
    label,
    records: first?.records ?? 0,
    megabytes: (first?.bytes ?? 0) / MEGABYTE,
    seconds: summarize(figures.map(({ seconds }) => seconds)),
    pace: summarize(figures.map(({ bytes, seconds }) => bytes / MEGABYTE / seconds)),
    work: summarizeKnown(figures.map(({ bytes, processor }) => processor && bytes / MEGABYTE / processor)),
    idle: summarizeKnown(figures.map(({ idle }) => idle && idle / MEGABYTE)),
    growth: summarizeKnown(figures.map(growth)),
  };
}

/** @param baseline - the variant whose pace the others are compared with */
function formatRow(row: Row, baseline: Row | undefined, smallest: Row | undefined): string[] {
  const { label, records, megabytes, seconds, pace, work, idle, growth } = row;
  const formatRelative = (value: Spread | undefined, reference: Spread | undefined): string =>
    formatRatio((value?.median ?? Number.NaN) / (reference?.median ?? Number.NaN));
  return [
    label,
    formatNumber(records),
    formatNumber(megabytes),
    formatSpread(seconds),
    formatSpread(pace),
    idle === undefined ? '–' : formatSpread(idle),
    growth === undefined ? '–' : formatSpread(growth),
    formatRelative(growth, smallest?.growth),
    formatRelative(work, baseline?.work),
    formatRelative(pace, baseline?.pace),
  ];
}

/** Builds the report. The first variant is the baseline. */
export function buildReport(
  variants: readonly Variant[],
  outcomes: ReadonlyMap<string, Outcome>,
  counts: readonly number[],
): Report {
  const rows = variants.flatMap(({ name, label }) => {
    const outcome = outcomes.get(name);
    if (outcome?.state !== 'measured') return [];
    const rounds = z.array(roundSchema).parse(outcome.rounds);
    return counts.map((_, at) => ({
      name,
      ...createRow(
        label,
        rounds.flatMap((round) => round[at] ?? []),
      ),
    }));
  });
  const [baseline] = variants;
  return {
    tables: [
      {
        columns: [
          'what',
          'records',
          'MB',
          'seconds',
          'MB a second',
          'idle MB',
          'growth MB',
          'growth ratio',
          'processor ratio',
          'pace ratio',
        ],
        rows: rows.map((row) =>
          formatRow(
            row,
            rows.find(({ name, records }) => name === baseline?.name && records === row.records),
            rows.find(({ name }) => name === row.name),
          ),
        ),
      },
    ],
    notes: [
      'MB are of unpacked lines. Pace ratio: MB a second over those of gunzip on the same file; processor ratio: MB for a second of processor time, likewise.',
      'Growth: the most memory that workerd had on the way, over idle. Its ratio is over that of the smallest file; 1 is flat.',
    ],
    data: rows,
  };
}
