// How many records a query matches, as the provider counts them now: what a data request is priced by. Free.
import type { Family } from '../../../shared/families/index.ts';
import { operations, type QueryOperation, type QueryStyle } from '../../../shared/operations.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { fetchPage, type PageResult } from '../../gateway/search-pages.ts';

const WAIT_MS = 20_000;

/** What the count came to nothing with. */
export type CountFailure = Extract<PageResult, { outcome: 'failed' }>;

function findSearchOperation(family: Family, style: QueryStyle): QueryOperation | undefined {
  return operations.find(
    (operation): operation is QueryOperation =>
      operation.name === 'search' && operation.family === family && operation.style === style,
  );
}

/**
 * Counts what a query matches, anew.
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
  const asked = { operation, parameters, body, since: context.now(), noOlder: true, waitMs: WAIT_MS };
  const answer = await fetchPage(asked, context);
  if (answer.outcome === 'failed') return answer;
  const total = Number(answer.page.headers['x-total-results']);
  return Number.isSafeInteger(total) ? total : { outcome: 'failed', problem: 'provider_refused', credits: 0 };
}
