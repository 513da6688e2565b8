// The dates of the sample. Instants are whole seconds since 1970, UTC.

/** Nothing in the sample is younger than this day. */
export const REFERENCE_S = Date.UTC(2026, 10, 1) / 1000;
export const DAY_S = 86_400;

/** The first second of a year, or of a month of it. */
export function startOf(year: number, month = 1): number {
  return Date.UTC(year, month - 1, 1) / 1000;
}

/** `2026-01-31 09:30:00` */
export function timeText(s: number): string {
  return new Date(s * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** `2026-01-31` */
export function dayText(s: number): string {
  return timeText(s).slice(0, 10);
}

/** A month as a number: months since the year 0. */
export type Month = number;

export function monthOf(s: number): Month {
  const date = new Date(s * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** `2026-01` */
export function monthText(month: Month): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/**
 * How long before the reference day something was, as the service's pages say it.
 * @returns such as `3d`, `2w`, `5mo`, `1yr`
 */
export function ageText(s: number): string {
  const days = Math.max(1, Math.floor((REFERENCE_S - s) / DAY_S));
  if (days < 7) return `${days}d`;
  if (days < 30) return `${Math.floor(days / 7)}w`;
  return days < 365 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}yr`;
}
