// Parses values set by scripts as Sheets does: numeric text becomes a number, '=' starts a formula.
import { maxCellLength } from '../../../../shared/table/cells.ts';
import { Exception } from '../calls.ts';
import { toDate } from '../dates.ts';
import type { CellValue } from '../types.ts';
import { hasDecimalComma } from './locales.ts';

const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?(?:e[+-]?\d+)?%?$/i;
const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const GERMAN_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** The parsed content of a cell: a value, or a formula with its '='. */
export type CellEntry =
  | { readonly value: CellValue; readonly formula?: undefined }
  | { readonly formula: string };

/**
 * Parses a value as if typed, as Range.setValue does. Text remains text after a leading apostrophe, and in a cell with
 * the format '@' unless it begins with '=': the reference of setValue names no exception for formulas. Throws for more
 * than 50,000 characters.
 */
export function parseEntry(
  value: CellValue,
  format: string,
  { timeZone, locale }: { readonly timeZone: string; readonly locale: string },
): CellEntry {
  if (typeof value !== 'string') return { value };
  checkCellLength(value);
  const text = value.trim();
  if (/^=./.test(text)) return { formula: text };
  if (format === '@') return { value };
  if (value.startsWith("'")) return { value: value.slice(1) };
  const number = hasDecimalComma(locale) ? swapSeparators(text) : text;
  if (/\d/.test(number) && NUMBER.test(number)) return { value: parseNumber(number) };
  // Typing "+A1" or "-A1" enters a formula: untrusted text must not start like this.
  if (/^[+-]./.test(text)) return { formula: `=${text}` };
  if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' };
  return { value: parseDate(text, timeZone, locale) ?? value };
}

/** Returns the text; throws if it is too long for a cell. */
export function checkCellLength(text: string): string {
  if (text.length <= maxCellLength) return text;
  throw new Exception(
    `Your input contains more than the maximum of ${maxCellLength} characters in a single cell.`,
  );
}

/** Converts 1.234,5 to 1,234.5. */
const swapSeparators = (text: string): string =>
  text.replace(/[.,]/g, (separator) => (separator === ',' ? '.' : ','));

function parseNumber(text: string): number {
  const bare = Number(text.replaceAll(',', '').replace('%', ''));
  return text.endsWith('%') ? bare / 100 : bare;
}

/** Knows the dates of the locales with a decimal comma as Germany writes them. */
function parseDate(text: string, zone: string, locale: string): Date | null {
  const iso = ISO_DATE.exec(text);
  const isGerman = hasDecimalComma(locale);
  const local = (isGerman ? GERMAN_DATE : US_DATE).exec(text);
  const match = iso ?? local;
  if (!match) return null;
  const [a, b, c] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = match.slice(4, 7).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0] = iso ? [a, b, c] : isGerman ? [c, b, a] : [c, a, b];
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return toDate({ year, month, day, hour, minute, second }, zone);
}
