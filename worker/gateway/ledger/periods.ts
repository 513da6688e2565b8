// Days and months of budgets, in UTC.
import { HOUR_MS } from '../../../shared/lib/durations.ts';

/** Formats the day of a time as `YYYY-MM-DD`. */
export function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Formats the month of a day as `YYYY-MM`.
 * @param day - `YYYY-MM-DD`
 */
export function toMonth(day: string): string {
  return day.slice(0, 7);
}

/**
 * Returns the start of a month in milliseconds since 1970.
 * @param offset - months after the one of this time
 */
export function startOfMonth(at: number, offset: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
}

/**
 * Returns the start of an hour in milliseconds since 1970.
 * @param at - a time in the hour, milliseconds since 1970
 */
export function startOfHour(at: number): number {
  return at - (at % HOUR_MS);
}

/**
 * Returns the start of a day in milliseconds since 1970.
 * @param day - `YYYY-MM-DD`
 */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
