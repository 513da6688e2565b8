// Converts values of records to cell values.
import { maxCellLength } from '../../shared/sheets/limits.ts';

/** A value that a cell can hold. */
export type Cell = string | number | boolean | Date;

/** Converts an id to a cell: a number if it is a safe integer, otherwise text. */
export function toIdCell(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** Parses a date; undefined if the text is none. */
type DateParser = (text: string) => Date | undefined;

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Sheets supports dates in this range; other dates stay text. */
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '9999-12-31';

/**
 * Creates a parser of dates in the spreadsheet's time zone. It calls Utilities once per distinct day, and for each time
 * on days with a clock change.
 */
function createDateParser(): DateParser {
  const midnights = new Map<number, number>();
  let zone: string | undefined;
  const momentOf = (text: string, format: string): number => {
    zone ??= SpreadsheetApp.getActiveSpreadsheet().getSpreadsheetTimeZone();
    return Utilities.parseDate(text, zone, format).getTime();
  };
  const midnightOf = (day: number): number => {
    const known = midnights.get(day);
    if (known !== undefined) return known;
    const midnight = momentOf(new Date(day).toISOString().slice(0, 10), 'yyyy-MM-dd');
    midnights.set(day, midnight);
    return midnight;
  };
  return (text) => {
    const [, date = '', time = '00:00:00'] = DATE.exec(text) ?? [];
    const wall = new Date(`${date}T${time}Z`);
    // Days and times that don't exist would roll over to another date, so they stay text.
    const exists = !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(`${date}T${time}`);
    if (!exists || date < FIRST_DAY) return undefined;
    const day = Date.parse(`${date}T00:00:00Z`);
    const alone = time === '00:00:00' || date === LAST_DAY;
    const steady = alone || midnightOf(day + DAY_MS) - midnightOf(day) === DAY_MS;
    const moment = steady ? midnightOf(day) + wall.getTime() - day : momentOf(text, 'yyyy-MM-dd HH:mm:ss');
    return new Date(moment);
  };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Creates a converter from JSON values to cells: dates become dates, lists become text, missing values ''. Texts are
 * truncated to the length that Sheets allows. Use one converter for all cells of a formula: it caches time zone
 * lookups.
 */
export function createCellConverter(): (value: unknown) => Cell {
  const readDate = createDateParser();
  return (value) => {
    if (value === undefined || value === null) return '';
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return readDate(value) ?? value.slice(0, maxCellLength);
    const text = Array.isArray(value)
      ? value
          .filter((item) => item !== null)
          .map(toText)
          .join('; ')
      : toText(value);
    return text.slice(0, maxCellLength);
  };
}
