// Converts return values in the realm: to cells for a formula, to JSON for google.script.run.
import { maxCellLength } from '../../../../shared/sheets/limits.ts';
import { illegalPlace } from '../script-run.ts';
import { isDate } from '../threads/serializer.ts';
import type { CellValue } from '../types.ts';
import { exception } from './bridge.ts';

/**
 * Converts a formula's value to cells. Guide "Custom functions", return values: a two-dimensional array fills several
 * cells, a flat list one column. Short rows are padded; undefined and null are blank.
 * Throws for objects, functions, promises and empty arrays, which no cell can hold.
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
 * Converts a value for the success handler of google.script.run. Reference "google.script.run", myFunction: a date, a
 * function, a service object or a circular reference anywhere makes the whole result null, without an error.
 */
export function carried(value: unknown): unknown {
  if (value === undefined || illegalPlace(value) !== null) return null;
  return JSON.parse(JSON.stringify(value));
}
