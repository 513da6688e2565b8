// A1 notation of cell ranges.

/** A block of cells; rows and columns from 1, both ends included. */
export interface CellRange {
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** Converts a column number, from 1, to letters. */
function columnLetters(column: number): string {
  let remaining = column;
  let letters = '';
  while (remaining > 0) {
    letters = String.fromCharCode(65 + ((remaining - 1) % 26)) + letters;
    remaining = Math.floor((remaining - 1) / 26);
  }
  return letters;
}

/**
 * Formats a range.
 * @param title - name of the sheet, unquoted
 */
export function toA1(title: string, { row, lastRow, column, lastColumn }: CellRange): string {
  const quoted = title.replaceAll("'", "''");
  return `'${quoted}'!${columnLetters(column)}${row}:${columnLetters(lastColumn)}${lastRow}`;
}
