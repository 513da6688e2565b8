// Fetches many independent pages together.
import type { GatewayContext } from './context.ts';
import {
  buildPageCall,
  getPageName,
  isPage,
  type PageQuery,
  type PageResult,
  recordPage,
  toPageFailure,
  toPageResult,
} from './search-pages.ts';
import type { CallRequest, CallResult } from './single-flight/types.ts';

/** Requests one of several pages; see {@link PageRequest}. */
type BatchedPage = PageQuery & { since: number };

export interface BatchOptions {
  waitMs: number;
  /** See {@link SingleFlightRequest.cancelId}. */
  cancelId?: string | undefined;
}

/** Reads pages from the cache, and missing ones through the single flight. */
async function readPages(
  requests: readonly BatchedPage[],
  { waitMs, cancelId }: BatchOptions,
  context: GatewayContext,
) {
  const { cache, identity, payer, lane } = context;
  const calls = await Promise.all(
    requests.map(async (request) => buildPageCall(await getPageName(request, context), request)),
  );
  const known = await cache.readPages(calls.map(({ name }) => name));
  const pages = calls.map((call) => {
    const found = known.get(call.name);
    const isUsable = found !== undefined && found !== 'unreadable' && found.fetchedAt >= call.since;
    // The page may be cached and paid for. A free one can be fetched again.
    const isUnreadable = found === 'unreadable' && call.credits > 0;
    return { call, cached: isUsable ? found : undefined, isUnreadable };
  });
  const missing = new Map<string, CallRequest>();
  for (const { call, cached, isUnreadable } of pages) {
    if (cached === undefined && (!isUnreadable || waitMs === 0)) missing.set(call.name, call);
  }
  const results =
    missing.size === 0
      ? new Map<string, CallResult>()
      : await context.fetchCalls({
          identity,
          calls: [...missing.values()],
          payer,
          lane,
          waitMs,
          background: false,
          ...(cancelId === undefined ? {} : { cancelId }),
        });
  return pages.map((page) => ({ ...page, result: results.get(page.call.name) }));
}

/**
 * Fetches pages that do not depend on each other, in one batch: cached ones are free. Equal requests are fetched once.
 * @param requests - one kind of operation
 * @returns a result for each request, in their order. Pages that are not ready in time are `pending`; later calls of the
 * provider for them are withdrawn
 */
export async function fetchPages(
  requests: readonly BatchedPage[],
  options: BatchOptions,
  context: GatewayContext,
): Promise<PageResult[]> {
  const startedAt = context.now();
  const pages = await readPages(requests, options, context);
  const charged = new Set<string>();
  return pages.map(({ call, cached, isUnreadable, result }, index): PageResult => {
    const isFirst = !charged.has(call.name);
    charged.add(call.name);
    let page: PageResult;
    if (cached !== undefined) {
      page = toPageResult(cached.freshUntil > startedAt ? 'hit' : 'stale', cached, 0, context.remaining);
    } else if (result !== undefined && 'envelope' in result) {
      context.cache.set(call.name, result.envelope, result.size);
      const credits = isFirst ? result.credits : 0;
      page = toPageResult(result.outcome, result.envelope, credits, context.remaining);
    } else if (isUnreadable) {
      page = { outcome: 'failed', problem: 'gateway_unavailable', credits: 0 };
    } else page = { ...toPageFailure(result), ...(isFirst ? {} : { credits: 0 }) };
    const request = requests[index];
    if (request !== undefined && isFirst) recordPage(request, page, context, startedAt);
    return page;
  });
}

/**
 * Finds pages that cost nothing: in the cache, or in a single-flight object that has just fetched them. Does not call the
 * provider.
 * @returns the headers of each page, in the order of the requests; undefined for a page that would have to be bought
 */
export async function findCachedPages(
  requests: readonly BatchedPage[],
  context: GatewayContext,
): Promise<(Record<string, string> | undefined)[]> {
  const pages = await readPages(requests, { waitMs: 0 }, context);
  return pages.map(({ cached, result }) => {
    const envelope = cached ?? (result !== undefined && 'envelope' in result ? result.envelope : undefined);
    return envelope !== undefined && isPage(envelope) ? envelope.content.headers : undefined;
  });
}
