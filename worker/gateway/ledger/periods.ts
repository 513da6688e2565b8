// Days and months of budgets, in UTC.

export const DAY_MS = 86_400_000;

/**
 * Formats the day of a time as `YYYY-MM-DD`.
 * @param at - milliseconds since 1970
 */
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
 * Returns the start of a day in milliseconds since 1970.
 * @param day - `YYYY-MM-DD`
 */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
