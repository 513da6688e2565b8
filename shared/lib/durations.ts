// Parses durations such as `90s`, `10m`, `12h` and `7d`.

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
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
