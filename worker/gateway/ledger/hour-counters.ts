// Counts the calls of each hour by their duration.
import {
  addHistograms,
  emptyHistogram,
  type Histogram,
  histogramSchema,
} from '../../lib/latency-histogram.ts';
import { startOfHour } from './periods.ts';
import type { Usage } from './types.ts';
import { countCalls } from './usage-buffer.ts';

type Row = { hour: number; calls: number; failed: number; latency_ms: number; durations: string };

export interface HourCounts {
  /** Start of the hour, milliseconds since 1970. */
  hour: number;
  calls: number;
  failed: number;
  /** Total duration of requests, milliseconds. */
  latencyMs: number;
  durations: Histogram;
}

const parseRow = ({ latency_ms, durations, ...row }: Row): HourCounts => ({
  ...row,
  latencyMs: latency_ms,
  durations: histogramSchema.parse(JSON.parse(durations)),
});

function sumUsage(hour: number, usages: readonly Usage[]): HourCounts {
  const sum: HourCounts = { hour, calls: 0, failed: 0, latencyMs: 0, durations: emptyHistogram };
  for (const usage of usages) {
    sum.calls += countCalls(usage);
    sum.failed += usage.outcomes.failed ?? 0;
    sum.latencyMs += Math.round(usage.latencyMs);
    sum.durations = addHistograms(sum.durations, usage.durations);
  }
  return sum;
}

export class HourCounters {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds calls to the present hour, in one write. */
  add(usages: readonly Usage[], now: number): void {
    const sum = sumUsage(startOfHour(now), usages);
    const [stored] = this.listSince(sum.hour);
    this.#sql.exec(
      'INSERT OR REPLACE INTO hours (hour, calls, failed, latency_ms, durations) VALUES (?, ?, ?, ?, ?)',
      sum.hour,
      sum.calls + (stored?.calls ?? 0),
      sum.failed + (stored?.failed ?? 0),
      sum.latencyMs + (stored?.latencyMs ?? 0),
      JSON.stringify(stored === undefined ? sum.durations : addHistograms(sum.durations, stored.durations)),
    );
  }

  /** Lists the hours that contain a time or follow it, in their order. */
  listSince(at: number): HourCounts[] {
    return this.#sql
      .exec<Row>('SELECT * FROM hours WHERE hour >= ? ORDER BY hour', startOfHour(at))
      .toArray()
      .map(parseRow);
  }

  deleteBefore(at: number): void {
    this.#sql.exec('DELETE FROM hours WHERE hour < ?', at);
  }
}
