// Dates of sample records: whole seconds since 1970 in, text in the service's formats out. No clock.

/** Seconds in a day. */
export const DAY_S = 86_400;

/**
 * The first second of a year.
 *
 * @param year a year such as 2019
 * @returns seconds since 1970, UTC
 */
export function yearStart(year: number): number {
  return Date.UTC(year, 0, 1) / 1000;
}

/**
 * Writes a moment as a date.
 *
 * @param seconds whole seconds since 1970
 * @returns `YYYY-MM-DD`, UTC
 */
export function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/**
 * Writes a moment as date and time.
 *
 * @param seconds whole seconds since 1970
 * @returns `YYYY-MM-DD HH:MM:SS`, UTC
 */
export function momentText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
