// CDAPI_CREDITS: what the team may still spend.

import { memoryOf } from '../client/cache.ts';
import { readConnection } from '../client/connection.ts';
import { me } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { asOfNow } from '../lib/dates.ts';

/** What stands for a budget that nobody has set. */
export const NO_LIMIT = 'no limit';

/**
 * Tells the team's balance.
 * @param _refresh - when it changes, Sheets asks again
 * @returns the credits, and as of when
 * @throws Error with one sentence, where it can't be told
 */
export function CDAPI_CREDITS(_refresh?: unknown): Cell[][] {
  const connection = readConnection();
  const answer = me(connection);
  if (!answer.ok) throw new Error(answer.sentence);
  memoryOf(connection).learn(answer.body.stamp);
  return [[answer.body.remaining ?? NO_LIMIT, asOfNow()]];
}
