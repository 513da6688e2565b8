// What becomes of a function's return value, inside the realm: cells for a formula, an answer for google.script.run.
import { maxCellLength } from '../../../../shared/sheets/limits.ts';
import { illegalPlace } from '../script-run.ts';
import { isDate } from '../threads/serializer.ts';
import type { CellValue } from '../types.ts';
import { exception } from './bridge.ts';

/**
 * The cells that a value fills. Guide "Custom functions", return values: a value fills its cell, a two-dimensional array
 * the cells around; a plain list fills one column, each item a row of its own; short rows are filled up with blanks;
 * undefined and null leave a blank. Throws for what no cell can hold: objects, functions, promises, an empty array.
 */
export function cellsOf(value: unknown): CellValue[][] {
  if (!Array.isArray(value)) return [[cellOf(value)]];
  const rows = value.map((row: unknown) => (Array.isArray(row) ? row.map(cellOf) : [cellOf(row)]));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) throw exception('Result was an empty array');
  return rows.map((row) => [...row, ...new Array<CellValue>(width - row.length).fill('')]);
}

function cellOf(value: unknown): CellValue {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : '#NUM!';
  if (isDate(value)) return Number.isNaN(value.getTime()) ? '#NUM!' : value;
  if (typeof value !== 'string')
    throw exception(`Result was not a number, text, boolean or date: ${kindOf(value)}`);
  if (value.length <= maxCellLength) return value;
  throw exception(
    `Your input contains more than the maximum of ${maxCellLength} characters in a single cell.`,
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array inside a row' : typeof value;
}

/**
 * What the success handler of google.script.run gets. Reference "google.script.run", myFunction: an answer is made of what
 * JSON holds; a date, a function, an object of a service or a circle anywhere in it, and the whole answer is null, without
 * an error. Undefined fields are left out, undefined items are null.
 */
export function carried(value: unknown): unknown {
  if (value === undefined || illegalPlace(value) !== null) return null;
  return JSON.parse(JSON.stringify(value));
}
