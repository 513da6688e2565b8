// Sorts rows of the grid: values, formulas, formats, notes and links move together.
import {
  type ICellData,
  ICommandService,
  IUndoRedoService,
  ObjectMatrix,
  sequenceExecute,
} from '@univerjs/core';
import {
  FormulaDataModel,
  type IReorderRangeMutationParams,
  ReorderRangeMutation,
  ReorderRangeUndoMutationFactory,
  SetRangeValuesMutation,
} from '@univerjs/preset-sheets-core';
import { sortCells } from '../../host/sheets/a1.ts';
import { offsetFormula } from '../../host/sheets/formula-references.ts';
import type { Area } from '../../host/types.ts';
import { toGridRange } from './cells.ts';
import type { Grid } from './grid.ts';
import { readActiveSheet } from './snapshot.ts';

/**
 * Reorders the rows of an area. References in formulas move with their rows, as in Sheets: Univer's own command leaves them. A
 * person can undo it.
 * @param sheetId - Univer's id of the sheet
 * @param order - the old position of each row, from 0
 */
export function sortRows(
  { injector, workbook }: Grid,
  sheetId: string,
  area: Area,
  order: readonly number[],
): void {
  const first = area.row - 1;
  const range = toGridRange(area);
  const target = { unitId: workbook.getUnitId(), subUnitId: sheetId };
  const reorder: IReorderRangeMutationParams = {
    ...target,
    range,
    order: Object.fromEntries(order.map((from, at) => [first + at, first + from])),
  };
  const model = injector.get(FormulaDataModel);
  const before = new ObjectMatrix<ICellData>();
  const after = new ObjectMatrix<ICellData>();
  order.forEach((from, at) => {
    for (let column = range.startColumn; column <= range.endColumn; column += 1) {
      const f = model.getFormulaStringByCell(first + from, column, sheetId, target.unitId);
      if (!f) continue;
      before.setValue(first + from, column, { f, si: null });
      after.setValue(first + at, column, { f: offsetFormula(f, at - from), si: null });
    }
  });
  const mutate = (params: IReorderRangeMutationParams, formulas: ObjectMatrix<ICellData>) => [
    { id: ReorderRangeMutation.id, params },
    { id: SetRangeValuesMutation.id, params: { ...target, cellValue: formulas.getMatrix() } },
  ];
  const redoMutations = mutate(reorder, after);
  sequenceExecute(redoMutations, injector.get(ICommandService));
  const undoMutations = mutate(ReorderRangeUndoMutationFactory(reorder), before);
  injector.get(IUndoRedoService).pushUndoRedo({ unitID: target.unitId, undoMutations, redoMutations });
}

/**
 * Sorts the selected rows by the column of the active cell; with one selected row, the whole sheet below its frozen rows.
 */
export function sortBySelection(grid: Grid, isAscending: boolean): void {
  const { data: sheet, active } = readActiveSheet(grid);
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
