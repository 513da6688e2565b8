// Ranges of cells: A1 notation, and blocks of rows.
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { toColumnLetters } from '../../../shared/table/columns.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** A block of cells; rows and columns from 1, both ends included. */
export interface CellRange {
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/**
 * Formats a range.
 * @param title - name of the sheet, unquoted
 */
export function toA1(title: string, { row, lastRow, column, lastColumn }: CellRange): string {
  const quoted = title.replaceAll("'", "''");
  return `'${quoted}'!${toColumnLetters(column)}${row}:${toColumnLetters(lastColumn)}${lastRow}`;
}

/** Rows of a sheet that are read together. */
const BLOCK_ROWS = 5_000;
/** Rows of a closed sheet that are read: 40 calls. */
const MAX_READ_ROWS = 200_000;

/**
 * Lists blocks of rows, so that a large sheet is never in memory as a whole.
 * @param first - row
 * @param end - last row
 * @throws ProblemError `sheet_refused` after too many rows
 */
export function* listRowBlocks(first: number, end: number): Generator<{ row: number; lastRow: number }> {
  for (let row = first; row <= end; row += BLOCK_ROWS) {
    if (row - first >= MAX_READ_ROWS)
      throw new ProblemError(
        'sheet_refused',
        `The sheet has more than ${formatNumber(MAX_READ_ROWS)} rows: too many while it is closed.`,
        'Delete empty rows at its end, move some rows to another sheet, or update the table while the sheet is open.',
      );
    yield { row, lastRow: Math.min(end, row + BLOCK_ROWS - 1) };
  }
}
