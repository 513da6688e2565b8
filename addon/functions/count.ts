// CDAPI_COUNT: how many records match.
import type { Cell } from '../cells.ts';
import { readConnection } from '../connection.ts';
import { search } from '../gateway.ts';
import { readFamily } from './arguments.ts';
import { asOfNow, writeDate } from './clock.ts';
import { readQuery } from './queries.ts';
import { refuseQueryTypos } from './typos.ts';

/**
 * Counts what matches.
 * @param _refresh - when it changes, Sheets asks again
 * @returns the number, and as of when
 * @throws Error with one sentence, where it can't be told, and where nothing matches because a field is misspelt
 */
export function CDAPI_COUNT(family: unknown, query: unknown, _refresh?: unknown): Cell[][] {
  const name = readFamily(family);
  const asked = readQuery(name, query, writeDate);
  const connection = readConnection();
  const answer = search(connection, { family: name, ...asked, items_per_page: 1 });
  if (!answer.ok) throw new Error(answer.sentence);
  if (answer.body.total === 0) refuseQueryTypos(connection, name, query);
  return [[answer.body.total, asOfNow()]];
}
