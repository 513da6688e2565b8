// Converts the values of records to cells. Everything that writes tables uses it, so that a record always gives the same cells.
import { DAY_MS, DAY_S } from '../lib/durations.ts';
import { createFixedZone, createNamedZone, type Zone } from '../lib/time-zones.ts';
import { countFormat, isCountField, shortenUrl } from './columns.ts';

export const maxCellLength = 50_000;

/** Maximum number of cells in a spreadsheet: https://support.google.com/drive/answer/37603. */
export const maxCells = 10_000_000;

/** A value of a cell; dates are serial numbers of Sheets. */
export type CellValue = string | number | boolean;

/** Number formats that a value may need. */
export const numberFormats = {
  date: { type: 'DATE', pattern: 'yyyy-mm-dd' },
  dateTime: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' },
  count: { type: 'NUMBER', pattern: countFormat },
} as const;
export type NumberFormat = keyof typeof numberFormats;

export interface TableCell {
  value: CellValue;
  format?: NumberFormat;
  /** The target of the link that a text shows. */
  link?: string;
}

/** Serial number 0 of Sheets. */
const EPOCH = Date.UTC(1899, 11, 30);

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
/** Sheets knows dates until the end of 9999. Earlier ones stay text. */
const FIRST_DATE = '1900-01-01';
/** A cell keeps 15 digits of a number. */
const MAX_NUMBER = 1e15;
/** Characters that cells can't hold: control characters, and halves of surrogate pairs. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

/** Converts a local time, in ms as if it were UTC, to a serial number. */
export const toSerial = (local: number): number => (local - EPOCH) / DAY_MS;

/** Converts a serial number to a local time to the second, in ms as if it were UTC. */
export const fromSerial = (serial: number): number => EPOCH + Math.round(serial * DAY_S) * 1000;

/** Formats the day of a serial number: `2026-11-22`. Other numbers become their digits. */
export function formatSerialDay(serial: number): string {
  const day = new Date(fromSerial(serial));
  return Number.isNaN(day.getTime()) ? String(serial) : day.toISOString().slice(0, 10);
}

/** Removes characters that cells can't hold, and truncates a text. Sheets may need a character before a text. */
export const toCellText = (text: string): string =>
  text
    .replace(FORBIDDEN, '')
    .slice(0, maxCellLength - 1)
    .replace(FORBIDDEN, '');

/** Returns the digits of an integer that a cell can only hold as text; undefined for other numbers. */
function toLongDigits(value: number): string | undefined {
  return Number.isInteger(value) && Math.abs(value) >= MAX_NUMBER ? BigInt(value).toString() : undefined;
}

/** Days and times that don't exist would roll over to another date, so they stay text. */
function parseDate(text: string): TableCell | undefined {
  const [, date = '', time] = DATE.exec(text) ?? [];
  if (date < FIRST_DATE) return undefined;
  const iso = `${date}T${time ?? '00:00:00'}`;
  const local = Date.parse(`${iso}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(iso)) return undefined;
  return { value: toSerial(local), format: time === undefined ? 'date' : 'dateTime' };
}

/** Tells whether a text is a URL that should become a link. */
export const isLink = (text: string): boolean => /^https?:\/\/[^\s"<>]+\.[^\s"<>]+$/i.test(text);

/** A URL becomes a link with a short text. */
function toTextCell(text: string): TableCell {
  const value = toCellText(text);
  return isLink(value) ? { value: shortenUrl(value), link: value } : { value };
}

/** Creates the zone of a spreadsheet; UTC if its name is unknown. */
export function createZone(name: string): Zone {
  try {
    return createNamedZone(name);
  } catch {
    return createFixedZone(0);
  }
}

/** Converts a time, in ms since 1970, to the local time of a zone; UTC if the zone is unknown. */
export const toTimeCell = (ms: number, zone: string): TableCell => ({
  value: toSerial(Math.floor(createZone(zone).toLocalTime(ms) / 1000) * 1000),
  format: 'dateTime',
});

/** Moves a local time that clocks skip behind the change. A script can only set moments, so both writers do it. */
export function toExistingTime(cell: TableCell, zone: Zone): TableCell {
  if (cell.format !== 'dateTime' || typeof cell.value !== 'number') return cell;
  return { ...cell, value: toSerial(zone.toLocalTime(zone.toInstant(fromSerial(cell.value)))) };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Converts a value of a field. Numbers and booleans stay; integers of more than 15 digits become text, dates serial numbers,
 * lists text, URLs links; a missing value becomes ''.
 * @param value - any JSON value
 * @param path - of the field; counts get thousands separators
 */
export function toCell(value: unknown, path = ''): TableCell {
  if (value === undefined || value === null) return { value: '' };
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { value: '' };
    const digits = toLongDigits(value);
    if (digits !== undefined) return { value: digits };
    return isCountField(path) ? { value, format: 'count' } : { value };
  }
  if (typeof value === 'string') return parseDate(value) ?? toTextCell(value);
  const texts = Array.isArray(value) ? value.filter((item) => item !== null).map(toText) : [toText(value)];
  return toTextCell(texts.join('; '));
}

/** Converts a record id: a number if a cell keeps all its digits, otherwise text. */
export function toIdCell(id: string): string | number {
  const number = Number(id);
  return String(number) === id && toLongDigits(number) === undefined ? number : toCellText(id);
}

/**
 * Creates a converter of record ids for a table. A table with ids as text gets text: a column with both would sort them apart.
 * @param present - the cells of the id column
 */
export function createIdConverter(present: readonly unknown[]): (id: string) => string | number {
  const first = present.find((cell) => toIdText(cell) !== '');
  return typeof first === 'string' ? toCellText : toIdCell;
}

/** Normalises the id in a cell. A number stored as text is the same id. */
export const toIdText = (cell: unknown): string => String(cell ?? '').trim();

/** Removes the differences that Sheets makes: rounding and line endings. */
export function normalizeCell(value: CellValue): CellValue {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
}

/** Compares a cell with a value to write. A link may be shown by its short text. */
export function isSameValue(cell: CellValue, value: CellValue): boolean {
  if (normalizeCell(cell) === normalizeCell(value)) return true;
  return (
    typeof cell === 'string' &&
    cell !== '' &&
    typeof value === 'string' &&
    shortenUrl(cell) === shortenUrl(value)
  );
}
