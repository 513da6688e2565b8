// What a sheet does when somebody opens it for the first time, so that opening the page asks for nothing that is not seen.
import { ICommandService, type IWorksheetData } from '@univerjs/core';
import { SetRangeValuesMutation, SetWorksheetActiveOperation } from '@univerjs/preset-sheets-core';
import type { Grid } from '../grid/grid.ts';

/**
 * Runs something once.
 * @param sheetId - of the sheet whose opening is waited for
 */
export function onFirstOpening({ injector }: Grid, sheetId: string, run: () => void): void {
  const opening = injector.get(ICommandService).onCommandExecuted(({ id, params }) => {
    if (id !== SetWorksheetActiveOperation.id || !isOf(params, sheetId)) return;
    opening.dispose();
    run();
  });
}

/** Sets cells of a sheet by a mutation: nothing of this is the person's to undo. */
export function setCells(
  { injector, workbook }: Grid,
  subUnitId: string,
  cellValue: IWorksheetData['cellData'],
): void {
  const params = { unitId: workbook.getUnitId(), subUnitId, cellValue };
  void injector.get(ICommandService).executeCommand(SetRangeValuesMutation.id, params);
}

function isOf(params: object | undefined, sheetId: string): boolean {
  return params !== undefined && 'subUnitId' in params && params.subUnitId === sheetId;
}
