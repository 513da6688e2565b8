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

export interface PageRequest extends PageQuery {
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970; 0 accepts any. */
  since: number;
  /** Do not call the provider. */
  onlyIfCached?: boolean;
  /** Do not return a page from before `since`, even if no younger one can be fetched. */
  mustRevalidate?: boolean;
  waitMs: number;
  /** Highest price of the page; absent for no limit. */
  maxCredits?: number;
  /** See {@link SingleFlightRequest.cancelId}. */
  cancelId?: string;
}

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

export function isPage(envelope: Envelope): envelope is Envelope & { content: PageContent } {
  return envelope.content.kind === 'page';
}

export function toPageResult(
  outcome: 'hit' | 'stale' | 'coalesced' | 'fetched',
  envelope: Envelope,
  credits: number,
  remaining: number | null,
): PageResult {
  if (!isPage(envelope)) return { outcome: 'failed', problem: 'internal', credits };
  return { outcome, page: envelope.content, fetchedAt: envelope.fetchedAt, credits, remaining };
}

/**
 * Creates the cache name of a page.
 * @throws ProblemError `forbidden_scope` if the caller may not read it
 */
export async function getPageName(query: PageQuery, context: GatewayContext): Promise<string> {
  const { operation } = query;
  requireRead(context, { ...operation, operation: operation.name });
  return createPageName(context.payer.team, operation.name, operation.family, canonicalizeQuery(query));
}

export function buildPageCall(
  name: string,
  { operation, parameters, body, since }: PageQuery & Pick<PageRequest, 'since'>,
): CallRequest {
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

/** Fetches a page: from the cache if possible, otherwise from the provider. */
export async function fetchPage(request: PageRequest, context: GatewayContext): Promise<PageResult> {
  const startedAt = context.now();
  const result = await findOrBuyPage(request, context, startedAt);
  recordPage(request, result, context, startedAt);
  return result;
}

export function recordPage(
  { operation }: Pick<PageQuery, 'operation'>,
  { outcome, credits }: PageResult,
  context: GatewayContext,
  startedAt: number,
): void {
  const isShared = outcome === 'hit' || outcome === 'stale' || outcome === 'coalesced';
  context.recordUsage({
    family: operation.family,
    operation: operation.name,
    outcomes: { [outcome]: 1 },
    saved: isShared && credits === 0 ? operation.credits : 0,
    latencyMs: context.now() - startedAt,
  });
}

async function findOrBuyPage(
  request: PageRequest,
  context: GatewayContext,
  now: number,
): Promise<PageResult> {
  const { operation, since, onlyIfCached } = request;
  const name = await getPageName(request, context);
  const found = await context.cache.readPage(name);
  // The page may be cached and paid for. A free one can be fetched again.
  if (found === 'unreadable' && operation.credits > 0) {
    return { outcome: 'failed', problem: 'gateway_unavailable', credits: 0 };
  }
  const cached = found === 'unreadable' ? undefined : found;
  if (cached !== undefined && cached.fetchedAt >= since) {
    const outcome = cached.freshUntil > now ? 'hit' : 'stale';
    return toPageResult(outcome, cached, 0, context.remaining);
  }
  if (onlyIfCached) return { outcome: 'failed', problem: 'not_cached', credits: 0 };
  return buyPage(name, request, cached, context);
}

/** Fetches a page through the single flight. Falls back to an older page, if one is cached. */
async function buyPage(
  name: string,
  request: PageRequest,
  older: Envelope | undefined,
  context: GatewayContext,
): Promise<PageResult> {
  const { operation, mustRevalidate, waitMs, maxCredits, cancelId } = request;
  const { cache, identity, payer, lane } = context;
  const isAffordable = operation.credits <= (maxCredits ?? Number.POSITIVE_INFINITY);
  const results = await context.fetchCalls({
    identity,
    calls: [buildPageCall(name, request)],
    payer,
    lane,
    // The single-flight object may know a page that the request cannot pay for.
    waitMs: isAffordable ? waitMs : 0,
    background: false,
    ...(cancelId === undefined ? {} : { cancelId }),
  });
  const result = results.get(name);
  if (result !== undefined && 'envelope' in result) {
    cache.set(name, result.envelope, result.size);
    return toPageResult(result.outcome, result.envelope, result.credits, context.remaining);
  }
  const failure = isAffordable || result?.outcome === 'failed' ? toPageFailure(result) : TOO_EXPENSIVE;
  // An older page must not hide that the query itself is invalid.
  if (older === undefined || mustRevalidate || failure.problem === 'invalid_request') return failure;
  return toPageResult('stale', older, failure.credits, context.remaining);
}

const TOO_EXPENSIVE = { outcome: 'failed', problem: 'max_credits_reached', credits: 0 } as const;

export function toPageFailure(result: CallResult | undefined): PageFailure {
  if (result?.outcome === 'failed') {
    const { problem, answer, retryAfterMs, credits } = result;
    return {
      outcome: 'failed',
      problem,
      credits,
      ...defined({ answer, retryAfterMs }),
    };
  }
  const retryAfterMs = result?.outcome === 'pending' ? result.retryAfterMs : undefined;
  return {
    outcome: 'failed',
    problem: result === undefined ? 'internal' : 'pending',
    credits: 0,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
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
