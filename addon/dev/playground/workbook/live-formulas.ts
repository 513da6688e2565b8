// Enters the formulas of the formula sheet when the user first opens it.

import type { Tell } from '../formulas/spending.ts';
import { address } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { onFirstOpening, setCells } from './first-opening.ts';
import { ANSWER, FORMULA_SHEET, type FormulaSheet, SPENT } from './formula-sheet.ts';

/**
 * Enters the formulas on first opening.
 * @returns a function that shows the credits of a formula
 */
export function liveFormulas(grid: Grid, { live, toldIn }: FormulaSheet): Tell {
  onFirstOpening(grid, FORMULA_SHEET.id, () => {
    setCells(grid, FORMULA_SHEET.id, live);
    // Shows an example in the formula bar.
    const first = address(Number(Object.keys(live)[0] ?? 0), ANSWER);
    grid.api.getActiveWorkbook()?.getSheetBySheetId(FORMULA_SHEET.id)?.getRange(first).activate();
  });
  /** Credits by row and column: a block may have several formulas. */
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
