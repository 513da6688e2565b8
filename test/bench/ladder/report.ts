// Reports the ladder bench: each rung beside its baseline.
import * as z from 'zod';
import type { Outcome, Report } from '../harness/bench.ts';
import { formatNumber, formatRatio, formatSpread, median, summarize } from '../harness/numbers.ts';
import { CONNECTION_COUNT, type Figure, figureSchema } from '../load/measure.ts';

/** What a rung should reach. */
interface Target {
  /** Records in a microsecond of processor time, relative to the baseline. */
  processor?: number;
  /** Records per second, relative to the baseline. */
  speed?: number;
  speedAtMost?: number;
  /** The same, relative to the rung `floor`. */
  floor?: number;
  /** Sequential trips of {@link DISTANCE_MS}. */
  trips?: number;
}

/** A rung of the ladder. */
export interface Rung {
  name: string;
  label: string;
  /** The rung that it is compared with. Default: none */
  baseline?: string;
  /** Records of a response. Default: 1 */
  size?: number;
  target?: Target;
}

/** Duration of each call of a binding in the row of a new isolate: much more than everything else takes. */
export const DISTANCE_MS = 50;

/** The variant that counts what a miss uses. */
export const MISS_COUNTS = 'miss-counts';
export const countsSchema = z.record(z.string(), z.number());
/** Amounts of one miss. */
export type Counts = z.infer<typeof countsSchema>;

interface Row extends Rung {
  /** Records per second, microseconds of processor time for each, and milliseconds of a response, by round. */
  perS: number[];
  micros: number[];
  p50: number[];
  p99: number[];
}

function createRow(rung: Rung, figures: readonly Figure[]): Row {
  const { size = 1 } = rung;
  return {
    ...rung,
    perS: figures.map(({ perS }) => perS * size),
    micros: figures.map(({ processor = Number.NaN }) => processor / size),
    p50: figures.map(({ p50 }) => p50),
    p99: figures.map(({ p99 }) => p99),
  };
}

/** Compares a rung with its baseline and with the floor. */
function compare(
  row: Row,
  baseline: Row | undefined,
  floor: Row | undefined,
): Required<Omit<Target, 'speedAtMost'>> & { addsMs: number } {
  const base = (values: 'perS' | 'micros' | 'p50') => (baseline ? median(baseline[values]) : Number.NaN);
  return {
    processor: base('micros') / median(row.micros),
    floor: floor === undefined ? Number.NaN : median(floor.micros) / median(row.micros),
    speed: median(row.perS) / base('perS'),
    addsMs: median(row.p50) - base('p50'),
    trips: Math.floor(median(row.p50) / DISTANCE_MS),
  };
}

function formatTargets({ label, target = {} }: Row, found: ReturnType<typeof compare>): string[] {
  const format = (text: string, isReached: boolean) =>
    `${label}: ${text}: ${isReached ? 'reached' : 'MISSED'}.`;
  const { processor, floor, speed, speedAtMost, trips } = target;
  return [
    processor !== undefined &&
      format(
        `target ≥ ${processor} × by processor time, found ${formatRatio(found.processor)}`,
        found.processor >= processor,
      ),
    speed !== undefined &&
      format(
        `target ≥ ${speed} × the records a second, found ${formatRatio(found.speed)}`,
        found.speed >= speed,
      ),
    speedAtMost !== undefined &&
      format(
        `target ≤ ${speedAtMost} × the records a second, found ${formatRatio(found.speed)}`,
        found.speed <= speedAtMost,
      ),
    floor !== undefined &&
      format(
        `target ≥ ${floor} × the floor by processor time, found ${formatRatio(found.floor)}`,
        found.floor >= floor,
      ),
    trips !== undefined &&
      format(
        `target ${trips} sequential trips of ${DISTANCE_MS} ms, found ${found.trips}`,
        found.trips <= trips,
      ),
  ].filter((text) => text !== false);
}

/** Builds the table of what a miss uses. */
function buildCounts(outcome: Outcome | undefined): Report['tables'] {
  if (outcome?.state !== 'measured') return [];
  const rounds = z.array(countsSchema).parse(outcome.rounds);
  const names = [...new Set(rounds.flatMap((counts) => Object.keys(counts)))].toSorted();
  const rows = names.map((name) => [
    name,
    formatSpread(summarize(rounds.map((counts) => counts[name] ?? 0))),
  ]);
  return [{ columns: ['a miss uses', 'amount'], rows }];
}

/** Builds the report. @param rungs - in the order of the table */
export function buildReport(rungs: readonly Rung[], outcomes: ReadonlyMap<string, Outcome>): Report {
  const rows = rungs.flatMap((rung): Row[] => {
    const outcome = outcomes.get(rung.name);
    if (outcome?.state !== 'measured') return [];
    return [createRow(rung, z.array(figureSchema).parse(outcome.rounds))];
  });
  const compared = rows.map((row) => {
    const baseline = rows.find(({ name }) => name === row.baseline);
    const floor = rows.find(({ name }) => name === 'floor');
    return { row, baseline, found: compare(row, baseline, floor) };
  });
  return {
    tables: [
      {
        columns: [
          'records of 2 KB',
          'records a second',
          'processor µs',
          'p50 ms',
          'p99 ms',
          'against',
          'adds ms',
          'processor ratio',
          'ratio',
        ],
        rows: compared.map(({ row, baseline, found }) => [
          row.label,
          ...[row.perS, row.micros, row.p50, row.p99].map((values) => formatSpread(summarize(values))),
          baseline?.label ?? '–',
          formatNumber(found.addsMs),
          formatRatio(found.processor),
          formatRatio(found.speed),
        ]),
      },
      ...buildCounts(outcomes.get(MISS_COUNTS)),
    ],
    notes: [
      `Records a second through ${CONNECTION_COUNT} connections, with the server's processor time per record; p50 and p99 of a response through one connection. Ratios: records a second relative to the baseline, and records per microsecond of processor time, which other programs disturb less. The time of a hit in a new isolate includes the start of an app.`,
      'Portkey’s package has no cache: it calls the provider each time, which responds immediately.',
      ...compared.flatMap(({ row, found }) => formatTargets(row, found)),
    ],
    data: compared.map(({ row, found }) => ({ ...row, ...found })),
  };
}
