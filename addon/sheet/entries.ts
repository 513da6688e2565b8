// From values of a record to what is handed to Sheets, so that every text lands as a text, and back to a row's print.
import { maxCellLength } from '../../shared/sheets/limits.ts';
import { type Cell, createCellConverter } from '../lib/cells.ts';
import { FINGERPRINT_LENGTH } from '../tables/registry.ts';

/** A cell of a table: what it will hold, and how it shows. */
export interface Entry {
  cell: Cell;
  /** A number format where the value needs one; '' where any will do. */
  format: '' | typeof DAY | typeof DATE_TIME;
}

const DAY = 'yyyy-mm-dd';
const DATE_TIME = 'yyyy-mm-dd hh:mm:ss';
const DAY_LENGTH = DAY.length;

/** In a cell of this format Sheets takes every text as it is. */
const PLAIN_TEXT = '@';
const GENERAL = 'General';

/** Nothing to see. */
export const blankEntry: Entry = { cell: '', format: '' };

/** A text as an entry. */
export function textEntry(text: string): Entry {
  return { cell: text.slice(0, maxCellLength - 1), format: '' };
}

/** A moment as an entry: shown by the spreadsheet's clock. */
export function dateTimeEntry(moment: Date): Entry {
  return { cell: moment, format: DATE_TIME };
}

/** What a cell holds already, to be set again as it is. */
export function existingEntry(value: unknown): Entry {
  const isCell = typeof value === 'number' || typeof value === 'boolean' || value instanceof Date;
  return isCell ? { cell: value, format: '' } : textEntry(String(value ?? ''));
}

/**
 * Makes what turns values into entries. To be made once for all cells of a block, as {@link createCellConverter}.
 */
export function createEntryConverter(): (value: unknown) => Entry {
  const toCell = createCellConverter();
  return (value) => {
    const cell = toCell(value);
    if (typeof cell === 'string') return textEntry(cell);
    if (!(cell instanceof Date)) return { cell, format: '' };
    return { cell, format: String(value).length > DAY_LENGTH ? DATE_TIME : DAY };
  };
}

/**
 * What has to be set so that a cell of a format holds the value: as Sheets reads an entry again unless an apostrophe
 * leads it, every text has one.
 */
export function toSheetValue({ cell }: Entry, format: string): Cell {
  return typeof cell !== 'string' || cell === '' || format === PLAIN_TEXT ? cell : `'${cell}`;
}

/** The number format that a cell needs to show a value, given the one that it has. */
export function chooseFormat({ cell, format }: Entry, has: string): string {
  if (format !== '') return format;
  return typeof cell === 'number' && has === PLAIN_TEXT ? GENERAL : has;
}

/** Tells whether a text is an address that a click should open. */
export function isLink(cell: Cell): cell is string {
  return typeof cell === 'string' && /^https?:\/\/[^\s"<>]+\.[^\s"<>]+$/i.test(cell);
}

/** One spelling for what a cell holds, whatever way it went through Sheets. */
export function canonicalize(cell: unknown): string {
  if (cell instanceof Date) return `d${Math.round(cell.getTime() / 1000)}`;
  if (typeof cell === 'number') return `n${Number(cell.toPrecision(12))}`;
  if (typeof cell === 'string') return cell === '' ? '' : `s${cell.replace(/\r\n?/g, '\n')}`;
  return `b${String(cell)}`;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  // The last bits take part in the first.
  return (value ^ (value >>> 15)) >>> 0;
}

/** The print of some cells: four letters that are others, but for one chance in sixteen million, where a cell is another. */
export function fingerprint(cells: readonly unknown[]): string {
  let rest = hash(cells.map(canonicalize).join('\u001f'));
  let print = '';
  for (let at = 0; at < FINGERPRINT_LENGTH; at += 1) {
    print += LETTERS.charAt(rest % LETTERS.length);
    rest = Math.floor(rest / LETTERS.length);
  }
  return print;
}
