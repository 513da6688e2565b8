// Last room: the provider, reached in one way whether it is a remote service or the sandbox.
import * as z from 'zod';
import { logError } from '../../http/log.ts';
import { readText } from '../../http/read-text.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { Content } from '../cache/envelope.ts';
import type { ProviderCall } from '../provider-call.ts';
import { classifyError, classifyStatus, type ProviderEndpoint, sendToProvider } from './delivery.ts';
import { redactKey } from './redact-key.ts';

/** A provider of the service: a request in, a response out. */
export interface Upstream extends ProviderEndpoint {
  /** Names whose answers these are; part of every name under which something is remembered. */
  identity: string;
  /** Are its records fictional? */
  isSandbox?: true;
}

/** An answer that is no content, as it came, but without our key. */
export interface RawResponse {
  status: number;
  contentType: string;
  body: string;
}

/**
 * What came of a call.
 * `content`: charged where it is a record or a page, free where it says that there is none.
 * `refused`: free, and the same call would be refused again.
 * `unavailable`: free, and the same call may go through later.
 * `unclear`: nobody knows whether it was charged, so it is never sent again by itself.
 */
export type ProviderResponse =
  | { kind: 'content'; content: Content }
  | { kind: 'refused'; answer: RawResponse }
  | { kind: 'unavailable'; answer?: RawResponse }
  | { kind: 'unclear' };

/** What the provider says about itself beside an answer. */
export interface RateLimitHints {
  limitPerS?: number;
  balance?: number;
  retryAfterMs?: number;
}

/** What the provider says of one call beside its answer; drop-in callers are told, and nothing of it is stored. */
export interface CallHeaders {
  /** From `x-ratelimit-limit-second` and `x-ratelimit-remaining-second`: calls of our key in a second. */
  limitPerS?: number;
  remainingPerS?: number;
  /** From `x-correlation-id`: opaque. */
  correlationId?: string;
}

/** What came of a call, and what was said beside it. */
export interface ProviderResult {
  response: ProviderResponse;
  hints: RateLimitHints;
  callHeaders: CallHeaders;
}

/** The service answers in a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
/** A page of previews with logos is the largest answer there is; what is larger can't be remembered. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
const IDENTITY_LENGTH = 16;

/** An id in a form that is safe in a header and in a log: the service's own are UUIDs. */
const CORRELATION_ID = /^[\w.:-]{1,100}$/;

/** Contract, "Headers": what tells about a page and has to be remembered with it. */
const pageHeaders = [
  'x-next-page-after',
  'x-total-pages',
  'x-total-results',
  'x-items-per-page',
  'x-snapshot-token',
];

const recordBody = z.record(z.string(), z.unknown());
const pageBody = z.array(z.unknown());
const detailBody = z.object({ detail: z.string() });

function buildRequestInit({ method, body }: ProviderCall, signal: AbortSignal): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method, signal, ...(body === undefined ? {} : { headers, body }) };
}

function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const seconds = parseWholeNumber(text);
  const ms = seconds === undefined ? Date.parse(text) - now : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** A ceiling of nothing would stop every call: it says nothing. */
function readLimit(headers: Headers): { limitPerS?: number } {
  const limitPerS = parseWholeNumber(headers.get('x-ratelimit-limit-second'));
  return limitPerS === undefined || limitPerS === 0 ? {} : { limitPerS };
}

function readCallHeaders(headers: Headers, apiKey: string): CallHeaders {
  const remainingPerS = parseWholeNumber(headers.get('x-ratelimit-remaining-second'));
  const correlationId = redactKey(apiKey, headers.get('x-correlation-id') ?? '');
  return {
    ...readLimit(headers),
    ...(remainingPerS === undefined ? {} : { remainingPerS }),
    ...(CORRELATION_ID.test(correlationId) ? { correlationId } : {}),
  };
}

function readHints(headers: Headers, now: number): RateLimitHints {
  const balance = parseWholeNumber(headers.get('x-credits-remaining'));
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now);
  return {
    ...readLimit(headers),
    ...(balance === undefined ? {} : { balance }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function parseContent(
  call: ProviderCall,
  body: unknown,
  headers: Headers,
  apiKey: string,
): Content | undefined {
  if (call.operation === 'collect' || call.operation === 'enrich') {
    const record = recordBody.safeParse(body);
    return record.success ? { kind: 'record', record: record.data } : undefined;
  }
  const items = pageBody.safeParse(body);
  if (!items.success) return undefined;
  const told = pageHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, redactKey(apiKey, value)] as const];
  });
  return { kind: 'page', items: items.data, headers: Object.fromEntries(told) };
}

/** An answer that says how short it is comes in one piece: the platform takes no more than it says. */
function isShort({ headers }: Response): boolean {
  const length = parseWholeNumber(headers.get('content-length'));
  return length !== undefined && length <= MAX_ANSWER_BYTES && !headers.has('content-encoding');
}

async function readJson(response: Response, apiKey: string): Promise<unknown> {
  try {
    const text = isShort(response) ? await response.text() : await readText(response, MAX_ANSWER_BYTES);
    return text === undefined ? undefined : JSON.parse(redactKey(apiKey, text));
  } catch (error) {
    logError('provider_answer_unread', error, { status: response.status });
    return undefined;
  }
}

/**
 * Makes an answer of the provider fit to be passed on and kept: without our key.
 * @param body - its text
 */
export function toRawResponse({ status, headers }: Response, body: string, apiKey: string): RawResponse {
  const contentType = redactKey(apiKey, headers.get('content-type') ?? 'text/plain');
  return { status, contentType, body: redactKey(apiKey, body) };
}

async function readErrorBody(response: Response, apiKey: string): Promise<RawResponse | undefined> {
  try {
    const body = await readText(response, MAX_REFUSAL_BYTES);
    return body === undefined ? undefined : toRawResponse(response, body, apiKey);
  } catch (error) {
    logError('provider_answer_unread', error, { status: response.status });
    return undefined;
  }
}

const isRecordCall = ({ operation }: ProviderCall): boolean =>
  operation === 'collect' || operation === 'enrich';

function isMissingRecord({ status, body }: RawResponse): boolean {
  // A missing record says so as JSON; an unknown path answers plain text and would be a mistake of ours.
  try {
    return status === 404 && detailBody.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/**
 * Sends a call. It never throws: whatever happens is a result.
 * @param now - milliseconds since 1970
 */
export async function sendCall(
  upstream: Upstream,
  call: ProviderCall,
  now: () => number,
): Promise<ProviderResult> {
  const late = new AbortController();
  // One that is stopped when it is answered: a signal with a time of its own wakes its object for nothing.
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    return await exchange(upstream, call, now, late.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(
  upstream: Upstream,
  call: ProviderCall,
  now: () => number,
  signal: AbortSignal,
): Promise<ProviderResult> {
  /** What can't be read was paid for, if there was anything to pay. */
  const unread: ProviderResponse = call.credits > 0 ? { kind: 'unclear' } : { kind: 'unavailable' };
  let response: Response;
  try {
    response = await sendToProvider(upstream, call.path, buildRequestInit(call, signal));
  } catch (error) {
    const heard: ProviderResponse = classifyError(error) === 'not_sent' ? { kind: 'unavailable' } : unread;
    return { response: heard, hints: {}, callHeaders: {} };
  }
  return {
    hints: readHints(response.headers, now()),
    callHeaders: readCallHeaders(response.headers, upstream.apiKey),
    response: await readResponse(call, response, upstream.apiKey, unread),
  };
}

/** @param unread - what an answer comes to that can't be read */
async function readResponse(
  call: ProviderCall,
  response: Response,
  apiKey: string,
  unread: ProviderResponse,
): Promise<ProviderResponse> {
  if (response.status === 200) {
    const content = parseContent(call, await readJson(response, apiKey), response.headers, apiKey);
    return content === undefined ? unread : { kind: 'content', content };
  }
  const answer = await readErrorBody(response, apiKey);
  if (classifyStatus(response.status) === 'unclear') return unread;
  if (answer !== undefined && isRecordCall(call) && isMissingRecord(answer)) {
    return { kind: 'content', content: { kind: 'missing', body: answer.body } };
  }
  const later = response.status === 429 || response.status >= 500;
  const raw = answer ?? { status: response.status, contentType: 'text/plain', body: '' };
  return later ? { kind: 'unavailable', answer: raw } : { kind: 'refused', answer: raw };
}

/**
 * A remote provider.
 * @param baseUrl - ends in `/cdapi`
 * @returns the provider; its identity is a hash of its address
 */
export async function createRemoteUpstream(baseUrl: string, apiKey: string): Promise<Upstream> {
  const identity = (await sha256Hex(baseUrl)).slice(0, IDENTITY_LENGTH);
  return { identity, baseUrl, apiKey, fetch: (request) => fetch(request) };
}
