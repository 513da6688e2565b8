// How what a record holds becomes what a cell shows.

/** What a cell can hold. */
export type Cell = string | number | boolean | Date;

/** Sheets refuses longer texts in one cell. */
const MAX_CELL_LENGTH = 50_000;

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/;

function toDate(text: string): Date | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)));
  const date = new Date(year, month - 1, day, hour, minute, second);
  // A day that no calendar has would roll over: such a text stays a text.
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Makes a cell of a value: numbers and booleans stay what they are, dates become dates, a list becomes text.
 * @param value - anything that JSON can hold
 * @returns '' for what is missing; texts are cut at the length that Sheets takes
 */
export function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toDate(value) ?? value.slice(0, MAX_CELL_LENGTH);
  const text = Array.isArray(value)
    ? value
        .filter((item) => item !== null)
        .map(toText)
        .join('; ')
    : toText(value);
  return text.slice(0, MAX_CELL_LENGTH);
}
