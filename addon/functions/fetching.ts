// What formulas share: the time that they may take, what they may spend, and tables that are cached as a whole.

import type { Connection } from '../../shared/connection.ts';
import { formulaLateMs, formulaWaitMs } from '../../shared/limits.ts';
import { getCellError, type ProblemCode } from '../../shared/problems.ts';
import { openCache } from '../client/cache.ts';
import { call } from '../client/gateway.ts';
import { findConfirmedCredits, mayFormulaSpend } from '../client/spending.ts';
import { createGuard } from '../lib/json.ts';

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

/**
 * Sends the calls of a formula.
 * @param limit - credits that they may spend; undefined: the gateway applies the team's limit
 * @param isAsking - a person can confirm a higher price
 */
type LimitedFetch<T> = (limit: number | undefined, isAsking: boolean) => T;

/** Reads the credits that a formula may cost without a confirmation. Without an answer, nothing is bought. */
function readTeamLimit(connection: Connection): number | undefined {
  const answer = call(connection, 'getAccount');
  return answer.ok ? (answer.body.formula_max_credits ?? undefined) : 0;
}

/**
 * Fetches within what a formula may spend: its own `max_credits`, nothing while spending is off, else the team's limit, or the
 * price that a person has confirmed.
 * @param own - `max_credits`
 * @param calls - number of calls. Several share the limit, which the gateway applies to each
 * @param isRefused - tells whether the gateway asks for a confirmation
 */
export function fetchWithinLimit<T>(
  connection: Connection,
  own: number | undefined,
  calls: number,
  fetch: LimitedFetch<T>,
  isRefused: (fetched: T) => boolean,
): T {
  if (!mayFormulaSpend()) return fetch(0, false);
  if (own !== undefined) return fetch(own, false);
  if (calls > 1) return fetch(findConfirmedCredits() ?? readTeamLimit(connection), true);
  const fetched = fetch(undefined, true);
  const confirmed = isRefused(fetched) ? findConfirmedCredits() : undefined;
  return confirmed === undefined ? fetched : fetch(confirmed, true);
}

/** Returns the problem of rows above the limit: that of the formula itself, or the one that a person can confirm. */
export const toLimitProblem = <P extends ProblemCode | undefined>(
  problem: P,
  isAsking: boolean,
): P | 'confirm_price' =>
  isAsking && (problem === 'max_credits_reached' || problem === 'price_changed') ? 'confirm_price' : problem;

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
  const cache = openCache(connection);
  const cached = cache.get(name);
  if (isValid(cached)) return cached;
  const fetched = fetch();
  if (!isLate()) {
    cache.setStamp(fetched.stamp);
    if (fetched.isComplete) cache.put(name, fetched);
  }
  return fetched;
}

export interface FetchedTable extends Fetched {
  heading: string[];
  rows: unknown[][];
}

/** The result of a formula whose price has to be confirmed. */
export const createRefusedTable = (message: string): FetchedTable => ({
  heading: [getCellError('confirm_price'), message],
  rows: [],
  isComplete: false,
});

export const isRefusedTable = ({ heading: [first] }: FetchedTable): boolean =>
  first === getCellError('confirm_price');

const isTable = createGuard<FetchedTable>({ heading: 'list', rows: 'list' });

/**
 * Returns a table from the cache, or buys it within what the formula may spend.
 * @param own - `max_credits`
 * @param calls - number of calls that it takes
 * @param purpose - `to see a preview`, for the message if spending is off
 * @throws Error if spending is off
 */
export const loadTable = (
  connection: Connection,
  name: readonly unknown[],
  { own, calls, purpose }: { own: number | undefined; calls: number; purpose: string },
  fetch: LimitedFetch<FetchedTable>,
): FetchedTable =>
  loadCached(connection, name, isTable, () => {
    if (mayFormulaSpend()) return fetchWithinLimit(connection, own, calls, fetch, isRefusedTable);
    throw new Error(`Spending is off for this spreadsheet: switch it on in the sidebar ${purpose}.`);
  });
