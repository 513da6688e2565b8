// Resolves a query to record ids, by free searches.
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkOperation } from '../../../shared/operations.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildProviderQuery, createPageError } from '../../gateway/query.ts';
import { fetchPage } from '../../gateway/search-pages.ts';
import { findBulkOperation } from './order.ts';

/** Ids per page. Provider API, "Limits". */
const PAGE_SIZE = 1000;
const MAX_PAGES = maxRequestRecords / PAGE_SIZE;
/** Limit for all pages. Apps Script cancels a call after a minute. */
const WAIT_MS = 25_000;

/** Result of a query. */
export interface ResolvedQuery {
  /** Distinct ids, in search order. */
  ids: string[];
  /** Number of matches. */
  total: number;
}

/** Finds the operation that orders records of a family by id. Every family with data requests has one. */
export const findIdOperation = (family: Family): BulkOperation | undefined =>
  findBulkOperation(family, 'ids') ?? findBulkOperation(family, 'id_file');

/**
 * Resolves a query; free. Pages are cached for ten minutes, so an order selects the same ids as its estimate.
 * @param limit - maximum number of ids, at most 10,000
 * @throws ProblemError with the provider's message, if there is one
 */
export async function resolveQuery(
  family: Family,
  query: Query,
  limit: number,
  context: GatewayContext,
): Promise<ResolvedQuery> {
  const providerQuery = buildProviderQuery('search', family, query);
  const deadline = context.now() + WAIT_MS;
  const ids = new Set<string>();
  let total = 0;
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES && ids.size < limit; page += 1) {
    const parameters = new URLSearchParams(providerQuery.parameters);
    parameters.set('items_per_page', String(PAGE_SIZE));
    if (after !== undefined) parameters.set('after', after);
    const waitMs = Math.max(0, deadline - context.now());
    const result = await fetchPage({ ...providerQuery, parameters, since: 0, waitMs }, context);
    if (result.outcome === 'failed') throw createPageError(result.problem, result.answer);
    const {
      items: { value: items },
      headers,
    } = result.page;
    if (page === 0) total = Number(headers['x-total-results'] ?? items.length);
    for (const item of items) ids.add(String(item));
    after = headers['x-next-page-after'];
    if (after === undefined || items.length === 0) break;
  }
  return { ids: [...ids].slice(0, limit), total };
}
