// Converts values of records to cell values.
import { maxCellLength, toLongDigits } from '../../shared/sheets/limits.ts';
import { createDateParser } from './date-parser.ts';

/** A value that a cell can hold. */
export type Cell = string | number | boolean | Date;

/** Converts an id to a cell: a number if a cell keeps all its digits, otherwise text. */
export function toIdCell(id: string): string | number {
  const number = Number(id);
  return String(number) === id && toLongDigits(number) === undefined ? number : id;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Creates a converter from JSON values to cells: dates become dates, lists and integers of more than 15 digits become
 * text, missing values ''. Texts are truncated to the length that Sheets allows. Use one converter for all cells of a
 * formula: it caches time zone lookups.
 */
export function createCellConverter(): (value: unknown) => Cell {
  const readDate = createDateParser();
  return (value) => {
    if (value === undefined || value === null) return '';
    if (typeof value === 'number') return toLongDigits(value) ?? value;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string') return readDate(value) ?? value.slice(0, maxCellLength);
    const text = Array.isArray(value)
      ? value
          .filter((item) => item !== null)
          .map(toText)
          .join('; ')
      : toText(value);
    return text.slice(0, maxCellLength);
  };
}
