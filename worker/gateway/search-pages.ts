// The way of a search or preview: a page is remembered by its question, for the team that asked it.

import { previewMaxPage } from '../../shared/families/previews.ts';
import type { QueryOperation } from '../../shared/operations.ts';
import { createPageName } from './cache/cache-keys.ts';
import { canonicalizeJson } from './cache/canonical-json.ts';
import type { Envelope } from './cache/envelope.ts';
import type { GatewayContext } from './context.ts';
import type { CallProblem, CallRequest, CallResult, SingleFlightRequest } from './single-flight/types.ts';
import type { RawResponse } from './upstream/upstream.ts';

/** One page to bring. */
export interface PageRequest {
  operation: QueryOperation;
  /** As the provider is to get them. */
  parameters: URLSearchParams;
  /** JSON, as it came. */
  body: string;
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970; 0 takes any. */
  since: number;
  /** Nothing is to be asked of the provider. */
  onlyIfCached?: boolean;
  /** What was fetched before `since` is no answer, even where there is no other. */
  mustRevalidate?: boolean;
  /** Milliseconds. */
  waitMs: number;
  /** What the page may cost; anything where absent. */
  maxCredits?: number;
  /** See {@link SingleFlightRequest.cancelId}. */
  cancelId?: string;
}

/** What came of it. */
export type PageResult =
  | {
      outcome: 'hit' | 'stale' | 'coalesced' | 'fetched';
      page: { items: unknown[]; headers: Record<string, string> };
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

/** Parameters that say what would be so without them. */
const defaultParameters: Readonly<Record<string, string>> = {
  page: '1',
  items_per_page: '1000',
  snapshot: 'false',
};

function canonicalizeQuery({
  operation,
  parameters,
  body,
}: Pick<PageRequest, 'operation' | 'parameters' | 'body'>): string {
  // One that stands twice stays as it is: only the provider knows which of the two counts.
  const told = [...parameters].filter(
    ([name, value]) => defaultParameters[name] !== value || parameters.getAll(name).length > 1,
  );
  const sorted = new URLSearchParams(told);
  sorted.sort();
  return `${operation.path}?${sorted}\n${canonicalizeJson(body) ?? body}`;
}

function isPage(envelope: Envelope): envelope is Envelope & { content: { kind: 'page' } } {
  return envelope.content.kind === 'page';
}

function toPageResult(
  outcome: 'hit' | 'stale' | 'coalesced' | 'fetched',
  envelope: Envelope,
  credits: number,
  remaining: number | null,
): PageResult {
  if (!isPage(envelope)) return { outcome: 'failed', problem: 'internal', credits };
  const { items, headers } = envelope.content;
  return { outcome, page: { items, headers }, fetchedAt: envelope.fetchedAt, credits, remaining };
}

/** @returns the name under which the page is remembered */
async function getPageName(
  question: Pick<PageRequest, 'operation' | 'parameters' | 'body'>,
  context: GatewayContext,
): Promise<string> {
  const { operation } = question;
  return createPageName(context.payer.team, operation.name, operation.family, canonicalizeQuery(question));
}

function buildPageCall(
  name: string,
  { operation, parameters, body, since }: Pick<PageRequest, 'operation' | 'parameters' | 'body' | 'since'>,
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

/**
 * Brings a page: from memory where it is remembered, otherwise from the provider.
 */
export async function fetchPage(question: PageRequest, context: GatewayContext): Promise<PageResult> {
  const { operation, since, onlyIfCached, mustRevalidate, waitMs, cancelId } = question;
  const isAffordable = operation.credits <= (question.maxCredits ?? Number.POSITIVE_INFINITY);
  const { cache, identity, payer, lane, now } = context;
  const started = now();
  const name = await getPageName(question, context);
  const found = await cache.readPage(name);
  const count = (answer: PageResult): PageResult => {
    const { outcome } = answer;
    const free = outcome === 'hit' || outcome === 'stale' || outcome === 'coalesced';
    context.recordUsage({
      family: operation.family,
      operation: operation.name,
      outcomes: { [outcome]: 1 },
      saved: free && answer.credits === 0 ? operation.credits : 0,
      latencyMs: now() - started,
    });
    return answer;
  };
  // What may have been paid for is not paid again; what is free is asked.
  if (found === 'unread' && operation.credits > 0)
    return count({ outcome: 'failed', problem: 'gateway_unavailable', credits: 0 });
  const known = found === 'unread' ? undefined : found;
  if (known !== undefined && known.fetchedAt >= since) {
    const outcome = known.freshUntil > started ? 'hit' : 'stale';
    return count(toPageResult(outcome, known, 0, context.remaining));
  }
  if (onlyIfCached) return count({ outcome: 'failed', problem: 'not_remembered', credits: 0 });

  const call = buildPageCall(name, question);
  const rows = await context.fetchCalls({
    identity,
    calls: [call],
    payer,
    lane,
    // A page that may not be bought may still be known to its single-flight object.
    waitMs: isAffordable ? waitMs : 0,
    background: false,
    ...(cancelId === undefined ? {} : { cancelId }),
  });
  const row = rows.get(name);
  if (row !== undefined && 'envelope' in row) {
    cache.set(name, row.envelope, row.size);
    return count(toPageResult(row.outcome, row.envelope, row.credits, context.remaining));
  }
  // An older page is better than none, unless the provider says that the question itself is wrong.
  const failure = isAffordable || row?.outcome === 'failed' ? toPageFailure(row) : TOO_EXPENSIVE;
  if (known === undefined || mustRevalidate || failure.problem === 'invalid_request') return count(failure);
  return count(toPageResult('stale', known, failure.credits, context.remaining));
}

const TOO_EXPENSIVE = { outcome: 'failed', problem: 'max_credits_reached', credits: 0 } as const;

/**
 * Finds pages that can be answered without paying: in the cache, or in a flight that has just brought them. Asks the
 * provider for nothing.
 * @returns the headers of each page, in the order of the questions; undefined for a page that would be bought
 */
export async function findCachedPages(
  questions: readonly Omit<PageRequest, 'waitMs'>[],
  context: GatewayContext,
): Promise<(Record<string, string> | undefined)[]> {
  const { cache, identity, payer, lane } = context;
  const known = await Promise.all(
    questions.map(async (question) => {
      const name = await getPageName(question, context);
      const found = await cache.readPage(name);
      const isGood = found !== undefined && found !== 'unread' && found.fetchedAt >= question.since;
      return { call: buildPageCall(name, question), envelope: isGood ? found : undefined };
    }),
  );
  const calls = known.flatMap(({ call, envelope }) => (envelope === undefined ? [call] : []));
  const rows =
    calls.length === 0
      ? new Map<string, CallResult>()
      : await context.fetchCalls({ identity, calls, payer, lane, waitMs: 0, background: false });
  return known.map(({ call, envelope }) => {
    const row = rows.get(call.name);
    const found = envelope ?? (row !== undefined && 'envelope' in row ? row.envelope : undefined);
    return found !== undefined && isPage(found) ? found.content.headers : undefined;
  });
}

function toPageFailure(row: CallResult | undefined): Extract<PageResult, { outcome: 'failed' }> {
  if (row?.outcome === 'failed') {
    const { problem, answer, retryAfterMs, credits } = row;
    return {
      outcome: 'failed',
      problem,
      credits,
      ...(answer === undefined ? {} : { answer }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  const retryAfterMs = row?.outcome === 'pending' ? row.retryAfterMs : undefined;
  return {
    outcome: 'failed',
    problem: row?.outcome === 'pending' ? 'rate_limited' : 'internal',
    credits: 0,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/**
 * Forgets the page that began a snapshot, when the provider no longer knows the snapshot: its token leads nowhere. A page
 * that gave another token stays.
 * @param question - of a page behind it, which the provider refused
 */
export async function deleteExpiredSnapshot(
  question: Pick<PageRequest, 'operation' | 'parameters' | 'body'>,
  context: GatewayContext,
): Promise<void> {
  const parameters = new URLSearchParams(question.parameters);
  const token = parameters.get('snapshot_token');
  const page = Number(parameters.get('page') ?? 1);
  if (token === null || !(page >= 1 && page <= previewMaxPage)) return;
  parameters.delete('page');
  parameters.delete('snapshot_token');
  parameters.set('snapshot', 'true');
  const name = await getPageName({ ...question, parameters }, context);
  const first = await context.cache.readPage(name);
  if (first === undefined || first === 'unread' || !isPage(first)) return;
  if (first.content.headers['x-snapshot-token'] === token) await context.deletePage(name);
}
