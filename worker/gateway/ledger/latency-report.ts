// Reports the hourly calls and durations of ledgers.
import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { LatencyGroup } from '../../../shared/api/admin-reports.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { usageHours } from '../../db/schema.ts';
import { type Histogram, histogramSchema } from '../../lib/latency-histogram.ts';

/** The columns of a histogram, in the order of its ranges. */
const durationColumns = [
  usageHours.within1Ms,
  usageHours.within3Ms,
  usageHours.within10Ms,
  usageHours.within30Ms,
  usageHours.within100Ms,
  usageHours.within300Ms,
  usageHours.within1S,
  usageHours.within3S,
  usageHours.within10S,
  usageHours.within30S,
  usageHours.slower,
];

export interface LatencyQuery {
  by: LatencyGroup;
  /** First hour, and the end of the last one: milliseconds since 1970. */
  from: number;
  to: number;
  /** All teams where undefined. */
  team: string | undefined;
}

/** Calls of an hour or a day. */
export interface LatencyRow {
  /** Start of the hour or day, milliseconds since 1970. */
  start: number;
  calls: number;
  failed: number;
  durations: Histogram;
}

const sum = (column: SQLiteColumn): SQL<number> => sql<number>`sum(${column})`;

const sumDurations: SQL<Histogram> = sql`json_array(${sql.join(durationColumns.map(sum), sql`, `)})`.mapWith(
  (text: string) => histogramSchema.parse(JSON.parse(text)),
);

/** Reads the hours or days with calls, in their order, with one statement. */
export function readLatency(
  orm: DrizzleD1Database,
  { by, from, to, team }: LatencyQuery,
): Promise<LatencyRow[]> {
  const { hour, teamId, calls, failed } = usageHours;
  const start = by === 'hour' ? sql<number>`${hour}` : sql<number>`${hour} - ${hour} % ${DAY_MS}`;
  return orm
    .select({ start, calls: sum(calls), failed: sum(failed), durations: sumDurations })
    .from(usageHours)
    .where(and(gte(hour, from), lt(hour, to), team === undefined ? undefined : eq(teamId, team)))
    .groupBy(start)
    .orderBy(asc(start));
}
