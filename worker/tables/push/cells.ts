// Converts record values to cell values for the Sheets API.
import { countFormat, isCountField, shortenUrl } from '../../../shared/sheets/columns.ts';
import { maxCellLength, toLongDigits } from '../../../shared/sheets/limits.ts';
import type { CellValue } from './sheets-client.ts';

/** A cell value and the number format that it needs, if any. */
export interface CellEntry {
  value: CellValue;
  format?: NumberFormat;
}

export const numberFormats = {
  date: { type: 'DATE', pattern: 'yyyy-mm-dd' },
  dateTime: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' },
  count: { type: 'NUMBER', pattern: countFormat },
} as const;
export type NumberFormat = keyof typeof numberFormats;

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Serial number 0 of Sheets. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Earlier dates stay text. */
const FIRST_DATE = '1900-01-01';
/** Characters that cells cannot hold. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/gu;

/** Converts local time, encoded as if it were UTC, to a serial number. */
function toSerial(localMs: number): number {
  return (localMs - EPOCH) / DAY_MS;
}

/** Formats the date of a serial number, `2026-11-22`; returns the number as text when it is out of range. */
export function formatSerialDay(serial: number): string {
  const day = new Date(EPOCH + serial * DAY_MS);
  return Number.isNaN(day.getTime()) ? String(serial) : day.toISOString().slice(0, 10);
}

function parseDateEntry(text: string): CellEntry | undefined {
  const [, date = '', time] = DATE.exec(text) ?? [];
  if (date < FIRST_DATE) return undefined;
  const iso = `${date}T${time ?? '00:00:00'}`;
  const localMs = Date.parse(`${iso}Z`);
  // A date that does not exist would roll over.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(iso)) return undefined;
  return { value: toSerial(localMs), format: time === undefined ? 'date' : 'dateTime' };
}

/** Removes characters that cells cannot hold and truncates at the cell limit. */
export function toTextEntry(text: string): CellEntry {
  return { value: text.replace(CONTROL_CHARACTERS, '').slice(0, maxCellLength).toWellFormed() };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Converts a value. Numbers and booleans stay; integers of more than 15 digits become text, dates serial numbers, lists
 * text; a missing value becomes ''. Text is truncated at the cell limit.
 * @param value - any JSON value
 */
export function toCellEntry(value: unknown): CellEntry {
  if (value === undefined || value === null) return { value: '' };
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { value: '' };
    const digits = toLongDigits(value);
    return digits === undefined ? { value } : toTextEntry(digits);
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

/** Converts the value of a field, as {@link toCellEntry}; counts get thousands separators. */
export function toFieldEntry(value: unknown, path: string | undefined): CellEntry {
  const entry = toCellEntry(value);
  const isCount = typeof value === 'number' && path !== undefined && isCountField(path);
  return isCount ? { ...entry, format: 'count' } : entry;
}

/** Converts a time to the local time of a time zone; UTC when the zone is unknown. */
export function toDateTimeEntry(ms: number, timeZone: string): CellEntry {
  const parts = {
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
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone });
  } catch {
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone: 'UTC' });
  }
  const values = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const get = (type: Intl.DateTimeFormatPartTypes): number => values.get(type) ?? 0;
  const localMs = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  );
  return { value: toSerial(localMs), format: 'dateTime' };
}

/**
 * Compares a cell with a value to write; ignores rounding and line endings that Sheets changes. The add-on writes links
 * with a short text.
 */
export function isSameValue(left: CellValue, right: CellValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') {
    return Number(left.toPrecision(12)) === Number(right.toPrecision(12)) || left === right;
  }
  const normalize = (value: CellValue): CellValue =>
    typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
  return (
    normalize(left) === normalize(right) ||
    (typeof right === 'string' && left !== '' && left === shortenUrl(right))
  );
}
