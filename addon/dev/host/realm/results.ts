// Converts return values in the realm: to cells for a formula, to JSON for google.script.run.
import { maxCellLength } from '../../../../shared/table/cells.ts';
import { findIllegalValue } from '../script-run.ts';
import { isDate } from '../threads/serializer.ts';
import type { CellValue } from '../types.ts';
import { createException } from './bridge.ts';

/**
 * Converts a formula's value to cells. Guide "Custom functions", return values: a two-dimensional array fills several
 * cells, a flat list one column. Short rows are padded; undefined and null are blank.
 * Throws for objects, functions, promises and empty arrays, which no cell can hold.
 */
export function toCells(value: unknown): CellValue[][] {
  if (!Array.isArray(value)) return [[toCell(value)]];
  const rows = value.map((row: unknown) => (Array.isArray(row) ? row.map(toCell) : [toCell(row)]));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) throw createException('Result was an empty array');
  return rows.map((row) => [...row, ...new Array<CellValue>(width - row.length).fill('')]);
}

function toCell(value: unknown): CellValue {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : '#NUM!';
  if (isDate(value)) return Number.isNaN(value.getTime()) ? '#NUM!' : value;
  if (typeof value !== 'string')
    throw createException(`Result was not a number, text, boolean or date: ${describeKind(value)}`);
  if (value.length <= maxCellLength) return value;
  throw createException(
    `Your input contains more than the maximum of ${maxCellLength} characters in a single cell.`,
  );
}

function describeKind(value: unknown): string {
  return Array.isArray(value) ? 'an array inside a row' : typeof value;
}

/**
 * Converts a value for the success handler of google.script.run. Reference "google.script.run", myFunction: a date, a
 * function, a service object or a circular reference anywhere makes the whole result null, without an error.
 */
export function toScriptRunResult(value: unknown): unknown {
  if (value === undefined || findIllegalValue(value) !== null) return null;
  return JSON.parse(JSON.stringify(value));
}
