// Brings the sheet of formulas to life when somebody opens it, so that opening the page asks for nothing that is not seen.
import { ICommandService } from '@univerjs/core';
import { SetRangeValuesMutation, SetWorksheetActiveOperation } from '@univerjs/preset-sheets-core';
import { address } from './cells.ts';
import { ANSWER, FORMULA_SHEET, type FormulaSheet, SPENT } from './formula-sheet.ts';
import type { Grid } from './grid.ts';
import type { Tell } from './spending.ts';

/**
 * Sets the formulas of the sheet when it is first opened.
 * @returns tells what a formula of the sheet spent
 */
export function liveFormulas({ api, injector, workbook }: Grid, { live, toldIn }: FormulaSheet): Tell {
  const commands = injector.get(ICommandService);
  const set = (cellValue: FormulaSheet['live']): void => {
    // A mutation: nothing of this is the person's to undo.
    const params = { unitId: workbook.getUnitId(), subUnitId: FORMULA_SHEET.id, cellValue };
    void commands.executeCommand(SetRangeValuesMutation.id, params);
  };
  const opening = commands.onCommandExecuted(({ id, params }) => {
    if (id !== SetWorksheetActiveOperation.id || !isOf(params, FORMULA_SHEET.id)) return;
    opening.dispose();
    set(live);
    // The formula bar then shows an example.
    const first = address(Number(Object.keys(live)[0] ?? 0), ANSWER);
    api.getActiveWorkbook()?.getSheetBySheetId(FORMULA_SHEET.id)?.getRange(first).activate();
  });
  /** Of each formula, by its cell: a block may have several. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const told = sheet === FORMULA_SHEET.name ? toldIn(row - 1) : undefined;
    if (told === undefined || live[row - 1]?.[column - 1]?.f === undefined) return;
    const own = spent.get(told) ?? new Map<number, number>();
    spent.set(told, own.set(column, credits));
    const sum = [...own.values()].reduce((one, other) => one + other, 0);
    set({ [told]: { [SPENT]: { v: `${sum.toLocaleString('en')} ${sum === 1 ? 'credit' : 'credits'}` } } });
  };
}

function isOf(params: object | undefined, sheetId: string): boolean {
  return params !== undefined && 'subUnitId' in params && params.subUnitId === sheetId;
}
