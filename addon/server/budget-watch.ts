// Detects when formulas that ran out of budget may run again: once after each increase.
import type { Connection } from '../../shared/connection.ts';
import { openCache, type SpreadsheetCache } from '../client/cache.ts';
import { call } from '../client/gateway.ts';
import { isSpendingOn } from '../client/spending.ts';

const NAME = ['budget of formulas'];

/** The last known remaining credits: `any` without a cap, `off` if spending is not possible. */
type BudgetLevel = number | 'any' | 'off';

/** Returns undefined if the account can't be read. */
function readBudgetLevel(connection: Connection, memory: SpreadsheetCache): BudgetLevel | undefined {
  if (!isSpendingOn()) return 'off';
  const answer = call(connection, 'getAccount', {});
  if (!answer.ok) return undefined;
  memory.setStamp(answer.body.stamp);
  const { spending, remaining } = answer.body;
  return spending && remaining !== 0 ? (remaining ?? 'any') : 'off';
}

/** Tells whether there are more credits than before: spending was switched on, a cap was raised, or a new day began. */
export function hasMoreBudget(connection: Connection): boolean {
  const memory = openCache(connection);
  const now = readBudgetLevel(connection, memory);
  if (now === undefined) return false;
  const before = memory.get(NAME);
  const isMore = typeof now === 'number' && typeof before === 'number' ? now > before : now !== before;
  const isBack = now !== 'off' && isMore;
  // Don't store an increase yet: it counts until formulas have run for it.
  if (!isBack) memory.put(NAME, now);
  return isBack;
}

/** Records that formulas ran for the current budget. */
export function recordBudgetTried(connection: Connection): void {
  const memory = openCache(connection);
  memory.put(NAME, readBudgetLevel(connection, memory));
}
