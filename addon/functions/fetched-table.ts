// What formulas share: the time that they may take, and tables that are cached as a whole.

import type { Connection } from '../../shared/connection.ts';
import { formulaLateMs, formulaWaitMs } from '../../shared/formula-limits.ts';
import { openCache } from '../client/cache.ts';
import { mayFormulaSpend } from '../client/spending.ts';

/** Apps Script evaluates the script for each execution, so this is the start of the formula. */
const startedAt = Date.now();

/** Returns the milliseconds that the calls of this formula may still take. */
export function getRemainingMs(): number {
  return Math.max(0, startedAt + formulaWaitMs - Date.now());
}

/** Tells whether optional work, such as writing caches, could exceed the limit of Apps Script. */
export function isLate(): boolean {
  return Date.now() - startedAt > formulaLateMs;
}

export interface FetchedTable {
  heading: string[];
  rows: unknown[][];
  /** No part is pending or failed. */
  isComplete: boolean;
  stamp?: string;
}

const isTable = (value: unknown): value is FetchedTable =>
  typeof value === 'object' && value !== null && 'heading' in value && 'rows' in value;

/**
 * Returns a table from the cache, or fetches it. Complete tables are cached.
 * @param purpose - `to see a preview`, for the message if spending is off
 * @throws Error if spending is off
 */
export function loadTable(
  connection: Connection,
  name: readonly unknown[],
  purpose: string,
  fetch: () => FetchedTable,
): FetchedTable {
  const memory = openCache(connection);
  const cached = memory.get(name);
  if (isTable(cached)) return cached;
  if (!mayFormulaSpend())
    throw new Error(`Spending is off for this spreadsheet: switch it on in the sidebar ${purpose}.`);
  const { stamp, ...table } = fetch();
  if (!isLate()) {
    memory.setStamp(stamp);
    if (table.isComplete) memory.put(name, table);
  }
  return table;
}
