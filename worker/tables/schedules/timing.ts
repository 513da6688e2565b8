// When a schedule runs: intervals as they are, counted from the time that was planned.
import type { Interval } from '../../../shared/api/schedules.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds. */
export const intervalMs: Readonly<Record<Interval, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

/**
 * When a schedule runs after a run: some whole number of intervals behind the time that was planned, so that it does not
 * drift. What was missed meanwhile is one run.
 * @param planned - when the run was to begin: milliseconds since 1970
 * @param now - milliseconds since 1970
 * @returns later than now
 */
export function getNextRunTime(every: Interval, planned: number, now: number): number {
  const interval = intervalMs[every];
  const missed = Math.max(0, Math.floor((now - planned) / interval));
  return planned + (missed + 1) * interval;
}

/** When the day of a moment began, in UTC: milliseconds since 1970. */
export const startOfDay = (now: number): number => now - (now % DAY_MS);

/** When the month of a moment began, in UTC: milliseconds since 1970. */
export function startOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
