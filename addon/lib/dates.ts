// Formats dates in the spreadsheet's time zone.
import { getSpreadsheet } from './permissions.ts';

/**
 * Formats a date in the spreadsheet's time zone.
 * @param format - a pattern of `Utilities.formatDate`
 */
export function formatDate(date: Date, format: string): string {
  const zone = getSpreadsheet().getSpreadsheetTimeZone();
  return Utilities.formatDate(date, zone, format);
}

/** Formats a date and time to the minute. */
export function formatTime(date: Date): string {
  return formatDate(date, 'yyyy-MM-dd HH:mm');
}

/** Formats the current time for values that hold for one moment: `as of 2026-01-31 14:03`. */
export function formatAsOfNow(): string {
  return `as of ${formatTime(new Date())}`;
}
