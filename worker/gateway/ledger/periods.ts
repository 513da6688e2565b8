// Days and months as budgets count them: those of UTC.

/** Milliseconds. */
export const DAY_MS = 86_400_000;

/**
 * The day of a moment.
 * @param at - milliseconds since 1970
 * @returns `YYYY-MM-DD`
 */
export function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * The month of a day.
 * @param day - `YYYY-MM-DD`
 * @returns `YYYY-MM`
 */
export function toMonth(day: string): string {
  return day.slice(0, 7);
}

/**
 * When a day begins.
 * @param day - `YYYY-MM-DD`
 * @returns milliseconds since 1970
 */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
