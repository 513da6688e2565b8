// Sends one call to the provider and classifies the response.
import * as z from 'zod';
import { isObject } from '../../../shared/lib/is-object.ts';
import { logError } from '../../http/log.ts';
import { readText } from '../../http/read-body.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { isNestedDeeper, MAX_RESPONSE_DEPTH } from '../../lib/json-depth.ts';
import { type Content, toPage, toRecord } from '../cache/content.ts';
import type { ProviderCall } from '../provider-call.ts';
import { parseWholeNumber, readCallHeaders, readHints } from './provider-headers.ts';
import { redactKey, toRawResponse } from './redact-key.ts';
import { classifyError, classifyStatus, sendToProvider } from './send-to-provider.ts';
import type { ProviderResponse, ProviderResult, RawResponse, Upstream } from './upstream.ts';

/** The provider responds within a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
/** As long as a line of a result file. A page of previews with logos has less than a megabyte. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Headers that describe a page and are cached with it (provider API, "Headers"). */
const pageHeaders = [
  'x-next-page-after',
  'x-total-pages',
  'x-total-results',
  'x-items-per-page',
  'x-snapshot-token',
];

const detailBody = z.object({ detail: z.string() });

/** Sends a call. Never throws: every failure is a result. */
export async function sendCall(
  upstream: Upstream,
  call: ProviderCall,
  now: () => number,
): Promise<ProviderResult> {
  const timeout = new AbortController();
  // AbortSignal.timeout would keep its timer after the response and wake the Durable Object for nothing.
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    return await exchange(upstream, call, now, timeout.signal);
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
  // An unreadable response to a paid call may have been charged.
  const unreadable: ProviderResponse = call.credits > 0 ? { kind: 'unclear' } : { kind: 'unavailable' };
  let response: Response;
  try {
    response = await sendToProvider(upstream, call.path, buildRequestInit(call, signal));
  } catch (error) {
    const failed: ProviderResponse =
      classifyError(error) === 'not_sent' ? { kind: 'unavailable' } : unreadable;
    return { response: failed, hints: {}, callHeaders: {} };
  }
  return {
    hints: readHints(response.headers, now()),
    callHeaders: readCallHeaders(response.headers, upstream.apiKey),
    response: await readResponse(call, response, upstream.apiKey, unreadable),
  };
}

function buildRequestInit({ method, body }: ProviderCall, signal: AbortSignal): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method, signal, ...(body === undefined ? {} : { headers, body }) };
}

/** @param unreadable - result for a response that can't be read */
async function readResponse(
  call: ProviderCall,
  response: Response,
  apiKey: string,
  unreadable: ProviderResponse,
): Promise<ProviderResponse> {
  if (response.status === 200) {
    const content = parseContent(call, await readJson(response, apiKey), response.headers, apiKey);
    return content === undefined ? unreadable : { kind: 'content', content };
  }
  const answer = await readErrorBody(response, apiKey);
  if (classifyStatus(response.status) === 'unclear') return unreadable;
  if (answer !== undefined && isRecordCall(call) && isMissingRecord(answer)) {
    return { kind: 'content', content: { kind: 'missing', body: answer.body } };
  }
  const isRetryable = response.status === 429 || response.status >= 500;
  const raw = answer ?? { status: response.status, body: '' };
  return isRetryable ? { kind: 'unavailable', answer: raw } : { kind: 'refused', answer: raw };
}

const isRecordCall = ({ operation }: ProviderCall): boolean =>
  operation === 'collect' || operation === 'enrich';

function isMissingRecord({ status, body }: RawResponse): boolean {
  // A missing record responds with JSON. An unknown path responds with plain text and would be our mistake.
  try {
    return status === 404 && detailBody.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

function parseContent(
  call: ProviderCall,
  body: unknown,
  headers: Headers,
  apiKey: string,
): Content | undefined {
  if (isRecordCall(call)) {
    return isObject(body) ? toRecord(body) : undefined;
  }
  if (!Array.isArray(body)) return undefined;
  const cachedHeaders = pageHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, redactKey(apiKey, value)] as const];
  });
  return toPage(body, Object.fromEntries(cachedHeaders));
}

async function readJson(response: Response, apiKey: string): Promise<unknown> {
  try {
    const text = isBounded(response) ? await response.text() : await readText(response, MAX_BODY_BYTES);
    // A deeper record could not be serialised again.
    if (text === undefined || isNestedDeeper(text, MAX_RESPONSE_DEPTH)) return undefined;
    return parseExactly(redactKey(apiKey, text), BigInt);
  } catch (error) {
    logError('provider_response_unreadable', error, { status: response.status });
    return undefined;
  }
}

/** Tells whether `content-length` bounds the body. The platform reads no more than it states. */
function isBounded({ headers }: Response): boolean {
  const length = parseWholeNumber(headers.get('content-length'));
  return length !== undefined && length <= MAX_BODY_BYTES && !headers.has('content-encoding');
}

async function readErrorBody(response: Response, apiKey: string): Promise<RawResponse | undefined> {
  try {
    const body = await readText(response, MAX_ERROR_BODY_BYTES);
    return body === undefined ? undefined : toRawResponse(response, body, apiKey);
  } catch (error) {
    logError('provider_response_unreadable', error, { status: response.status });
    return undefined;
  }
}
