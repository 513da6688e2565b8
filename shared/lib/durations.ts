// Lengths of time, and durations such as `90s`, `10m`, `12h` and `7d`.

export const MINUTE_S = 60;
export const HOUR_S = 60 * MINUTE_S;
export const DAY_S = 24 * HOUR_S;
export const SECOND_MS = 1000;
export const MINUTE_MS = MINUTE_S * SECOND_MS;
export const HOUR_MS = HOUR_S * SECOND_MS;
export const DAY_MS = DAY_S * SECOND_MS;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: MINUTE_S, h: HOUR_S, d: DAY_S };
const FORM = /^(\d{1,9})([smhd])$/;

/**
 * Parses a duration.
 * @returns seconds, or undefined if the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = FORM.exec(text.trim().toLowerCase()) ?? [];
  const seconds = SECONDS[unit];
  return count === undefined || seconds === undefined ? undefined : Number(count) * seconds;
}
