// Reports the batch bench: rows per second, and the cost of a row by lookup size.
import * as z from 'zod';
import type { Outcome, Report } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, median, summarize } from '../harness/numbers.ts';
import { CONNECTION_COUNT, type Figure, figureSchema } from '../load/measure.ts';

/** A variant, and the rows that one of its calls answers. */
export interface Batch {
  name: string;
  label: string;
  size: number;
}

/** Target: rows per second of the largest lookup relative to single calls. */
const MIN_SPEEDUP = 20;
/** Target: the cost of a row in the largest lookup relative to lookups of ten. */
const MAX_GROWTH = 1.25;
const SMALL_BATCH = 10;

interface Row extends Batch {
  figures: readonly Figure[];
}

const computeRowsPerS = ({ figures, size }: Row): number[] => figures.map(({ perS }) => perS * size);
const computeMicros = ({ figures, size }: Row): number[] => figures.map(({ p50 }) => (p50 * 1000) / size);
const computeProcessorMicros = ({ figures, size }: Row): number[] =>
  figures.map(({ processor: micros = Number.NaN }) => micros / size);

function formatVerdicts(rows: readonly Row[]): string[] {
  const [first, last, small] = [rows[0], rows.at(-1), rows.find(({ size }) => size === SMALL_BATCH)];
  if (first === undefined || last === undefined || small === undefined) return [];
  const speed = median(computeRowsPerS(last)) / median(computeRowsPerS(first));
  const growth = median(computeMicros(last)) / median(computeMicros(small));
  return [
    `${last.label}: target ≥ ${MIN_SPEEDUP} × the rows a second of single calls, found ${formatRatio(speed)}: ${speed >= MIN_SPEEDUP ? 'reached' : 'MISSED'}.`,
    `Time per row in the largest lookup, relative to lookups of ${SMALL_BATCH}: ${formatRatio(growth)}, target ≤ ${MAX_GROWTH}: ${growth <= MAX_GROWTH ? 'reached' : 'MISSED'}.`,
  ];
}

/** Builds the report. @param batches - single calls first, the largest lookup last */
export function buildReport(batches: readonly Batch[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = batches.flatMap((batch): Row[] => {
    const outcome = outcomes.get(batch.name);
    if (outcome?.state !== 'measured') return [];
    return [{ ...batch, figures: z.array(figureSchema).parse(outcome.rounds) }];
  });
  const base = rows.find(({ name }) => name === batches[0]?.name);
  const computeRatio = (row: Row, getValues: (row: Row) => number[]): number =>
    base === undefined ? Number.NaN : median(getValues(row)) / median(getValues(base));
  return {
    tables: [
      {
        columns: [
          'cached records, 2 KB',
          'rows a second',
          'processor µs a row',
          'one call ms',
          'µs a row',
          'answer KB',
          'processor ratio',
          'ratio',
        ],
        rows: rows.map((row) => [
          row.label,
          formatSpread(summarize(computeRowsPerS(row))),
          formatSpread(summarize(computeProcessorMicros(row))),
          formatNumber(median(row.figures.map(({ p50 }) => p50))),
          formatSpread(summarize(computeMicros(row))),
          formatNumber(median(row.figures.map(({ bytes }) => bytes / 1024))),
          formatRatio(1 / computeRatio(row, computeProcessorMicros)),
          formatRatio(computeRatio(row, computeRowsPerS)),
        ]),
      },
    ],
    notes: [
      `Rows a second through ${CONNECTION_COUNT} connections, with workerd's processor time for each row; the time of a call, and of each of its rows, through one. Ratios: rows a second, and rows in a microsecond of processor time, over those of single calls. Single calls answer whole records, lookups the fields of a table.`,
      ...formatVerdicts(rows),
    ],
    data: rows.map((row) => ({ ...row, rowsPerS: computeRowsPerS(row), microseconds: computeMicros(row) })),
  };
}
