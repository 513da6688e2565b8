// Custom data of rows and columns, which the grid moves with them.
import { type CustomData, ICommandService } from '@univerjs/core';
import { SetColDataMutation, SetRowDataMutation } from '@univerjs/preset-sheets-core';
import type { GridCore } from './grid.ts';

/**
 * Sets custom data of rows or columns, without an entry in the user's undo history.
 * @param sheetId - Univer's id of the sheet
 * @param lines - the whole custom data by number, from 0
 */
export function setLineData(
  { injector, workbook }: GridCore,
  sheetId: string,
  axis: 'row' | 'column',
  lines: Readonly<Record<number, CustomData>>,
): void {
  const data = Object.fromEntries(Object.entries(lines).map(([at, custom]) => [at, { custom }]));
  const target = { unitId: workbook.getUnitId(), subUnitId: sheetId };
  const commands = injector.get(ICommandService);
  if (axis === 'row') commands.syncExecuteCommand(SetRowDataMutation.id, { ...target, rowData: data });
  else commands.syncExecuteCommand(SetColDataMutation.id, { ...target, columnData: data });
}
