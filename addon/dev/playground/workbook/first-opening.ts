// Runs code when a sheet is first opened, so that loading the page sends no requests for hidden sheets.
import { ICommandService, type IWorksheetData } from '@univerjs/core';
import { SetRangeValuesMutation, SetWorksheetActiveOperation } from '@univerjs/preset-sheets-core';
import type { Grid } from '../grid/grid.ts';

/**
 * Runs a function once, when a sheet is first opened.
 * @param sheetId - Univer's id of the sheet
 */
export function onFirstOpening({ injector }: Grid, sheetId: string, run: () => void): void {
  const subscription = injector.get(ICommandService).onCommandExecuted(({ id, params }) => {
    if (id !== SetWorksheetActiveOperation.id || !isForSheet(params, sheetId)) return;
    subscription.dispose();
    run();
  });
}

/** Sets cells with a mutation, which bypasses the user's undo history. */
export function setCells(
  { injector, workbook }: Grid,
  subUnitId: string,
  cellValue: IWorksheetData['cellData'],
): void {
  const params = { unitId: workbook.getUnitId(), subUnitId, cellValue };
  void injector.get(ICommandService).executeCommand(SetRangeValuesMutation.id, params);
}

function isForSheet(params: object | undefined, sheetId: string): boolean {
  return params !== undefined && 'subUnitId' in params && params.subUnitId === sheetId;
}
