// What each formula of the sheet of formulas spent, told beside it.
import type { Cell, FormulaResult } from '../../host/types.ts';
import type { NetworkCall } from '../network.ts';
import type { Evaluate } from './custom-functions.ts';

/** Told what a cell's formula spent when it last ran. */
export type Tell = (at: Cell, credits: number) => void;

const keyOf = ({ sheet, row, column }: Cell): string => `${sheet}!${row},${column}`;

/** Counts the credits of each evaluation by the cell that asked. */
export class Spending {
  readonly #tell: Tell;
  /** Of cells whose formulas run. */
  readonly #spent = new Map<string, number>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Counts a request that was answered. */
  called({ cell, spent }: NetworkCall): void {
    const key = cell === null ? undefined : keyOf(cell);
    const before = key === undefined ? undefined : this.#spent.get(key);
    if (key !== undefined && before !== undefined) this.#spent.set(key, before + (spent ?? 0));
  }

  /** Wraps an evaluation so that it is told what it spent. */
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
