// Enters the formulas of the formula sheet when the user first opens it.

import type { ReportSpending } from '../formulas/spending.ts';
import { toAddress } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { onFirstOpening, setCells } from './first-opening.ts';
import { FORMULA_SHEET, type FormulaSheet, RESULT_COLUMN, SPENT_COLUMN } from './formula-sheet.ts';

/**
 * Enters the formulas on first opening, unless the sheet already has formulas.
 * @returns a function that shows the credits of a formula
 */
export function enterFormulas(grid: Grid, { liveCells, getSpendingRow }: FormulaSheet): ReportSpending {
  onFirstOpening(grid, FORMULA_SHEET.id, () => {
    if (hasFormulas(grid)) return;
    setCells(grid, FORMULA_SHEET.id, liveCells);
    // Shows an example in the formula bar.
    const first = toAddress(Number(Object.keys(liveCells)[0] ?? 0), RESULT_COLUMN);
    grid.api.getActiveWorkbook()?.getSheetBySheetId(FORMULA_SHEET.id)?.getRange(first).activate();
  });
  /** Credits by row and column: a block may have several formulas. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const spendingRow = sheet === FORMULA_SHEET.name ? getSpendingRow(row - 1) : undefined;
    if (spendingRow === undefined || liveCells[row - 1]?.[column - 1]?.f === undefined) return;
    const blockCredits = spent.get(spendingRow) ?? new Map<number, number>();
    spent.set(spendingRow, blockCredits.set(column, credits));
    const sum = [...blockCredits.values()].reduce((a, b) => a + b, 0);
    const text = `${sum.toLocaleString('en')} ${sum === 1 ? 'credit' : 'credits'}`;
    setCells(grid, FORMULA_SHEET.id, { [spendingRow]: { [SPENT_COLUMN]: { v: text } } });
  };
}

function hasFormulas({ workbook }: Grid): boolean {
  let isFound = false;
  workbook
    .getSheetBySheetId(FORMULA_SHEET.id)
    ?.getCellMatrix()
    .forValue((_row, _column, cell) => {
      isFound ||= Boolean(cell?.f);
    });
  return isFound;
}
