// HTTP client of the gateway.
import type { RequestArguments, RequestOf } from '../../shared/api/endpoint.ts';
import type { Query } from '../../shared/api/query.ts';
import type { SheetsResponse, sheetsEndpoints } from '../../shared/api/sheets-endpoints.ts';
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families/index.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { type Members, sheetsCalls } from '../../shared/sheets-calls.ts';
import {
  type CallSource,
  sourceHeader,
  spreadsheetHeader,
  spreadsheetNameHeader,
} from '../../shared/sources.ts';
import { createGuard } from '../lib/json.ts';
import { openCache } from './cache.ts';
import {
  createFailure,
  describeFetchError,
  type GatewayResult,
  isRateLimit,
  parseResponse,
  unwrap,
} from './http.ts';

/** Name of an endpoint in `shared/sheets-calls.ts`. */
export type CallName = keyof typeof sheetsCalls;

export type CallRequest<N extends CallName> = RequestOf<(typeof sheetsEndpoints)[N]>;

type BodyOf<R> = R extends { body: infer B } ? B : never;

type Values = Readonly<Partial<Record<string, string | number>>>;

export interface AnyRequest {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Sends requests to an endpoint in parallel. */
export type Sender = (
  connection: Connection,
  name: CallName,
  requests: readonly AnyRequest[],
) => GatewayResult<unknown>[];

/** Where the calls of this execution come from. */
let source: CallSource = 'formula';

/** Sets where the calls of this execution come from. */
export function setSource(changed: CallSource): void {
  source = changed;
}

/** Formulas send each call once: they have no connection that could be renewed. */
let sendRequests: Sender = fetchAnswers;

/** Sets how this execution sends requests. */
export function setSender(sender: Sender): void {
  sendRequests = sender;
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

/** The time that the gateway may take for a request; undefined if the request names none. */
const getWaitMs = ({ body }: AnyRequest): number | undefined =>
  isObject(body) && typeof body.wait_ms === 'number' ? body.wait_ms : undefined;

/** Formats the body of a request that is sent later than planned. */
function formatBody(request: AnyRequest, waitedMs: number): string {
  const waitMs = getWaitMs(request);
  const { body } = request;
  return JSON.stringify(waitMs === undefined ? body : { ...Object(body), wait_ms: waitMs - waitedMs });
}

/** Lists encoded values by name; undefined ones are left out. */
const listValues = (values: Values = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, encodeURIComponent(value)]],
  );

function formatPath(template: string, { params, query }: AnyRequest): string {
  const path = listValues(params).reduce((text, [name, value]) => text.replace(`{${name}}`, value), template);
  const parts = listValues(query).map((part) => part.join('='));
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

/** Headers that say where a call comes from. The sidebar's call for the account also has the name of the spreadsheet. */
function getOriginHeaders(name: CallName): Record<string, string> {
  const headers: Record<string, string> = { [sourceHeader]: source };
  try {
    const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
    headers[spreadsheetHeader] = spreadsheet.getId();
    if (name === 'getAccount' && source !== 'formula')
      headers[spreadsheetNameHeader] = encodeURIComponent(spreadsheet.getName());
  } catch {
    // Only the report of costs needs them.
  }
  return headers;
}

/** Sends requests in parallel, each once unless Google refuses it for its rate. */
export function fetchAnswers(
  connection: Connection,
  name: CallName,
  requests: readonly AnyRequest[],
): GatewayResult<unknown>[] {
  const { method, path, has = {} }: (typeof sheetsCalls)[CallName] & { has?: Members } = sheetsCalls[name];
  const origin = getOriginHeaders(name);
  const createRequests = (waitedMs: number) =>
    requests.map((request) => ({
      url: `${connection.url}/sheets/v1${formatPath(path, request)}`,
      method: methods[method],
      headers: { Authorization: `Bearer ${connection.token}`, ...origin, ...request.headers },
      ...(request.body !== undefined && {
        contentType: 'application/json',
        payload: formatBody(request, waitedMs),
      }),
      muteHttpExceptions: true,
      followRedirects: false,
    }));
  const maxWaitMs = Math.min(...requests.map((request) => getWaitMs(request) ?? Number.POSITIVE_INFINITY));
  try {
    return fetchPatiently(createRequests, maxWaitMs).map((response) =>
      parseResponse(response, createGuard(has)),
    );
  } catch (error) {
    const failed = createFailure('gateway_unavailable', describeFetchError(error, connection.url));
    return requests.map(() => failed);
  }
}

/** Sends requests in parallel, and stores the error of a failed call as the last error. */
function send(
  connection: Connection,
  name: CallName,
  requests: readonly AnyRequest[],
): GatewayResult<unknown>[] {
  if (requests.length === 0) return [];
  const answers = sendRequests(connection, name, requests);
  const failed = answers.find(({ ok }) => !ok);
  // Cells say that a price was too high.
  if (failed?.ok === false && failed.code !== 'price_changed')
    openCache(connection).putLastError(failed.message);
  return answers;
}

/**
 * Calls an endpoint several times, in parallel.
 * @param more - what the requests have besides their bodies
 * @returns a result for each body in the same order; if nothing could be sent, each result is the failure
 */
export function callAll<N extends CallName>(
  connection: Connection,
  name: N,
  bodies: readonly BodyOf<CallRequest<N>>[],
  ...more: RequestArguments<Omit<CallRequest<N>, 'body'>>
): GatewayResult<SheetsResponse<N>>[];
export function callAll(
  connection: Connection,
  name: CallName,
  bodies: readonly unknown[],
  more: AnyRequest = {},
): GatewayResult<unknown>[] {
  return send(
    connection,
    name,
    bodies.map((body) => ({ ...more, body })),
  );
}

/** Calls an endpoint. */
export function call<N extends CallName>(
  connection: Connection,
  name: N,
  ...request: RequestArguments<CallRequest<N>>
): GatewayResult<SheetsResponse<N>>;
export function call(
  connection: Connection,
  name: CallName,
  request: AnyRequest = {},
): GatewayResult<unknown> {
  return send(connection, name, [request])[0] ?? createFailure('internal');
}

/**
 * Counts the matches of queries, in parallel. Free; Google's cache keeps the counts for six hours.
 * @throws AddonError if one of them fails
 */
export function countAll(connection: Connection, family: Family, queries: readonly Query[]): number[] {
  const cache = openCache(connection);
  const cached = queries.map((query) => cache.get(['count', family, query]));
  const open = queries.filter((_, at) => typeof cached[at] !== 'number');
  const requests = open.map((query) => ({ ...query, family, items_per_page: 1 }));
  const totals = callAll(connection, 'search', requests).map((answer, at) => {
    const { total } = unwrap(answer);
    cache.put(['count', family, open[at]], total);
    return total;
  });
  return cached.map((total) => (typeof total === 'number' ? total : (totals.shift() ?? 0)));
}
