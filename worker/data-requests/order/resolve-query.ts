// Resolves a query to record ids, by free searches.
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkOperation } from '../../../shared/operations.ts';
import { operations, type QueryOperation, type QueryStyle } from '../../../shared/operations.ts';
import type { Env } from '../../env.ts';
import { canonicalizeJson } from '../../gateway/cache/canonical-json.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildProviderQuery, createPageError } from '../../gateway/query.ts';
import { fetchPage, type PageResult } from '../../gateway/search-pages.ts';
import { DataRequestRepository } from '../repository.ts';
import type { QueryPricing, QuerySelection } from './order.ts';
import { findBulkOperation } from './order.ts';
import { getSelection } from './selection-store.ts';

/** Ids per page. Provider API, "Limits". */
const PAGE_SIZE = 1000;
const MAX_PAGES = maxRequestRecords / PAGE_SIZE;
/** Limit for all pages. Apps Script cancels a call after a minute. */
const WAIT_MS = 25_000;

export interface ResolvedQuery {
  /** Distinct ids, in search order. */
  ids: string[];
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

const COUNT_WAIT_MS = 20_000;

export type CountFailure = Extract<PageResult, { outcome: 'failed' }>;

function findSearchOperation(family: Family, style: QueryStyle): QueryOperation | undefined {
  return operations.find(
    (operation): operation is QueryOperation =>
      operation.name === 'search' && operation.family === family && operation.style === style,
  );
}

/**
 * Counts the matches of a query, without the cache.
 * @param body - the filter object or DSL body, as JSON
 */
export async function countMatches(
  family: Family,
  style: QueryStyle,
  body: string,
  context: GatewayContext,
): Promise<number | CountFailure> {
  const operation = findSearchOperation(family, style);
  if (operation === undefined) return { outcome: 'failed', problem: 'invalid_request', credits: 0 };
  const parameters = new URLSearchParams({ items_per_page: '1' });
  const request = { operation, parameters, body, since: context.now(), noOlder: true, waitMs: COUNT_WAIT_MS };
  const result = await fetchPage(request, context);
  if (result.outcome === 'failed') return result;
  const total = Number(result.page.headers['x-total-results']);
  return Number.isSafeInteger(total) ? total : { outcome: 'failed', problem: 'provider_refused', credits: 0 };
}

/** Reads one object of R2 each. */
const MAX_RUNNING = 50;

/** Returns the limit that the caller named; null for none. */
const getRequestedLimit = ({ limit, requestedLimit }: QuerySelection): number | null =>
  requestedLimit === undefined ? (limit ?? null) : requestedLimit;

/** Lists the selections of data requests that are running with a query, however it is written. */
async function listRunning(
  env: Env,
  { family, kind }: BulkOperation,
  query: string,
): Promise<QuerySelection[]> {
  const canonical = canonicalizeJson(query);
  const rows = await new DataRequestRepository(env.DB).listRunning(family, kind, MAX_RUNNING);
  const selections = await Promise.all(rows.map(({ id }) => getSelection(env, id)));
  return selections.flatMap((selection) =>
    selection !== undefined && 'query' in selection && canonicalizeJson(selection.query) === canonical
      ? [selection]
      : [],
  );
}

/**
 * Chooses the limit to submit. The number of matches may replace the limits of several callers; then each gets another number.
 * A query that is running with the same limit of its caller is submitted as it was, so that the provider refuses it.
 */
export async function separateFromRunning(
  env: Env,
  operation: BulkOperation,
  pricing: QueryPricing,
): Promise<QueryPricing> {
  const { selection, records } = pricing;
  const requested = getRequestedLimit(selection);
  const running = await listRunning(env, operation, selection.query);
  const repeated = running.find((other) => getRequestedLimit(other) === requested);
  const taken = new Set(running.map(({ limit }) => limit));
  const highest = Math.min(requested ?? maxRequestRecords, maxRequestRecords);
  let limit = records;
  while (limit < highest && taken.has(limit)) limit += 1;
  const submitted = repeated === undefined ? limit : (repeated.limit ?? records);
  return submitted === records
    ? pricing
    : { ...pricing, records: submitted, selection: { ...selection, limit: submitted } };
}
