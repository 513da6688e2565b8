// Times as the spreadsheet's clock shows them.

/**
 * Writes a moment by the spreadsheet's clock.
 * @param format - as `Utilities.formatDate` takes it
 */
export function formatDate(date: Date, format: string): string {
  const zone = SpreadsheetApp.getActiveSpreadsheet().getSpreadsheetTimeZone();
  return Utilities.formatDate(date, zone, format);
}

/** Day and time of a moment, to the minute. */
export function formatTime(date: Date): string {
  return formatDate(date, 'yyyy-MM-dd HH:mm');
}

/** What stands beside a number that holds for one moment only: `as of 2026-01-31 14:03`. */
export function formatAsOfNow(): string {
  return `as of ${formatTime(new Date())}`;
}
