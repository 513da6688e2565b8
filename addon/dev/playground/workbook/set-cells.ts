// Sets cells of the samples.
import { ICommandService, type IWorksheetData } from '@univerjs/core';
import { SetRangeValuesMutation } from '@univerjs/preset-sheets-core';
import type { Grid } from '../grid/grid.ts';

/** Sets cells with a mutation, which bypasses the user's undo history. */
export function setCells(
  { injector, workbook }: Grid,
  subUnitId: string,
  cellValue: IWorksheetData['cellData'],
): void {
  const params = { unitId: workbook.getUnitId(), subUnitId, cellValue };
  void injector.get(ICommandService).executeCommand(SetRangeValuesMutation.id, params);
}
