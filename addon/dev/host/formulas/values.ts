// Custom functions: arguments, outcomes, and the cache of results, as in Sheets.
import { isCellValue } from '../calls.ts';
import type { Failure, Outcome } from '../threads/protocol.ts';
import { pack, unpack } from '../threads/protocol.ts';
import type { Argument, CellValue, FormulaResult } from '../types.ts';

/**
 * Converts an argument for a custom function. Guide "Custom functions", arguments: a single cell is its value, a range a
 * two-dimensional array, an empty cell ''. An omitted argument is undefined.
 */
export function toFunctionArgument(
  argument: Argument,
): CellValue | readonly (readonly CellValue[])[] | undefined {
  if (argument === null || argument === undefined) return undefined;
  if (isCellValue(argument)) return argument;
  const [row] = argument;
  const [value] = row ?? [];
  return argument.length === 1 && row?.length === 1 && value !== undefined ? value : argument;
}

/** Converts an outcome; the realm has already converted the value to cells. */
export function toFormulaResult(outcome: Outcome): FormulaResult {
  if (!outcome.done) return { error: outcome.failure.message, tooltip: formatTooltip(outcome.failure) };
  const rows = unpack(outcome.value);
  if (!Array.isArray(rows)) throw new TypeError('the outcome of a formula is not a list of cells');
  const values = rows.map((row: unknown) => (Array.isArray(row) ? row.filter(isCellValue) : []));
  return { values };
}

function formatTooltip({ name, message, line }: Failure): string {
  const sentence = name === '' ? message : `${name}: ${message}`;
  return line === undefined ? sentence : `${sentence} (line ${line}).`;
}

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
