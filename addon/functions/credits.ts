// CDAPI_CREDITS: what the team may still spend.

import { openCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { getAccount } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { formatAsOfNow } from '../lib/dates.ts';

/** What stands for a budget that nobody has set. */
export const NO_LIMIT = 'no limit';

/**
 * Tells the team's balance.
 * @param _refresh - when it changes, Sheets asks again
 * @returns the credits, and as of when
 * @throws Error with one sentence, where it can't be told
 */
export function CDAPI_CREDITS(_refresh?: unknown): Cell[][] {
  const connection = requireFormulaConnection();
  const answer = getAccount(connection);
  if (!answer.ok) throw new Error(answer.message);
  openCache(connection).setStamp(answer.body.stamp);
  return [[answer.body.remaining ?? NO_LIMIT, formatAsOfNow()]];
}
