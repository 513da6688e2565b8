// What formulas share: the time that they may take, and tables that are cached as a whole.

import type { Connection } from '../../shared/connection.ts';
import { formulaLateMs, formulaWaitMs } from '../../shared/limits.ts';
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

/** What the gateway returned. */
export interface Fetched {
  /** No part is pending or failed. */
  isComplete: boolean;
  stamp?: string;
}

/** Returns a value from the cache, or fetches it. Complete values are cached. */
export function loadCached<T extends Fetched>(
  connection: Connection,
  name: readonly unknown[],
  isValid: (cached: unknown) => cached is T,
  fetch: () => T,
): T {
  const memory = openCache(connection);
  const cached = memory.get(name);
  if (isValid(cached)) return cached;
  const fetched = fetch();
  if (!isLate()) {
    memory.setStamp(fetched.stamp);
    if (fetched.isComplete) memory.put(name, fetched);
  }
  return fetched;
}

export interface FetchedTable extends Fetched {
  heading: string[];
  rows: unknown[][];
}

const isTable = (value: unknown): value is FetchedTable =>
  typeof value === 'object' && value !== null && 'heading' in value && 'rows' in value;

/**
 * Returns a table from the cache, or buys it.
 * @param purpose - `to see a preview`, for the message if spending is off
 * @throws Error if spending is off
 */
export const loadTable = (
  connection: Connection,
  name: readonly unknown[],
  purpose: string,
  fetch: () => FetchedTable,
): FetchedTable =>
  loadCached(connection, name, isTable, () => {
    if (mayFormulaSpend()) return fetch();
    throw new Error(`Spending is off for this spreadsheet: switch it on in the sidebar ${purpose}.`);
  });
