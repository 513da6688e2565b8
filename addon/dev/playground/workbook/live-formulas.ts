// Brings the sheet of formulas to life when somebody opens it.

import type { Tell } from '../formulas/spending.ts';
import { address } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { onFirstOpening, setCells } from './first-opening.ts';
import { ANSWER, FORMULA_SHEET, type FormulaSheet, SPENT } from './formula-sheet.ts';

/**
 * Sets the formulas of the sheet when it is first opened.
 * @returns tells what a formula of the sheet spent
 */
export function liveFormulas(grid: Grid, { live, toldIn }: FormulaSheet): Tell {
  onFirstOpening(grid, FORMULA_SHEET.id, () => {
    setCells(grid, FORMULA_SHEET.id, live);
    // The formula bar then shows an example.
    const first = address(Number(Object.keys(live)[0] ?? 0), ANSWER);
    grid.api.getActiveWorkbook()?.getSheetBySheetId(FORMULA_SHEET.id)?.getRange(first).activate();
  });
  /** Of each formula, by its cell: a block may have several. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const told = sheet === FORMULA_SHEET.name ? toldIn(row - 1) : undefined;
    if (told === undefined || live[row - 1]?.[column - 1]?.f === undefined) return;
    const own = spent.get(told) ?? new Map<number, number>();
    spent.set(told, own.set(column, credits));
    const sum = [...own.values()].reduce((one, other) => one + other, 0);
    const words = `${sum.toLocaleString('en')} ${sum === 1 ? 'credit' : 'credits'}`;
    setCells(grid, FORMULA_SHEET.id, { [told]: { [SPENT]: { v: words } } });
  };
}
