// How what a record holds becomes what the Sheets API is given for a cell.
import { maxCellLength } from '../../../shared/sheets/limits.ts';
import type { CellValue } from './sheets-client.ts';

/** A value for a cell, and the number format that it needs to be seen as what it is. */
export interface CellEntry {
  value: CellValue;
  format?: NumberFormat;
}

/** The number formats of dates. */
export const numberFormats = {
  date: { type: 'DATE', pattern: 'yyyy-mm-dd' },
  dateTime: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' },
} as const;
export type NumberFormat = keyof typeof numberFormats;

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Sheets counts days from here. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** Dates before stay texts. */
const FIRST_DAY = '1900-01-01';
/** A number in a cell has so many digits; the rest of a longer one would be lost. */
const MAX_INTEGER = 1e15;
// Characters that no cell can hold.
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** A moment on a clock's face, given as if it were UTC, as a serial number. */
function toSerial(wall: number): number {
  return (wall - DAY_ZERO) / DAY_MS;
}

/**
 * The day of a serial number: `2026-11-22`; the number itself where it is none.
 */
export function formatSerialDay(serial: number): string {
  const day = new Date(DAY_ZERO + serial * DAY_MS);
  return Number.isNaN(day.getTime()) ? String(serial) : day.toISOString().slice(0, 10);
}

function parseDateEntry(text: string): CellEntry | undefined {
  const [, date = '', time] = DATE.exec(text) ?? [];
  if (date < FIRST_DAY) return undefined;
  const iso = `${date}T${time ?? '00:00:00'}`;
  const wall = Date.parse(`${iso}Z`);
  // A day or a time that does not exist would roll over.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(iso)) return undefined;
  return { value: toSerial(wall), format: time === undefined ? 'date' : 'dateTime' };
}

/** A text as it is, without what no cell holds, cut at the length that Sheets takes. */
export function toTextEntry(text: string): CellEntry {
  return { value: text.replace(CONTROL, '').slice(0, maxCellLength).toWellFormed() };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Turns a value into what a cell is given: numbers and booleans stay what they are, whole numbers of more than 15 digits
 * become texts, dates serial numbers, a list a text. What is missing becomes ''. Texts are cut at the length that Sheets takes.
 * @param value - anything that JSON can hold
 */
export function toCellEntry(value: unknown): CellEntry {
  if (value === undefined || value === null) return { value: '' };
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { value: '' };
    return Number.isInteger(value) && Math.abs(value) >= MAX_INTEGER
      ? toTextEntry(BigInt(value).toString())
      : { value };
  }
  if (typeof value === 'string') return parseDateEntry(value) ?? toTextEntry(value);
  if (!Array.isArray(value)) return toTextEntry(toText(value));
  return toTextEntry(
    value
      .filter((item) => item !== null)
      .map(toText)
      .join('; '),
  );
}

/** A moment as the clocks of a time zone show it; by UTC where nobody knows the zone. */
export function toDateTimeEntry(ms: number, timeZone: string): CellEntry {
  const face = {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { ...face, timeZone });
  } catch {
    format = new Intl.DateTimeFormat('en-US', { ...face, timeZone: 'UTC' });
  }
  const part = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return { value: toSerial(wall), format: 'dateTime' };
}

/** Tells whether a cell holds a value already, whatever way it went through Sheets. */
export function isSameValue(one: CellValue, other: CellValue): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Number(one.toPrecision(12)) === Number(other.toPrecision(12)) || one === other;
  }
  const plain = (value: CellValue): CellValue =>
    typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
  return plain(one) === plain(other);
}
