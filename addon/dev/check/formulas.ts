// Runs formulas of the check in its sheet and reads their values.
import { isLoading as isLoadingText } from '../../lib/cell-errors.ts';
import type { CheckContext } from './check.ts';

/** Tells whether a cell shows that its formula is still running. */
export const isLoading = (value: unknown): boolean => typeof value === 'string' && isLoadingText(value);

/** Reads a block from A1 as it is now. Without flush() a script sees the state of its last read. */
export function readCells({ sheet }: CheckContext, rows: number, columns = 1): unknown[][] {
  SpreadsheetApp.flush();
  return sheet.getRange(1, 1, rows, columns).getValues();
}

/** Writes a call of the check's function; the arguments are written as in a cell. Semicolons work in every locale. */
export const probe = (name: string, ...args: readonly string[]): string =>
  `=CDAPI_CHECK(${[`"${name}"`, ...args].join(';')})`;

/** Quotes a text for a formula. */
export const quote = (text: string): string => `"${text.replace(/"/g, '""')}"`;

const isFinal = (value: unknown): boolean => value !== '' && !isLoading(value);

/**
 * Sets formulas in the rows of column A and waits for their values. Each value is one cell.
 * @returns the values, or what the cells show after 40 seconds
 */
export function evaluate(context: CheckContext, formulas: readonly string[]): unknown[] {
  context.sheet.getRange(1, 1, formulas.length, 1).setFormulas(formulas.map((formula) => [formula]));
  return context.waitFor(
    () => readCells(context, formulas.length).map(([value]) => value),
    (shown) => shown.every(isFinal),
  );
}

/** Sets one formula in A1 and waits for its value. */
export const evaluateOne = (context: CheckContext, formula: string): string =>
  String(evaluate(context, [formula])[0]);

/** Runs a probe in A1 with an argument that no formula has been cached with. */
export const ask = (context: CheckContext, name: string, ...args: readonly string[]): string =>
  evaluateOne(context, probe(name, ...args, quote(context.nonce)));

/**
 * Sets a formula whose function waits, looks at the sheet, and lets the function return.
 * @param look - runs while the cell is loading
 */
export function whileRunning<T>(context: CheckContext, key: string, look: () => T): T {
  context.sheet.getRange(1, 1).setFormula(probe('hold', quote(key)));
  try {
    context.waitFor(
      () => readCells(context, 1)[0]?.[0],
      (value) => value !== '',
    );
    return look();
  } finally {
    CacheService.getScriptCache().put(toSignal(key), 'go', 600);
  }
}

/** The cache entry that lets a waiting function return. */
export const toSignal = (key: string): string => `cdapi-check go ${key}`;
