// Computes when a schedule runs next. Intervals count from the planned time, so schedules do not drift.

import type { Interval } from '../../../shared/api/schedules.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/durations.ts';

export const intervalMs: Readonly<Record<Interval, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

/**
 * Computes the next run: a whole number of intervals after the planned time. Missed runs collapse into one.
 * @param planned - planned start of the current run, milliseconds since 1970
 * @returns later than now
 */
export function getNextRunTime(every: Interval, planned: number, now: number): number {
  const interval = intervalMs[every];
  const missed = Math.max(0, Math.floor((now - planned) / interval));
  return planned + (missed + 1) * interval;
}

/** Runs may start a little less than an interval apart, because a run may start late. */
const TOLERANCE = 1 / 24;

/**
 * Aligns the next run of a schedule to a time of day, and for weekly runs a weekday.
 * @param at - any time with them, milliseconds since 1970
 * @param lastStart - start of the last run; the next one starts about an interval later at the earliest
 * @returns later than now
 */
export function alignNextRun(
  every: Interval,
  at: number,
  lastStart: number | undefined,
  now: number,
): number {
  const interval = intervalMs[every];
  const earliest = Math.max(now, lastStart === undefined ? 0 : lastStart + interval * (1 - TOLERANCE));
  const passed = (((earliest - at) % interval) + interval) % interval;
  return earliest + interval - passed;
}

/** Start of the UTC day, milliseconds since 1970. */
export const startOfDay = (now: number): number => now - (now % DAY_MS);
