// Tells when formulas that ran out of budget may run again: once for each time that there are more credits.
import type { Connection } from '../../shared/connection.ts';
import { openCache, type SpreadsheetCache } from '../client/cache.ts';
import { getAccount } from '../client/gateway.ts';
import { isSpendingOn } from '../client/spending.ts';

const NAME = ['budget of formulas'];

/** The credits that there were when it was last looked: `any` where no cap is set, `off` where nothing may be spent. */
type BudgetLevel = number | 'any' | 'off';

/** Undefined where nobody can say. */
function readBudgetLevel(connection: Connection, memory: SpreadsheetCache): BudgetLevel | undefined {
  if (!isSpendingOn()) return 'off';
  const answer = getAccount(connection);
  if (!answer.ok) return undefined;
  memory.setStamp(answer.body.stamp);
  const { spending, remaining } = answer.body;
  return spending && remaining !== 0 ? (remaining ?? 'any') : 'off';
}

/**
 * Tells whether there are credits now, and more of them than when it was last looked: after spending was switched on, a cap
 * was raised, or a new day began.
 */
export function hasMoreBudget(connection: Connection): boolean {
  const memory = openCache(connection);
  const now = readBudgetLevel(connection, memory);
  if (now === undefined) return false;
  const before = memory.get(NAME);
  const isMore = typeof now === 'number' && typeof before === 'number' ? now > before : now !== before;
  const isBack = now !== 'off' && isMore;
  // What was spent meanwhile may come back; what is back is kept only when formulas ran for it.
  if (!isBack) memory.put(NAME, now);
  return isBack;
}

/** Keeps that formulas ran again for the credits that there are now: they wait for more. */
export function recordBudgetTried(connection: Connection): void {
  const memory = openCache(connection);
  memory.put(NAME, readBudgetLevel(connection, memory));
}
