// Fetches pages of searches and previews. A page is cached for its team, by its query.

import { maxQueryLength } from '../../shared/api/query.ts';
import { previewMaxPage } from '../../shared/families/previews.ts';
import { defined } from '../../shared/lib/defined.ts';
import type { QueryOperation } from '../../shared/operations.ts';
import { requireRead } from './auth/tokens.ts';
import { createPageName } from './cache/cache-keys.ts';
import { canonicalizeJson } from './cache/canonical-json.ts';
import type { PageContent } from './cache/content.ts';
import type { Envelope } from './cache/envelope.ts';
import type { GatewayContext } from './context.ts';
import type { CallProblem, CallRequest, CallResult, SingleFlightRequest } from './single-flight/types.ts';
import type { RawResponse } from './upstream/upstream.ts';

export interface PageQuery {
  operation: QueryOperation;
  /** As they are sent to the provider. */
  parameters: URLSearchParams;
  /** JSON, as the caller sent it. */
  body: string;
}

/** A page and its youngest acceptable age. */
export interface DatedPage extends PageQuery {
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970; 0 accepts any. */
  since: number;
}

export interface PageOptions {
  waitMs: number;
  /** Do not call the provider. */
  onlyIfCached?: boolean;
  /** Do not return a page from before `since`, even if no younger one can be fetched. */
  mustRevalidate?: boolean;
  /** Highest price of a page; absent for no limit. */
  maxCredits?: number;
  /** See {@link SingleFlightRequest.cancelId}. */
  cancelId?: string | undefined;
}

export interface PageRequest extends DatedPage, PageOptions {}

/** A page, or why there is none. */
export type PageResult =
  | {
      outcome: 'hit' | 'stale' | 'coalesced' | 'fetched';
      page: PageContent;
      fetchedAt: number;
      credits: number;
      remaining: number | null;
    }
  | {
      outcome: 'failed';
      problem: CallProblem;
      answer?: RawResponse;
      retryAfterMs?: number;
      credits: number;
    };

export type PageFailure = Extract<PageResult, { outcome: 'failed' }>;

/** A parameter with its default value is the same as an absent one. */
const defaultParameters: Readonly<Record<string, string>> = {
  page: '1',
  items_per_page: '1000',
  snapshot: 'false',
};

function canonicalizeQuery({ operation, parameters, body }: PageQuery): string {
  // A repeated parameter is kept: only the provider knows which value counts.
  const significant = [...parameters].filter(
    ([name, value]) => defaultParameters[name] !== value || parameters.getAll(name).length > 1,
  );
  const sorted = new URLSearchParams(significant);
  sorted.sort();
  // The provider may count white space, so a body that is too long with it is another query.
  const canonical = body.length > maxQueryLength ? undefined : canonicalizeJson(body);
  return `${operation.path}?${sorted}\n${canonical ?? body}`;
}

function isPage(envelope: Envelope): envelope is Envelope & { content: PageContent } {
  return envelope.content.kind === 'page';
}

/**
 * Creates the cache name of a page.
 * @throws ProblemError `forbidden_scope` if the caller may not read it
 */
async function getPageName(query: PageQuery, context: GatewayContext): Promise<string> {
  const { operation } = query;
  requireRead(context, { ...operation, operation: operation.name });
  return createPageName(context.payer.team, operation.name, operation.family, canonicalizeQuery(query));
}

function buildPageCall(name: string, { operation, parameters, body, since }: DatedPage): CallRequest {
  const query = parameters.size === 0 ? '' : `?${parameters}`;
  return {
    name,
    operation: operation.name,
    family: operation.family,
    method: operation.method,
    path: operation.path + query,
    body,
    credits: operation.credits,
    since,
  };
}

/** Reads pages from the cache, and missing ones through the single flight. */
async function readPages(
  requests: readonly DatedPage[],
  { waitMs, cancelId, onlyIfCached = false }: PageOptions,
  context: GatewayContext,
) {
  const { cache, identity, payer, lane } = context;
  const calls = await Promise.all(
    requests.map(async (request) => buildPageCall(await getPageName(request, context), request)),
  );
  const known = await cache.readPages(calls.map(({ name }) => name));
  const pages = calls.map((call) => {
    const found = known.get(call.name);
    const envelope = found === 'unreadable' ? undefined : found;
    const isUsable = envelope !== undefined && envelope.fetchedAt >= call.since;
    return {
      call,
      cached: isUsable ? envelope : undefined,
      older: isUsable ? undefined : envelope,
      // The page may be cached and paid for. A free one can be fetched again.
      isUnreadable: found === 'unreadable' && call.credits > 0,
    };
  });
  const missing = new Map<string, CallRequest>();
  for (const { call, cached, isUnreadable } of pages) {
    if (!onlyIfCached && cached === undefined && (!isUnreadable || waitMs === 0))
      missing.set(call.name, call);
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
          ...defined({ cancelId }),
        });
  return pages.map((page) => ({ ...page, result: results.get(page.call.name) }));
}

/** Fetches a page. Falls back to an older page, if one is cached. */
export async function fetchPage(request: PageRequest, context: GatewayContext): Promise<PageResult> {
  const [page = toCallFailure(undefined)] = await fetchPages([request], request, context);
  return page;
}

/**
 * Fetches pages that do not depend on each other, in one batch: cached ones are free. Equal requests are fetched once.
 * @param requests - one kind of operation
 * @returns a result for each request, in their order. Pages that are not ready in time are `pending`; later calls of the
 * provider for them are withdrawn
 */
export async function fetchPages(
  requests: readonly DatedPage[],
  options: PageOptions,
  context: GatewayContext,
): Promise<PageResult[]> {
  const { maxCredits = Number.POSITIVE_INFINITY, onlyIfCached, mustRevalidate } = options;
  const startedAt = context.now();
  const isAffordable = requests.every(({ operation }) => operation.credits <= maxCredits);
  // The single-flight object may know a page that the request cannot pay for.
  const waitMs = isAffordable ? options.waitMs : 0;
  const pages = await readPages(requests, { ...options, waitMs }, context);
  type Success = Exclude<PageResult, PageFailure>;
  const succeed = (outcome: Success['outcome'], envelope: Envelope, credits: number): PageResult => {
    if (!isPage(envelope)) return fail('internal', credits);
    const { content: page, fetchedAt } = envelope;
    return { outcome, page, fetchedAt, credits, remaining: context.remaining };
  };
  const toResult = ({ call, cached, older, isUnreadable, result }: (typeof pages)[number]): PageResult => {
    if (cached !== undefined) return succeed(cached.freshUntil > startedAt ? 'hit' : 'stale', cached, 0);
    if (result !== undefined && 'envelope' in result) {
      context.cache.set(call.name, result.envelope, result.size);
      return succeed(result.outcome, result.envelope, result.credits);
    }
    if (isUnreadable) return fail('gateway_unavailable');
    if (onlyIfCached) return fail('not_cached');
    const isKnownFailure = isAffordable || result?.outcome === 'failed';
    const failure = isKnownFailure ? toCallFailure(result) : fail('max_credits_reached');
    // An older page must not hide that the query itself is invalid.
    const isFinal = older === undefined || mustRevalidate || failure.problem === 'invalid_request';
    return isFinal ? failure : succeed('stale', older, failure.credits);
  };
  const charged = new Set<string>();
  return pages.map((read) => {
    const page = toResult(read);
    if (charged.has(read.call.name)) return { ...page, credits: 0 };
    charged.add(read.call.name);
    recordPage(read.call, page, context, startedAt);
    return page;
  });
}

/**
 * Finds pages that cost nothing: in the cache, or in a single-flight object that has just fetched them. Does not call the
 * provider.
 * @returns the headers of each page, in the order of the requests; undefined for a page that would have to be bought
 */
export async function findCachedPages(
  requests: readonly DatedPage[],
  context: GatewayContext,
): Promise<(Record<string, string> | undefined)[]> {
  const pages = await readPages(requests, { waitMs: 0 }, context);
  return pages.map(({ cached, result }) => {
    const envelope = cached ?? (result !== undefined && 'envelope' in result ? result.envelope : undefined);
    return envelope !== undefined && isPage(envelope) ? envelope.content.headers : undefined;
  });
}

function recordPage(
  { family, operation, credits: price }: CallRequest,
  { outcome, credits }: PageResult,
  context: GatewayContext,
  startedAt: number,
): void {
  const isShared = outcome === 'hit' || outcome === 'stale' || outcome === 'coalesced';
  context.recordUsage({
    family,
    operation,
    outcomes: { [outcome]: 1 },
    saved: isShared && credits === 0 ? price : 0,
    latencyMs: context.now() - startedAt,
  });
}

const fail = (problem: CallProblem, credits = 0): PageFailure => ({ outcome: 'failed', problem, credits });

/** Describes why a call has no answer. @param result - undefined if the single flight has not responded to it */
export function toCallFailure(result: CallResult | undefined): PageFailure {
  if (result?.outcome === 'failed') {
    const { problem, answer, retryAfterMs, credits } = result;
    return { ...fail(problem, credits), ...defined({ answer, retryAfterMs }) };
  }
  const retryAfterMs = result?.outcome === 'pending' ? result.retryAfterMs : undefined;
  return { ...fail(result === undefined ? 'internal' : 'pending'), ...defined({ retryAfterMs }) };
}

/**
 * Deletes the cached first page of a snapshot that the provider no longer knows: its snapshot token is useless. A first
 * page with another token stays.
 * @param refused - the query of a later page, which the provider refused
 */
export async function deleteExpiredSnapshot(refused: PageQuery, context: GatewayContext): Promise<void> {
  const parameters = new URLSearchParams(refused.parameters);
  const token = parameters.get('snapshot_token');
  const page = Number(parameters.get('page') ?? 1);
  if (token === null || !(page >= 1 && page <= previewMaxPage)) return;
  parameters.delete('page');
  parameters.delete('snapshot_token');
  parameters.set('snapshot', 'true');
  const name = await getPageName({ ...refused, parameters }, context);
  const first = await context.cache.readPage(name);
  if (first === undefined || first === 'unreadable' || !isPage(first)) return;
  if (first.content.headers['x-snapshot-token'] === token) await context.deletePage(name);
}
