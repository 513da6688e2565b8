// How what a record holds becomes what a cell shows.
import { maxCellLength } from '../../shared/sheets/limits.ts';

/** What a cell can hold. */
export type Cell = string | number | boolean | Date;

/** An id as a cell holds it on every path: a number where a number holds all its digits, otherwise a text. */
export function toIdCell(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** Turns a text into a date, undefined where it is none. */
type DateParser = (text: string) => Date | undefined;

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Sheets counts days from here to here: other dates stay texts. */
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '9999-12-31';

/**
 * Makes a reader of dates by the spreadsheet's clocks, which are what a cell shows a date by.
 * It asks the service once a day that it meets, and for each time on the days when clocks change.
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
    // A day or a time that does not exist is none, or would roll over: such a text stays a text.
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
 * Makes what turns values into cells: numbers and booleans stay what they are, dates become dates, a list becomes text.
 * It takes anything that JSON can hold, and gives '' for what is missing; texts are cut at the length that Sheets takes.
 * To be made once for all cells of a formula, since it remembers what it has asked about dates.
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
