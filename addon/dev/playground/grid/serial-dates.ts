// Converts between local times and the numbers of spreadsheet dates.
import { DAY_MS } from '../../../../shared/lib/durations.ts';

/** Day 0 of spreadsheet dates. */
const EPOCH = [1899, 11, 30] as const;

/** Converts a local time to a spreadsheet date. */
export function toSerial(date: Date): number {
  const days = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(...EPOCH);
  const time =
    Date.UTC(1970, 0, 1, date.getHours(), date.getMinutes(), date.getSeconds()) + date.getMilliseconds();
  return (days + time) / DAY_MS;
}

/** Returns the number format of a date that has none. */
export const getDatePattern = (serial: number): string =>
  Number.isInteger(serial) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';

/** Converts a spreadsheet date to a local time. */
export function fromSerial(serial: number): Date {
  const days = Math.floor(serial);
  const [year, month, day] = EPOCH;
  return new Date(year, month, day + days, 0, 0, 0, Math.round((serial - days) * DAY_MS));
}
