// Limits of Google Sheets.

/** Maximum number of characters in a cell. */
export const maxCellLength = 50_000;

/** Maximum number of cells in a spreadsheet: https://support.google.com/drive/answer/37603. */
export const maxCells = 10_000_000;

/** A cell keeps 15 digits of a number. */
const MAX_NUMBER = 1e15;

/** Returns the digits of an integer that a cell can only hold as text; undefined for other numbers. */
export function toLongDigits(value: number): string | undefined {
  return Number.isInteger(value) && Math.abs(value) >= MAX_NUMBER ? BigInt(value).toString() : undefined;
}
