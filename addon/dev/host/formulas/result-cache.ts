// Cache of formula results by name and arguments, as in Sheets. Errors are not cached.

import { pack } from '../threads/serializer.ts';
import type { FormulaResult } from '../types.ts';

/** Beyond this limit the oldest result is evicted. */
const MAX_RESULTS = 5000;

/** Formula results of one host. Keys use the arguments as the function receives them. */
export class ResultCache {
  readonly #results = new Map<string, FormulaResult>();

  get(name: string, args: readonly unknown[]): FormulaResult | undefined {
    return this.#results.get(toKey(name, args));
  }

  set(name: string, args: readonly unknown[], result: FormulaResult): void {
    if ('error' in result) return;
    this.#results.set(toKey(name, args), result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= MAX_RESULTS) break;
      this.#results.delete(oldest);
    }
  }

  /** Deletes all results, those of one function, or the one of these arguments. */
  delete(name?: string, args?: readonly unknown[]): void {
    if (name === undefined) this.#results.clear();
    else if (args !== undefined) this.#results.delete(toKey(name, args));
    else {
      for (const key of [...this.#results.keys()]) if (key.startsWith(`${name} `)) this.#results.delete(key);
    }
  }
}

function toKey(name: string, args: readonly unknown[]): string {
  return `${name} ${pack(args)}`;
}
