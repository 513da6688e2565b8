// Shows in the formula sheet what each formula has spent.
import { formatCount } from '../../../../shared/lib/format-count.ts';
import type { ReportSpending } from '../formulas/spending.ts';
import type { Grid } from '../grid/grid.ts';
import { FORMULA_SHEET, type FormulaSheet, SPENT_COLUMN } from './formula-sheet.ts';
import { setCells } from './set-cells.ts';

/** Creates a function that shows the credits of a formula of the formula sheet. */
export function showSpending(grid: Grid, { liveCells, getSpendingRow }: FormulaSheet): ReportSpending {
  /** Credits by row and column: a block may have several formulas. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const spendingRow = sheet === FORMULA_SHEET.name ? getSpendingRow(row - 1) : undefined;
    if (spendingRow === undefined || liveCells[row - 1]?.[column - 1]?.f === undefined) return;
    const blockCredits = spent.get(spendingRow) ?? new Map<number, number>();
    spent.set(spendingRow, blockCredits.set(column, credits));
    const sum = [...blockCredits.values()].reduce((a, b) => a + b, 0);
    const text = `${formatCount(sum, 'credit')}`;
    setCells(grid, FORMULA_SHEET.id, { [spendingRow]: { [SPENT_COLUMN]: { v: text } } });
  };
}
