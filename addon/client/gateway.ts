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
import { isProblemCode, type ProblemCode, problems } from '../../shared/problems.ts';
import { parseJson } from '../lib/json.ts';
import { openCache } from './cache.ts';

/** The outcome of a gateway call. */
export type GatewayResult<T> = { ok: true; body: T } | { ok: false; code: ProblemCode; message: string };

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

/** Checks the shape of a response body. */
export type BodyGuard<T> = (body: unknown) => body is T;

const UNREADABLE = 'The gateway’s answer could not be read. Try again. If it happens again, tell your admin.';

function toFailure(code: ProblemCode, message?: string): { ok: false; code: ProblemCode; message: string } {
  const { title, fix } = problems[code];
  return { ok: false, code, message: message ?? `${title} ${fix}` };
}

/** Creates a guard for objects that have these members. */
export function createGuard<T>(
  members: Readonly<Record<string, 'list' | 'number' | 'string'>>,
): BodyGuard<T> {
  return (body): body is T => {
    if (typeof body !== 'object' || body === null) return false;
    const found = new Map<string, unknown>(Object.entries(body));
    return Object.entries(members).every(([name, type]) => {
      const value = found.get(name);
      return type === 'list' ? Array.isArray(value) : typeof value === type;
    });
  };
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

function parseResponse<T>(
  response: GoogleAppsScript.URL_Fetch.HTTPResponse,
  isAnswer: BodyGuard<T>,
): GatewayResult<T> {
  const body = parseJson(response.getContentText());
  const status = response.getResponseCode();
  if (status >= 200 && status < 300) {
    return isAnswer(body) ? { ok: true, body } : toFailure('gateway_unavailable', UNREADABLE);
  }
  const problem: { code?: unknown; detail?: unknown; fix?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  if (typeof problem.code !== 'string' || !isProblemCode(problem.code)) {
    return toFailure('gateway_unavailable', UNREADABLE);
  }
  const hasText = typeof problem.detail === 'string' && typeof problem.fix === 'string';
  return toFailure(problem.code, hasText ? `${problem.detail} ${problem.fix}` : undefined);
}

/** Explains why UrlFetchApp refused a call. */
function describeFetchError(error: unknown, { url }: Connection): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (/too many times/i.test(reason)) {
    return 'Google’s daily limit of calls is used up. Try again tomorrow.';
  }
  if (/Address unavailable|DNS|Timeout/i.test(reason)) {
    return `The gateway ${url} can't be reached. Check the connection and try again.`;
  }
  // A missing permission or a blocked address: Google's own message explains it best. It contains no headers, so no
  // token.
  return reason;
}

/**
 * Sends calls in parallel, and stores the error of a failed one as the last error.
 * @param calls - at least one
 * @returns a result for each call in the same order; if nothing could be sent, each result is the failure
 */
export function sendAll<T>(
  connection: Connection,
  calls: readonly GatewayCall[],
  isAnswer: BodyGuard<T>,
): GatewayResult<T>[] {
  const requests = calls.map(({ method, path, body, idempotencyKey: key }) => ({
    url: `${connection.url}/sheets/v1/${path}`,
    method,
    headers: {
      Authorization: `Bearer ${connection.token}`,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body === undefined ? {} : { contentType: 'application/json', payload: JSON.stringify(body) }),
    muteHttpExceptions: true,
    followRedirects: false,
  }));
  let answers: GatewayResult<T>[];
  try {
    answers = UrlFetchApp.fetchAll(requests).map((response) => parseResponse(response, isAnswer));
  } catch (error) {
    const failed = toFailure('gateway_unavailable', describeFetchError(error, connection));
    answers = calls.map(() => failed);
  }
  const failed = answers.find(({ ok }) => !ok);
  if (failed !== undefined && !failed.ok) openCache(connection).putLastError(failed.message);
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
