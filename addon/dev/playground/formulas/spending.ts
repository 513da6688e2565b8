// Credits spent by each formula, and their column in the formula sheet.

import { formatCount } from '../../../../shared/lib/format-count.ts';
import type { Cell, FormulaResult } from '../../host/types.ts';
import type { Grid } from '../grid/grid.ts';
import type { NetworkCall } from '../network.ts';
import { FORMULA_SHEET, type FormulaSheet, SPENT_COLUMN } from '../workbook/formula-sheet.ts';
import { setCells } from '../workbook/sample.ts';
import type { Evaluate } from './custom-functions.ts';

/** Reports the credits of a formula's last run. */
export type ReportSpending = (at: Cell, credits: number) => void;

const toKey = ({ sheet, row, column }: Cell): string => `${sheet}!${row},${column}`;

/** Counts the credits of each evaluation by cell. */
export class SpendingTracker {
  readonly #report: ReportSpending;
  /** Credits by cell of running formulas. */
  readonly #spent = new Map<string, number>();

  constructor(report: ReportSpending) {
    this.#report = report;
  }

  /** Counts an answered request. */
  addCall({ cell, spent }: NetworkCall): void {
    const key = cell === null ? undefined : toKey(cell);
    const before = key === undefined ? undefined : this.#spent.get(key);
    if (key !== undefined && before !== undefined) this.#spent.set(key, before + (spent ?? 0));
  }

  /** Wraps an evaluation to report its credits. */
  watch(evaluate: Evaluate): Evaluate {
    return async (name, args, at): Promise<FormulaResult> => {
      const key = toKey(at);
      this.#spent.set(key, 0);
      try {
        return await evaluate(name, args, at);
      } finally {
        this.#report(at, this.#spent.get(key) ?? 0);
        this.#spent.delete(key);
      }
    };
  }
}

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
