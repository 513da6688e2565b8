// HTTP client of the gateway.
import type { FieldsResponse, MeResponse } from '../../shared/api/account.ts';
import type { EstimateResponse, LookupRequest, LookupResponse } from '../../shared/api/lookup.ts';
import type {
  PreviewEstimateRequest,
  PreviewEstimateResponse,
  PreviewRequest,
  PreviewResponse,
  SearchRequest,
  SearchResponse,
} from '../../shared/api/search.ts';
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families/index.ts';
import { type CallSource, sourceHeader } from '../../shared/sources.ts';
import { openCache } from './cache.ts';
import {
  type BodyGuard,
  createGuard,
  describeFetchError,
  type GatewayResult,
  isRateLimit,
  parseResponse,
  toFailure,
} from './http.ts';

/** A call of the gateway. */
export interface GatewayCall {
  method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/sheets/v1`. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Calls with the same key take effect once. */
  idempotencyKey?: string;
}

const isLookup = createGuard<LookupResponse>({ rows: 'list' });
const isEstimate = createGuard<EstimateResponse>({
  distinct: 'number',
  to_fetch: 'number',
  credits: 'number',
});
const isSearch = createGuard<SearchResponse>({ ids: 'list', total: 'number' });
const isPreview = createGuard<PreviewResponse>({
  columns: 'list',
  rows: 'list',
  page: 'number',
  total_pages: 'number',
});
const isPreviewEstimate = createGuard<PreviewEstimateResponse>({
  total: 'number',
  pages: 'number',
  credits: 'number',
});
const isFields = createGuard<FieldsResponse>({ columns: 'list', preview: 'list' });
const isMe = createGuard<MeResponse>({ team: 'string', mode: 'string' });

/** Sends calls in parallel. */
export type Sender = <T>(
  connection: Connection,
  calls: readonly GatewayCall[],
  isAnswer: BodyGuard<T>,
) => GatewayResult<T>[];

/** Where the calls of this execution come from. */
let source: CallSource = 'formula';

/** Sets where the calls of this execution come from. */
export function setSource(changed: CallSource): void {
  source = changed;
}

/** Formulas send each call once: they have no connection that could be renewed. */
let sendCalls: Sender = fetchAnswers;

/** Sets how this execution sends calls. */
export function setSender(sender: Sender): void {
  sendCalls = sender;
}

/** Pauses before a call is repeated that Google refused because there were too many in a short time, in ms. */
const PAUSES_MS = [1000, 2000, 4000];

/** Sends requests in parallel. Google counts before it sends, so a refusal for their rate is repeated while there is time. */
function fetchPatiently(
  createRequests: (waitedMs: number) => GoogleAppsScript.URL_Fetch.URLFetchRequest[],
  maxWaitMs: number,
): GoogleAppsScript.URL_Fetch.HTTPResponse[] {
  let waitedMs = 0;
  for (const pause of PAUSES_MS) {
    try {
      return UrlFetchApp.fetchAll(createRequests(waitedMs));
    } catch (error) {
      // Formulas of a sheet run at the same time: random pauses spread their calls.
      const ms = Math.round(pause * (1 + Math.random() / 2));
      if (!isRateLimit(error) || waitedMs + ms > maxWaitMs) throw error;
      Utilities.sleep(ms);
      waitedMs += ms;
    }
  }
  return UrlFetchApp.fetchAll(createRequests(waitedMs));
}

/** The time that the gateway may take for a call; undefined if the call names none. */
const getWaitMs = ({ body }: GatewayCall): number | undefined =>
  typeof body === 'object' && body !== null && 'wait_ms' in body && typeof body.wait_ms === 'number'
    ? body.wait_ms
    : undefined;

/** Formats the body of a call that is sent later than planned. */
function formatBody(call: GatewayCall, waitedMs: number): string {
  const waitMs = getWaitMs(call);
  return JSON.stringify(
    waitMs === undefined ? call.body : { ...Object(call.body), wait_ms: waitMs - waitedMs },
  );
}

/**
 * Sends calls in parallel, each once unless Google refuses it for its rate.
 * @returns a result for each call in the same order; if nothing could be sent, each result is the failure
 */
export function fetchAnswers<T>(
  connection: Connection,
  calls: readonly GatewayCall[],
  isAnswer: BodyGuard<T>,
): GatewayResult<T>[] {
  const createRequests = (waitedMs: number) =>
    calls.map((call) => ({
      url: `${connection.url}/sheets/v1/${call.path}`,
      method: call.method,
      headers: {
        Authorization: `Bearer ${connection.token}`,
        [sourceHeader]: source,
        ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
      },
      ...(call.body === undefined
        ? {}
        : { contentType: 'application/json', payload: formatBody(call, waitedMs) }),
      muteHttpExceptions: true,
      followRedirects: false,
    }));
  const maxWaitMs = Math.min(...calls.map((call) => getWaitMs(call) ?? Number.POSITIVE_INFINITY));
  try {
    return fetchPatiently(createRequests, maxWaitMs).map((response) => parseResponse(response, isAnswer));
  } catch (error) {
    const failed = toFailure('gateway_unavailable', describeFetchError(error, connection.url));
    return calls.map(() => failed);
  }
}

/**
 * Sends calls in parallel, and stores the error of a failed one as the last error, unless its price was too high: cells say so.
 * @param calls - at least one
 * @returns a result for each call in the same order; if nothing could be sent, each result is the failure
 */
export function sendAll<T>(
  connection: Connection,
  calls: readonly GatewayCall[],
  isAnswer: BodyGuard<T>,
): GatewayResult<T>[] {
  const answers = sendCalls(connection, calls, isAnswer);
  const failed = answers.find(({ ok }) => !ok);
  if (failed?.ok === false && failed.code !== 'price_changed')
    openCache(connection).putLastError(failed.message);
  return answers;
}

/** Sends one call. */
export function send<T>(connection: Connection, call: GatewayCall, isAnswer: BodyGuard<T>): GatewayResult<T> {
  return sendAll(connection, [call], isAnswer)[0] ?? toFailure('internal');
}

const post = (path: string, body: unknown): GatewayCall => ({ method: 'post', path, body });

/**
 * Sends lookups in parallel.
 * @param requests - at least one, each with at most 1,000 keys
 * @returns a result for each request in the same order
 */
export function lookupAll(
  connection: Connection,
  requests: readonly LookupRequest[],
): GatewayResult<LookupResponse>[] {
  return sendAll(
    connection,
    requests.map((request) => post('lookup', request)),
    isLookup,
  );
}

/**
 * Estimates the price of lookups, in parallel. Free.
 * @param requests - at least one, each with at most 1,000 keys
 */
export function estimateAll(
  connection: Connection,
  requests: readonly LookupRequest[],
): GatewayResult<EstimateResponse>[] {
  return sendAll(
    connection,
    requests.map((request) => post('estimate', request)),
    isEstimate,
  );
}

/** Returns a page of ids. Free. */
export function search(connection: Connection, request: SearchRequest): GatewayResult<SearchResponse> {
  return send(connection, post('search', request), isSearch);
}

/** Estimates the price of the first pages of a preview. Free. */
export function estimatePreview(
  connection: Connection,
  request: PreviewEstimateRequest,
): GatewayResult<PreviewEstimateResponse> {
  return send(connection, post('preview/estimate', request), isPreviewEstimate);
}

/** Returns pages of a preview. */
export function preview(connection: Connection, request: PreviewRequest): GatewayResult<PreviewResponse> {
  return send(connection, post('preview', request), isPreview);
}

/** Returns the team's account. Free. */
export function getAccount(connection: Connection): GatewayResult<MeResponse> {
  return send(connection, { method: 'get', path: 'me' }, isMe);
}

/** Returns the fields of a family. Free. */
export function getFields(connection: Connection, family: Family): GatewayResult<FieldsResponse> {
  return send(connection, { method: 'get', path: `fields/${family}` }, isFields);
}
