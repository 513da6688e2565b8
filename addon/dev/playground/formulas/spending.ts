// Credits spent by each formula.
import type { Cell, FormulaResult } from '../../host/types.ts';
import type { NetworkCall } from '../network.ts';
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
