// CDAPI_COUNT: how many records match.

import { requireFormulaConnection } from '../client/connection.ts';
import { search } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { formatAsOfNow, formatDate } from '../lib/dates.ts';
import { parseFamily, parseOptions, QUERY_OPTIONS } from './arguments/options.ts';
import { parseQuery } from './arguments/query.ts';

/**
 * Counts what matches.
 * @param _refresh - when it changes, Sheets asks again
 * @param options - `any_fields`
 * @returns the number, and as of when; where nothing matches also how many match without each condition
 * @throws Error with one sentence, where it can't be told, and where the query names an unknown field
 */
export function CDAPI_COUNT(
  family: unknown,
  query: unknown,
  _refresh?: unknown,
  options?: unknown,
): Cell[][] {
  const name = parseFamily(family);
  const parsedQuery = parseQuery(name, query, formatDate, parseOptions(options, QUERY_OPTIONS));
  const answer = search(requireFormulaConnection(), {
    family: name,
    ...parsedQuery,
    items_per_page: 1,
    explain_empty: true,
  });
  if (!answer.ok) throw new Error(answer.message);
  const { total, without = [] } = answer.body;
  const loosened = without.map(({ condition, total: more }) => `, without ${condition}: ${more}`);
  return [[total, formatAsOfNow() + loosened.join('')]];
}
