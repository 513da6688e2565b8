// Credits spent by each formula.
import type { Cell, FormulaResult } from '../../host/types.ts';
import type { NetworkCall } from '../network.ts';
import type { Evaluate } from './custom-functions.ts';

/** Reports the credits of a formula's last run. */
export type Tell = (at: Cell, credits: number) => void;

const keyOf = ({ sheet, row, column }: Cell): string => `${sheet}!${row},${column}`;

/** Counts the credits of each evaluation by cell. */
export class Spending {
  readonly #tell: Tell;
  /** Credits by cell of running formulas. */
  readonly #spent = new Map<string, number>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Counts an answered request. */
  called({ cell, spent }: NetworkCall): void {
    const key = cell === null ? undefined : keyOf(cell);
    const before = key === undefined ? undefined : this.#spent.get(key);
    if (key !== undefined && before !== undefined) this.#spent.set(key, before + (spent ?? 0));
  }

  /** Wraps an evaluation to report its credits. */
  watch(evaluate: Evaluate): Evaluate {
    return async (name, args, at): Promise<FormulaResult> => {
      const key = keyOf(at);
      this.#spent.set(key, 0);
      try {
        return await evaluate(name, args, at);
      } finally {
        this.#tell(at, this.#spent.get(key) ?? 0);
        this.#spent.delete(key);
      }
    };
  }
}
