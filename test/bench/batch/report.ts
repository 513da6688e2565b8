// What the figures of the batch bench say: rows a second, and whether a row costs the same in small and large lookups.
import * as z from 'zod';
import type { Outcome, Report } from '../harness/bench.ts';
import { median, spread, written, writtenRatio, writtenSpread } from '../harness/numbers.ts';
import { CONNECTIONS, type Figure, figureSchema } from '../load/drive.ts';

/** A way to ask, and how many rows one call answers. */
export interface Batch {
  name: string;
  label: string;
  size: number;
}

/** The largest lookup's rows a second over those of single calls. */
const AIM = 20;
/** A row of the largest lookup may cost so much more than one of ten, and still be called flat. */
const FLAT = 1.25;
const SMALL = 10;

interface Row extends Batch {
  figures: readonly Figure[];
}

const rowsPerS = ({ figures, size }: Row): number[] => figures.map(({ perS }) => perS * size);
const microseconds = ({ figures, size }: Row): number[] => figures.map(({ p50 }) => (p50 * 1000) / size);
const processor = ({ figures, size }: Row): number[] =>
  figures.map(({ processor: own = Number.NaN }) => own / size);

function verdicts(rows: readonly Row[]): string[] {
  const [first, last, small] = [rows[0], rows.at(-1), rows.find(({ size }) => size === SMALL)];
  if (first === undefined || last === undefined || small === undefined) return [];
  const speed = median(rowsPerS(last)) / median(rowsPerS(first));
  const growth = median(microseconds(last)) / median(microseconds(small));
  return [
    `${last.label}: aim ≥ ${AIM} × the rows a second of single calls, found ${writtenRatio(speed)}: ${speed >= AIM ? 'reached' : 'MISSED'}.`,
    `Time for a row in the largest lookup over one in lookups of ${SMALL}: ${writtenRatio(growth)}, aim ≤ ${FLAT}: ${growth <= FLAT ? 'reached' : 'MISSED'}.`,
  ];
}

/** Tells what came out. @param batches - single calls first, the largest lookup last */
export function report(batches: readonly Batch[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = batches.flatMap((batch): Row[] => {
    const outcome = outcomes.get(batch.name);
    if (outcome?.state !== 'measured') return [];
    return [{ ...batch, figures: z.array(figureSchema).parse(outcome.rounds) }];
  });
  const base = rows.find(({ name }) => name === batches[0]?.name);
  const over = (row: Row, of: (one: Row) => number[]): number =>
    base === undefined ? Number.NaN : median(of(row)) / median(of(base));
  return {
    tables: [
      {
        columns: [
          'remembered records, 2 KB',
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
          writtenSpread(spread(rowsPerS(row))),
          writtenSpread(spread(processor(row))),
          written(median(row.figures.map(({ p50 }) => p50))),
          writtenSpread(spread(microseconds(row))),
          written(median(row.figures.map(({ bytes }) => bytes / 1024))),
          writtenRatio(1 / over(row, processor)),
          writtenRatio(over(row, rowsPerS)),
        ]),
      },
    ],
    notes: [
      `Rows a second through ${CONNECTIONS} connections, with workerd's processor time for each row; the time of a call, and of each of its rows, through one. Ratios: rows a second, and rows in a microsecond of processor time, over those of single calls. Single calls answer whole records, lookups the fields of a table.`,
      ...verdicts(rows),
    ],
    data: rows.map((row) => ({ ...row, rowsPerS: rowsPerS(row), microseconds: microseconds(row) })),
  };
}
