// Names of cells in A1 notation.

/** A block of cells; rows and columns from 1, both ends included. */
export interface CellRange {
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** The letters of a column, from 1. */
export function columnLetters(column: number): string {
  let rest = column;
  let letters = '';
  while (rest > 0) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
    rest = Math.floor((rest - 1) / 26);
  }
  return letters;
}

/**
 * Names a block.
 * @param title - of its sheet, as it is
 */
export function toA1(title: string, { row, lastRow, column, lastColumn }: CellRange): string {
  const name = title.replaceAll("'", "''");
  return `'${name}'!${columnLetters(column)}${row}:${columnLetters(lastColumn)}${lastRow}`;
}
