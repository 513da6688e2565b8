// Converts and formats dates in the spreadsheet's time zone.
import { DAY_MS } from '../../shared/lib/durations.ts';
import { createNamedZone } from '../../shared/lib/time-zones.ts';
import { fromSerial, type TableCell, toCell } from '../../shared/table/cells.ts';
import { getSpreadsheet } from './permissions.ts';

/** The time after it is out of the range of Utilities. */
const LAST_DAY = Date.UTC(9999, 11, 31);

/** Returns the moment of a local time, which is given in ms as if the zone were UTC. */
type LocalClock = (local: number) => number;

/** Each conversion is a call of a service. */
const createUtilitiesClock =
  (zone: string): LocalClock =>
  (local) =>
    Utilities.parseDate(new Date(local).toISOString().slice(0, 19), zone, "yyyy-MM-dd'T'HH:mm:ss").getTime();

/** Uses Intl, which needs no calls, if it agrees with Utilities about the first time: of an hour that happens twice the later. */
function createClock(zone: string, sample: number): LocalClock {
  const exact = createUtilitiesClock(zone);
  try {
    const { toInstant } = createNamedZone(zone);
    const fast: LocalClock = (local) => toInstant(local, 'last');
    return fast(sample) === exact(sample) ? fast : exact;
  } catch {
    return exact;
  }
}

/** Creates a converter from local times of the spreadsheet's time zone to moments. It reckons once per distinct day. */
function createMomentConverter(): (local: number) => Date {
  const midnights = new Map<number, number>();
  let clock: LocalClock | undefined;
  const momentOf: LocalClock = (local) => {
    clock ??= createClock(getSpreadsheet().getSpreadsheetTimeZone(), local);
    return clock(local);
  };
  const midnightOf = (day: number): number => {
    const midnight = midnights.get(day) ?? momentOf(day);
    midnights.set(day, midnight);
    return midnight;
  };
  return (local) => {
    const day = Math.floor(local / DAY_MS) * DAY_MS;
    const isAlone = local === day || day === LAST_DAY;
    const isSteady = isAlone || midnightOf(day + DAY_MS) - midnightOf(day) === DAY_MS;
    return new Date(isSteady ? midnightOf(day) + local - day : momentOf(local));
  };
}

/**
 * Formats a date in the spreadsheet's time zone.
 * @param format - a pattern of `Utilities.formatDate`
 */
export function formatDate(date: Date, format: string): string {
  const zone = getSpreadsheet().getSpreadsheetTimeZone();
  return Utilities.formatDate(date, zone, format);
}

/** Formats the day of a date: `2026-11-22`. */
export const formatDay = (date: Date): string => formatDate(date, 'yyyy-MM-dd');

/** Formats a date and time to the minute. */
export function formatTime(date: Date): string {
  return formatDate(date, 'yyyy-MM-dd HH:mm');
}

/** Formats the current time for values that hold for one moment: `as of 2026-01-31 14:03`. */
export function formatAsOfNow(): string {
  return `as of ${formatTime(new Date())}`;
}

/** A value that a cell can hold. */
export type Cell = string | number | boolean | Date;

/** Creates a converter to a value for `setValues`. Use one for many cells: it caches lookups of the time zone. */
export function createSheetValueConverter(): (cell: TableCell) => Cell {
  const toMoment = createMomentConverter();
  return ({ value, format }) =>
    typeof value === 'number' && (format === 'date' || format === 'dateTime')
      ? toMoment(fromSerial(value))
      : value;
}

/** Creates a converter from JSON values to results of formulas. Use one for all cells of a formula. */
export function createCellConverter(): (value: unknown) => Cell {
  const toSheetValue = createSheetValueConverter();
  return (value) => {
    const cell = toCell(value);
    return cell.link ?? toSheetValue(cell);
  };
}
