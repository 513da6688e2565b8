// The answers of the drop-in surface: the provider's own bodies, and ours in its shapes.
import { LRUCache } from 'lru-cache';
import { createProblem, type ProblemCode, problems } from '../../../shared/problems.ts';
import type { RawResponse } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toUnexpectedProblem } from '../../http/unexpected-error.ts';

/** What happened to a call, as `x-cache` says it. */
const cacheStatuses = { hit: 'hit', stale: 'stale', coalesced: 'coalesced', fetched: 'miss' } as const;

/** A body that the provider calls text is not to be taken for a page. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

/** What the headers of an answer tell. */
export interface ResponseMetadata {
  outcome: keyof typeof cacheStatuses;
  /** When the provider said it, and what time it is: milliseconds since 1970. */
  fetchedAt: number;
  now: number;
  /** Credits. */
  credits: number;
  /** Credits that the team may still spend; null where no cap is set. */
  remaining: number | null;
}

const MAX_CACHED_HEADERS = 100;

/** Headers that many answers have in common: the platform copies them in a fraction of the time that it takes them in. */
const headersCache = new LRUCache<string, Headers>({ max: MAX_CACHED_HEADERS });

function getCommonHeaders({ outcome, credits, remaining }: ResponseMetadata): Headers {
  const key = `${outcome} ${credits} ${remaining}`;
  const known = headersCache.get(key);
  if (known !== undefined) return known;
  const made = new Headers({
    'content-type': 'application/json',
    'x-cache': cacheStatuses[outcome],
    'x-credits-charged': String(credits),
    ...(remaining === null ? {} : { 'x-credits-remaining': String(remaining) }),
    // What was bought is the caller's own: no proxy on the way may keep it.
    'cache-control': 'private, no-store',
    ...NO_SNIFFING,
  });
  headersCache.set(key, made);
  return made;
}

/**
 * An answer that tells what it cost and where it came from.
 * @param body - JSON
 * @param more - headers to add
 */
export function createDataResponse(
  body: string,
  status: number,
  told: ResponseMetadata,
  more: Readonly<Record<string, string>> = {},
): Response {
  const response = new Response(body, { status, headers: getCommonHeaders(told) });
  const { headers } = response;
  headers.set('age', String(Math.max(0, Math.floor((told.now - told.fetchedAt) / 1000))));
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return response;
}

/** The member of a body that holds the text. */
export type BodyShape = 'detail' | 'message';

/** Problems of the gateway, said as the service says such things (contract, "Errors"). */
const problemFormats: Partial<Record<ProblemCode, { status: number; shape: BodyShape; text?: string }>> = {
  unauthorised: { status: 401, shape: 'message', text: 'Unauthorized' },
  forbidden_scope: { status: 403, shape: 'message' },
  over_budget: { status: 402, shape: 'detail', text: 'Insufficient credits' },
  spending_off: { status: 402, shape: 'detail', text: 'Insufficient credits' },
  provider_out_of_credits: { status: 402, shape: 'detail', text: 'Insufficient credits' },
  rate_limited: { status: 429, shape: 'message', text: 'API rate limit exceeded' },
  erased: { status: 410, shape: 'detail' },
};

/** How the drop-in surface says a problem of the gateway. */
export function getProblemFormat(code: ProblemCode): { status: number; shape: BodyShape; text?: string } {
  return problemFormats[code] ?? { status: problems[code].status, shape: 'detail' };
}

/**
 * An answer of the gateway itself.
 * @param detail - what exactly, where that says more than the problem's own sentence
 * @param headers - to add
 */
export function createProblemResponse(
  code: ProblemCode,
  detail?: string,
  headers: Record<string, string> = {},
): Response {
  const body = createProblem(code, detail);
  const { status, shape, text } = getProblemFormat(code);
  const said = { ...headers, 'x-problem': code, 'cache-control': 'no-store', ...NO_SNIFFING };
  return Response.json({ [shape]: text ?? body.detail }, { status, headers: said });
}

/**
 * The answer to a request that ended with an error.
 * @param request - its id
 */
export function createErrorResponse(error: Error, request: string): Response {
  const { problem, headers } = error instanceof ProblemError ? error : toUnexpectedProblem(error, request);
  return createProblemResponse(problem.code, problem.detail, headers);
}

/** Retry-After in whole seconds (RFC 9110, 10.2.3). */
function retryAfterHeader(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
}

/** Problems that may be over when the caller tries again. */
const RETRYABLE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'rate_limited',
  'provider_unavailable',
  'gateway_unavailable',
]);

/** Statuses by which the provider speaks of our key, not of the caller's. */
const PROVIDER_KEY_STATUSES = new Set([401, 403]);

/**
 * The answer to a call that brought nothing: the provider's own, where it said something to the caller.
 */
export function createFailureResponse({
  problem: code,
  answer,
  retryAfterMs,
  credits,
}: {
  problem: ProblemCode;
  answer?: RawResponse;
  retryAfterMs?: number;
  credits: number;
}): Response {
  const wait = RETRYABLE.has(code) ? retryAfterHeader(retryAfterMs ?? 1000) : {};
  const headers = { ...wait, 'x-credits-charged': String(credits) };
  if (answer === undefined || PROVIDER_KEY_STATUSES.has(answer.status) || answer.status < 400) {
    return createProblemResponse(code, undefined, headers);
  }
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      ...headers,
      'content-type': answer.contentType,
      'x-problem': code,
      'cache-control': 'no-store',
      ...NO_SNIFFING,
    },
  });
}
