// Cells as a person names and sees them.
import { CellValueType } from '@univerjs/core';
import { a1Of } from '../host/a1.ts';
import type { Grid } from './grid.ts';

/** The address of a cell, such as `B2`; `row` and `column` count from 0. */
export function address(row: number, column: number): string {
  return a1Of({ row: row + 1, column: column + 1, rows: 1, columns: 1 });
}

/** A text in quotes, or a range such as `A2:A`, which names no last row. */
const QUOTED_OR_OPEN_RANGE = /"[^"]*"|'[^']*'|(?<![\w.$])(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3})(?![\w.$(])/gi;

/**
 * Gives every range of a formula that runs to the end of its column its last row.
 * @param lastRow - counts from 1
 */
export function closeRanges(formula: string, lastRow: number): string {
  return formula.replace(QUOTED_OR_OPEN_RANGE, (whole, open?: string) =>
    open ? `${open}${lastRow}` : whole,
  );
}

/**
 * Reads what cells show.
 * @param range - such as `A1:B6`
 * @returns rows of values; null for an empty cell
 */
export function readCells(
  { api, workbook }: Grid,
  sheetName: string,
  range: string,
): (string | number | boolean | null)[][] {
  const sheet = workbook.getSheetBySheetName(sheetName);
  const area = api.getActiveWorkbook()?.getSheetByName(sheetName)?.getRange(range).getRange();
  if (!sheet || area === undefined) return [];
  const rows: (string | number | boolean | null)[][] = [];
  for (let row = area.startRow; row <= area.endRow; row += 1) {
    const cells = [];
    for (let column = area.startColumn; column <= area.endColumn; column += 1) {
      const cell = sheet.getCell(row, column);
      cells.push(cell?.t === CellValueType.BOOLEAN ? cell.v === 1 || cell.v === true : (cell?.v ?? null));
    }
    rows.push(cells);
  }
  return rows;
}
