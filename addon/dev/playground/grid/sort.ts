// Sorts rows of the grid: values, formulas, formats, notes and links move together.
import { ICommandService } from '@univerjs/core';
import { ReorderRangeCommand } from '@univerjs/preset-sheets-core';
import type { Area } from '../../host/types.ts';
import type { Grid } from './grid.ts';

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
