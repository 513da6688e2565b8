// CDAPI_CREDITS: the team's remaining credits.

import { openCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { getAccount } from '../client/gateway.ts';
import { type Cell, formatAsOfNow } from '../lib/dates.ts';
import { parseOptions, REFRESH_OPTIONS } from './arguments/options.ts';

/** Shown when no budget is set. */
export const NO_LIMIT = 'no limit';

/**
 * Returns the team's remaining credits.
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `refresh=1`
 * @returns the credits, and the time
 * @throws Error if the account can't be read
 */
export function CDAPI_CREDITS(_refresh?: unknown, options?: unknown): Cell[][] {
  parseOptions(options, REFRESH_OPTIONS);
  const connection = requireFormulaConnection();
  const answer = getAccount(connection);
  if (!answer.ok) throw new Error(answer.message);
  openCache(connection).setStamp(answer.body.stamp);
  return [[answer.body.remaining ?? NO_LIMIT, formatAsOfNow()]];
}
