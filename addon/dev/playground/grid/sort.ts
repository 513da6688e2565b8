// Sorts rows of the grid: values, formulas, formats, notes and links move together.
import { ICommandService } from '@univerjs/core';
import { ReorderRangeCommand } from '@univerjs/preset-sheets-core';
import { sortCells } from '../../host/sheets/a1.ts';
import type { Area } from '../../host/types.ts';
import type { Grid } from './grid.ts';
import { readWorkbook } from './snapshot.ts';

/**
 * Reorders the rows of an area. A person can undo it.
 * @param sheetId - Univer's id of the sheet
 * @param order - the old position of each row, from 0
 */
export function sortRows(
  { injector, workbook }: Grid,
  sheetId: string,
  { row, column, rows, columns }: Area,
  order: readonly number[],
): void {
  injector.get(ICommandService).syncExecuteCommand(ReorderRangeCommand.id, {
    unitId: workbook.getUnitId(),
    subUnitId: sheetId,
    range: {
      startRow: row - 1,
      endRow: row + rows - 2,
      startColumn: column - 1,
      endColumn: column + columns - 2,
    },
    order: Object.fromEntries(order.map((from, at) => [row - 1 + at, row - 1 + from])),
  });
}

/**
 * Sorts the selected rows by the column of the active cell; with one selected row, the whole sheet below its frozen rows.
 */
export function sortBySelection(grid: Grid, isAscending: boolean): void {
  const name = grid.workbook.getActiveSheet().getName();
  const { sheets, active } = readWorkbook(grid);
  const sheet = sheets.find((each) => each.name === name);
  if (!sheet || !active) return;
  const { values, frozenRows = 0 } = sheet;
  const isWhole = (active.rows ?? 1) === 1 || (active.rows ?? 1) >= (sheet.maxRows ?? 0);
  const first = isWhole ? frozenRows + 1 : active.row;
  const last = Math.min(values.length, isWhole ? values.length : active.row + (active.rows ?? 1) - 1);
  if (last <= first) return;
  const width = Math.max(...values.map((cells) => cells.length));
  const area = isWhole
    ? { row: first, rows: last - first + 1, column: 1, columns: width }
    : { row: first, rows: last - first + 1, column: active.column, columns: active.columns ?? 1 };
  const keys = Array.from(
    { length: area.rows },
    (_, at) => values[first - 1 + at]?.[active.column - 1] ?? '',
  );
  sortRows(grid, grid.workbook.getActiveSheet().getSheetId(), area, sortCells(keys, isAscending));
}
