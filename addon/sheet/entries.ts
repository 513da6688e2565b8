// Entries: values and formats to write into cells. Every text is written so that Sheets keeps it as text.
import { countFormat, isCountField, shortenUrl } from '../../shared/sheets/columns.ts';
import { maxCellLength } from '../../shared/sheets/limits.ts';
import { type Cell, createCellConverter } from '../lib/cells.ts';
import { FINGERPRINT_LENGTH } from '../tables/registry.ts';

/** The value and format of a cell to write. */
export interface Entry {
  cell: Cell;
  /** A number format if the value needs one; otherwise ''. */
  format: '' | typeof DAY | typeof DATE_TIME | typeof countFormat;
  /** The target of the link that the cell shows. */
  link?: string;
}

const DAY = 'yyyy-mm-dd';
const DATE_TIME = 'yyyy-mm-dd hh:mm:ss';
const DAY_LENGTH = DAY.length;

/** In cells with this format Sheets keeps texts that look like numbers. */
export const PLAIN_TEXT = '@';
const GENERAL = 'General';
/** Formats of cells that nobody has formatted. */
const GENERAL_FORMATS: ReadonlySet<string> = new Set(['', GENERAL, '0.###############']);

/** Empties a cell. */
export const blankEntry: Entry = { cell: '', format: '' };

/** Creates an entry from a text. */
export function textEntry(text: string): Entry {
  return { cell: text.slice(0, maxCellLength - 1), format: '' };
}

/** Creates an entry that shows a date and time in the spreadsheet's time zone. */
export function dateTimeEntry(moment: Date): Entry {
  return { cell: moment, format: DATE_TIME };
}

/** Creates an entry that keeps the current value of a cell. */
export function existingEntry(value: unknown): Entry {
  const isCell = typeof value === 'number' || typeof value === 'boolean' || value instanceof Date;
  return isCell ? { cell: value, format: '' } : textEntry(String(value ?? ''));
}

/** Creates an entry from a text. A URL becomes a link with a short text. */
function linkEntry(text: string): Entry {
  return isLink(text) ? { ...textEntry(shortenUrl(text)), link: text } : textEntry(text);
}

/**
 * Creates a converter from values of fields to entries. Use one for all cells of a block, as with
 * {@link createCellConverter}.
 */
export function createEntryConverter(): (value: unknown, path: string) => Entry {
  const toCell = createCellConverter();
  return (value, path) => {
    const cell = toCell(value);
    if (typeof cell === 'string') return linkEntry(cell);
    if (typeof cell === 'number') return { cell, format: isCountField(path) ? countFormat : '' };
    if (!(cell instanceof Date)) return { cell, format: '' };
    return { cell, format: String(value).length > DAY_LENGTH ? DATE_TIME : DAY };
  };
}

/** A text that would run as a formula; apostrophes keep it from doing so. */
const FORMULA = /^'*\s*=/;

/**
 * Returns the value to set by {@link setValues}. Sheets parses a text like typed input unless an apostrophe precedes it,
 * so every text gets one. In a cell for plain text the apostrophe would stay visible.
 */
export function toSheetValue({ cell }: Pick<Entry, 'cell'>, format: string): Cell {
  const isKept = typeof cell !== 'string' || cell === '' || (format === PLAIN_TEXT && !FORMULA.test(cell));
  return isKept ? cell : `'${cell}`;
}

/**
 * Sets values and number formats. A cell for plain text is formatted as such after a formula or a text like one was set:
 * no source says whether Sheets runs formulas that scripts set in such cells.
 * @param has - the current formats
 */
export function setValues(
  range: GoogleAppsScript.Spreadsheet.Range,
  values: unknown[][],
  formats: string[][],
  has: readonly string[][],
): void {
  const first = formats.map((row, r) =>
    row.map((format, c) => {
      const value = values[r]?.[c];
      return format === PLAIN_TEXT && typeof value === 'string' && FORMULA.test(value) ? GENERAL : format;
    }),
  );
  if (differs(first, has)) range.setNumberFormats(first);
  range.setValues(values);
  if (differs(formats, first)) range.setNumberFormats(formats);
}

/** Tells whether two blocks of texts differ. */
export const differs = (left: readonly string[][], right: readonly string[][]): boolean =>
  left.some((row, r) => row.some((text, c) => text !== right[r]?.[c]));

/** Tells whether a text may be the short text of a link. */
const isShortLink = (text: string): boolean => shortenUrl(`https://www.${text}`) === text;

/** Tells whether Sheets surely keeps a rich text as text: a link, or words without digits. */
export const isSurelyText = (text: string): boolean =>
  isLink(text) || isShortLink(text) || (/^\p{L}\D*$/u.test(text) && !/^(?:true|false)$/i.test(text));

/** Chooses the number format of a cell, given its current one. */
export function chooseFormat({ cell, format }: Entry, has: string): string {
  // People may have chosen a format for numbers.
  if (format === countFormat) return GENERAL_FORMATS.has(has) || has === PLAIN_TEXT ? format : has;
  if (format !== '') return format;
  return typeof cell === 'number' && has === PLAIN_TEXT ? GENERAL : has;
}

/** Tells whether a text is a URL that should become a link. */
export function isLink(cell: Cell): cell is string {
  return typeof cell === 'string' && /^https?:\/\/[^\s"<>]+\.[^\s"<>]+$/i.test(cell);
}

/** Normalizes a cell value, so that it compares equal after a round trip through Sheets. */
export function canonicalize(cell: unknown): string {
  if (cell instanceof Date) return `d${Math.round(cell.getTime() / 1000)}`;
  if (typeof cell === 'number') return `n${Number(cell.toPrecision(12))}`;
  if (typeof cell === 'string') return cell === '' ? '' : `s${cell.replace(/\r\n?/g, '\n')}`;
  return `b${String(cell)}`;
}

/** Tells whether a cell shows an entry: the same value, or the URL of a link whose text is shorter. */
export function isSameCell(cell: unknown, entry: Entry): boolean {
  if (canonicalize(cell) === canonicalize(entry.cell)) return true;
  return entry.link !== undefined && typeof cell === 'string' && shortenUrl(cell) === entry.cell;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  // Mix the high bits into the low ones.
  return (value ^ (value >>> 15)) >>> 0;
}

/** Computes a fingerprint of cells: four letters, with one collision in sixteen million. */
export function fingerprint(cells: readonly unknown[]): string {
  let remaining = hash(cells.map(canonicalize).join('\u001f'));
  let print = '';
  for (let at = 0; at < FINGERPRINT_LENGTH; at += 1) {
    print += LETTERS.charAt(remaining % LETTERS.length);
    remaining = Math.floor(remaining / LETTERS.length);
  }
  return print;
}
