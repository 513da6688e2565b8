// Counts the matches of a query by a free search, to price a data request.
import type { Family } from '../../../shared/families/index.ts';
import { operations, type QueryOperation, type QueryStyle } from '../../../shared/operations.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { fetchPage, type PageResult } from '../../gateway/search-pages.ts';

const WAIT_MS = 20_000;

/** Failure of a count. */
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
  const request = { operation, parameters, body, since: context.now(), noOlder: true, waitMs: WAIT_MS };
  const result = await fetchPage(request, context);
  if (result.outcome === 'failed') return result;
  const total = Number(result.page.headers['x-total-results']);
  return Number.isSafeInteger(total) ? total : { outcome: 'failed', problem: 'provider_refused', credits: 0 };
}
