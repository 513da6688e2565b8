// Entries: values and formats to write into cells. Every text is written so that Sheets keeps it as text.
import { hashText } from '../../shared/lib/hash.ts';
import { isLink, normalizeCell, numberFormats, toCell, toCellText } from '../../shared/table/cells.ts';
import { countFormat, shortenUrl } from '../../shared/table/columns.ts';
import { type Cell, createSheetValueConverter } from '../lib/dates.ts';
import { FINGERPRINT_LENGTH } from '../tables/registry.ts';

/** The value and format of a cell to write. */
export interface Entry {
  cell: Cell;
  /** A number format if the value needs one; otherwise ''. */
  format: '' | (typeof numberFormats)[keyof typeof numberFormats]['pattern'];
  /** The target of the link that the cell shows. */
  link?: string;
}

/** In cells with this format Sheets keeps texts that look like numbers. */
export const PLAIN_TEXT = '@';
const GENERAL = 'General';
/** Formats of cells that nobody has formatted. */
const GENERAL_FORMATS: ReadonlySet<string> = new Set(['', GENERAL, '0.###############']);

export const blankEntry: Entry = { cell: '', format: '' };

export function textEntry(text: string): Entry {
  return { cell: toCellText(text), format: '' };
}

/** Creates an entry that shows a date and time in the spreadsheet's time zone. */
export function dateTimeEntry(moment: Date): Entry {
  return { cell: moment, format: numberFormats.dateTime.pattern };
}

/** Creates an entry that keeps the current value of a cell. */
export function existingEntry(value: unknown): Entry {
  const isCell = typeof value === 'number' || typeof value === 'boolean' || value instanceof Date;
  return isCell ? { cell: value, format: '' } : textEntry(String(value ?? ''));
}

/** Creates a converter from values of fields to entries. Use one for all cells of a block. */
export function createEntryConverter(): (value: unknown, path: string) => Entry {
  const toSheetValue = createSheetValueConverter();
  return (value, path) => {
    const cell = toCell(value, path);
    const { format, link } = cell;
    return {
      cell: toSheetValue(cell),
      format: format === undefined ? '' : numberFormats[format].pattern,
      ...(link === undefined ? {} : { link }),
    };
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

export const differs = (left: readonly string[][], right: readonly string[][]): boolean =>
  left.some((row, r) => row.some((text, c) => text !== right[r]?.[c]));

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

/** Normalizes a cell value, so that it compares equal after a round trip through Sheets. */
function canonicalize(cell: unknown): string {
  if (cell instanceof Date) return `d${Math.round(cell.getTime() / 1000)}`;
  if (typeof cell === 'number') return `n${normalizeCell(cell)}`;
  if (typeof cell === 'string') return cell === '' ? '' : `s${normalizeCell(cell)}`;
  return `b${String(cell)}`;
}

/** Tells whether a cell shows an entry: the same value, or the URL of a link whose text is shorter. */
export function isSameCell(cell: unknown, entry: Entry): boolean {
  if (canonicalize(cell) === canonicalize(entry.cell)) return true;
  return entry.link !== undefined && typeof cell === 'string' && shortenUrl(cell) === entry.cell;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Computes a fingerprint of cells: four letters, with one collision in sixteen million. */
export function fingerprint(cells: readonly unknown[]): string {
  const hash = hashText(cells.map(canonicalize).join('\u001f'));
  // The high bits are mixed into the low ones, of which the letters are made.
  let remaining = (hash ^ (hash >>> 15)) >>> 0;
  let letters = '';
  for (let at = 0; at < FINGERPRINT_LENGTH; at += 1) {
    letters += LETTERS.charAt(remaining % LETTERS.length);
    remaining = Math.floor(remaining / LETTERS.length);
  }
  return letters;
}
