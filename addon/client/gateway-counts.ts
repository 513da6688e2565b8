// Counts of several searches at once, for lists of values.
import type { Query } from '../../shared/api/query.ts';
import type { SearchResponse } from '../../shared/api/search.ts';
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families/index.ts';
import { openCache } from './cache.ts';
import { type GatewayCall, sendAll } from './gateway.ts';
import { unwrap } from './gateway-history.ts';
import { createGuard } from './http.ts';

const isSearch = createGuard<SearchResponse>({ ids: 'list', total: 'number' });

const toCall = (family: Family, query: Query): GatewayCall => ({
  method: 'post',
  path: 'search',
  body: { ...query, family, items_per_page: 1 },
});

/**
 * Counts the matches of queries, in parallel. Free; Google's cache keeps the counts for six hours.
 * @throws AddonError if one of them fails
 */
export function countAll(connection: Connection, family: Family, queries: readonly Query[]): number[] {
  const cache = openCache(connection);
  const cached = queries.map((query) => cache.get(['count', family, query]));
  const open = queries.filter((_, at) => typeof cached[at] !== 'number');
  const totals = new Map<Query, number>();
  const answers =
    open.length === 0
      ? []
      : sendAll(
          connection,
          open.map((query) => toCall(family, query)),
          isSearch,
        );
  for (const [at, answer] of answers.entries()) {
    const query = open[at];
    const { total } = unwrap(answer);
    if (query === undefined) continue;
    totals.set(query, total);
    cache.put(['count', family, query], total);
  }
  return queries.map((query, at) => {
    const known = cached[at];
    return typeof known === 'number' ? known : (totals.get(query) ?? 0);
  });
}
