// CDAPI_COUNT: the number of matching records.

import { requireFormulaConnection } from '../client/connection.ts';
import { search } from '../client/gateway.ts';
import { type Cell, formatAsOfNow, formatDate } from '../lib/dates.ts';
import { parseFamily, parseOptions, QUERY_OPTIONS } from './arguments/options.ts';
import { parseQuery } from './arguments/query.ts';
import { getRemainingMs } from './deadline.ts';

/**
 * Counts matching records.
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `any_fields`, `refresh=1`
 * @returns the number and the time; if nothing matches, also the count without each condition
 * @throws Error if the count fails, or the query names an unknown field
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
    wait_ms: getRemainingMs(),
  });
  if (!answer.ok) throw new Error(answer.message);
  const { total, without = [] } = answer.body;
  const loosened = without.map(({ condition, total: more }) => `, without ${condition}: ${more}`);
  return [[total, formatAsOfNow() + loosened.join('')]];
}
