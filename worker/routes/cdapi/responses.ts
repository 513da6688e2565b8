// Responses of the drop-in API: the provider's bodies, and the gateway's problems in the provider's error formats.
import { createProblem, type ProblemCode, problems } from '../../../shared/problems.ts';
import type { RawResponse } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { RequestTextProblem } from '../../http/read-body.ts';
import { toUnexpectedProblem } from '../../http/unexpected-error.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { type SharedLimit, setLimitHeaders } from './service-headers.ts';

/** Values of the `x-cache` header. */
const cacheStatuses = { hit: 'hit', stale: 'stale', coalesced: 'coalesced', fetched: 'miss' } as const;

/** Prevents browsers from rendering text bodies as HTML. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

/** Data for the response headers. */
export interface ResponseMetadata {
  outcome: keyof typeof cacheStatuses;
  /** Time of the provider's answer, and current time, in milliseconds since 1970. */
  fetchedAt: number;
  now: number;
  credits: number;
  /** Credits that the team may still spend. null if no cap is set. */
  remaining: number | null;
  limit: SharedLimit;
}

const MAX_TEMPLATES = 100;

/** Responses without a body whose headers are common: copying them is much faster than setting each. */
const templates = new Map<string, Response>();

function getTemplate(status: number, { outcome, credits, remaining, limit }: ResponseMetadata): Response {
  const key = `${status} ${outcome} ${credits} ${remaining} ${limit?.perS} ${limit?.leftPerS} ${limit?.policy}`;
  const cached = templates.get(key);
  if (cached !== undefined) return cached;
  const headers = new Headers({
    'content-type': 'application/json',
    'x-cache': cacheStatuses[outcome],
    'x-credits-charged': String(credits),
    ...(remaining === null ? {} : { 'x-credits-remaining': String(remaining) }),
    // Proxies must not store bought records.
    'cache-control': 'private, no-store',
    ...NO_SNIFFING,
  });
  setLimitHeaders(headers, limit);
  const template = new Response(null, { status, headers });
  if (templates.size >= MAX_TEMPLATES) templates.clear();
  templates.set(key, template);
  return template;
}

/** Creates a response with cost and cache headers. */
export function createDataResponse(
  body: string,
  status: number,
  metadata: ResponseMetadata,
  additionalHeaders: Iterable<readonly [string, string]> = [],
): Response {
  const response = new Response(body, getTemplate(status, metadata));
  const { headers } = response;
  headers.set('age', String(Math.max(0, Math.floor((metadata.now - metadata.fetchedAt) / 1000))));
  for (const [name, value] of additionalHeaders) headers.set(name, value);
  return response;
}

/** Name of the body member that contains the message. */
export type BodyShape = 'detail' | 'message';

/** Format of gateway problems by status, following the service's errors (provider API, "Errors"). Others have a `detail`. */
const problemFormats: Readonly<Record<number, { shape: BodyShape; text?: string }>> = {
  401: { shape: 'message', text: 'Unauthorized' },
  402: { shape: 'detail', text: 'Insufficient credits' },
  403: { shape: 'message' },
  429: { shape: 'message', text: 'API rate limit exceeded' },
};

/** Returns the status and body format of a problem in the drop-in API. */
export function getProblemFormat(code: ProblemCode): { status: number; shape: BodyShape; text?: string } {
  const { status } = problems[code].policy;
  return { status, ...(problemFormats[status] ?? { shape: 'detail' }) };
}

/**
 * Creates the response for a problem of the gateway.
 * @param detail - more specific than the problem's title
 * @param status - replaces the problem's status
 */
export function createProblemResponse(
  code: ProblemCode,
  detail?: string,
  headers: Record<string, string> = {},
  status = getProblemFormat(code).status,
): Response {
  const { shape, text } = getProblemFormat(code);
  return createRefusal(code, { [shape]: text ?? createProblem(code, detail).detail }, headers, status);
}

/**
 * Creates the response for a request that is refused as the service refuses it.
 * @param body - the service's error body; a text is JSON
 */
export function createRefusal(
  code: ProblemCode,
  body: object | string,
  headers: Record<string, string> = {},
  status = problems[code].policy.status,
): Response {
  const own = { 'content-type': 'application/json', 'x-problem': code, 'cache-control': 'no-store' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { ...headers, ...own, ...NO_SNIFFING } });
}

export function createErrorResponse(error: Error, request: Request, id: string): Response {
  if (error instanceof RequestTextProblem) return createRefusal(error.problem.code, error.serviceBody);
  const { problem, headers } = error instanceof ProblemError ? error : toUnexpectedProblem(error, id);
  if (problem.code === 'unauthorised' && !request.headers.get('apikey'))
    return createRefusal('unauthorised', { message: 'No API key found in request' });
  return createProblemResponse(problem.code, problem.detail, headers);
}

/** Formats Retry-After in whole seconds (RFC 9110, 10.2.3). */
function retryAfterHeader(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
}

/** Statuses that concern the gateway's provider key, not the caller's token. */
const PROVIDER_KEY_STATUSES = new Set([401, 403]);

/**
 * Creates the response for a failed call. Passes the provider's error on if it concerns the caller; a body that is not JSON is
 * replaced by the gateway's problem with the same status.
 */
export function createFailureResponse({
  problem,
  answer,
  retryAfterMs,
  credits,
}: {
  problem: ProblemCode;
  answer?: RawResponse;
  retryAfterMs?: number;
  credits: number;
}): Response {
  // Clients of the service repeat a call after 429, and would take 202 for an answer.
  const code = problem === 'pending' ? 'rate_limited' : problem;
  const wait = problems[code].policy.retry === 'soon' ? retryAfterHeader(retryAfterMs ?? 1000) : {};
  const headers = { ...wait, 'x-credits-charged': String(credits) };
  if (answer === undefined || PROVIDER_KEY_STATUSES.has(answer.status) || answer.status < 400) {
    return createProblemResponse(code, undefined, headers);
  }
  // The provider's errors are JSON, those of proxies are not.
  if (parseJson(answer.body) === undefined)
    return createProblemResponse(code, undefined, headers, answer.status);
  return createRefusal(code, answer.body, headers, answer.status);
}
