// Resolves the query of an order to the ids of its records, by free searches.
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkOperation } from '../../../shared/operations.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildProviderQuery, parseProviderMessage } from '../../gateway/query.ts';
import { fetchPage } from '../../gateway/search-pages.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { findBulkOperation } from './order.ts';

/** Ids of a page. Service description, "Limits". */
const PAGE_SIZE = 1000;
const MAX_PAGES = maxRequestRecords / PAGE_SIZE;
/** All pages together; Apps Script gives up on a call after a minute. */
const WAIT_MS = 25_000;

/** The records of a query. */
export interface ResolvedQuery {
  /** Distinct, in the order of the search. */
  ids: string[];
  /** How many records match. */
  total: number;
}

/** The operation by which records of a family are ordered by id; every family with data requests has one. */
export const findIdOperation = (family: Family): BulkOperation | undefined =>
  findBulkOperation(family, 'ids') ?? findBulkOperation(family, 'id_file');

/**
 * Resolves a query; free. Pages are cached for ten minutes, so that an order finds the ids that its price was made of.
 * @param limit - of ids, at most 10,000
 * @throws ProblemError in the provider's words where it said any
 */
export async function resolveQuery(
  family: Family,
  query: Query,
  limit: number,
  context: GatewayContext,
): Promise<ResolvedQuery> {
  const question = buildProviderQuery('search', family, query);
  const until = context.now() + WAIT_MS;
  const ids = new Set<string>();
  let total = 0;
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES && ids.size < limit; page += 1) {
    const parameters = new URLSearchParams(question.parameters);
    parameters.set('items_per_page', String(PAGE_SIZE));
    if (after !== undefined) parameters.set('after', after);
    const waitMs = Math.max(0, until - context.now());
    const answer = await fetchPage({ ...question, parameters, since: 0, waitMs }, context);
    if (answer.outcome === 'failed')
      throw new ProblemError(answer.problem, parseProviderMessage(answer.answer));
    const { items, headers } = answer.page;
    if (page === 0) total = Number(headers['x-total-results'] ?? items.length);
    for (const item of items) ids.add(String(item));
    after = headers['x-next-page-after'];
    if (after === undefined || items.length === 0) break;
  }
  return { ids: [...ids].slice(0, limit), total };
}
