// The log: one line of JSON for each request, and one for each thing that failed. It holds ids, patterns, names and counts;
// never a path, a query, a body, a header, an address or the message of an error, any of which may hold a person's key.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { RequestIdVariables } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import type { Env } from '../env.ts';
import { isUnreachableError } from '../lib/unreachable.ts';
import type { Middleware } from './compose.ts';
import { ProblemError } from './problem-error.ts';

/** Facts about a response that its route adds to the log entry. */
export interface RequestSummary {
  /** Number of answers by cache status: `{ hit: 3, fetched: 1 }`. */
  cache?: Readonly<Record<string, number>>;
  /** Credits that the request cost. */
  credits?: number;
  /** Pattern of the path, if the router does not know it. */
  route?: string;
}

/** The log entry of a request. Unknown fields are absent. */
export interface RequestLogEntry extends RequestSummary {
  event: 'request';
  /** Id of the request, as in the response. */
  request: string;
  method: string;
  /** The pattern of the route, such as `/cdapi/v2/company_clean/collect/{key}`. */
  route: string;
  /** The first part of the pattern. */
  surface: string;
  status: number;
  ms: number;
  /** Id of the team. */
  team?: string;
  /** Code of the problem, if the request failed. */
  problem?: string;
}

/** Codes of failures. They are stable, because alerts match them. docs/admin.md explains each. */
export const failureCodes = [
  'alert_delivery_failed',
  'alert_enqueue_failed',
  'budget_check_failed',
  'cache_write_failed',
  'cached_rows_missing',
  'cancellation_failed',
  'data_request_file_failed',
  'data_request_file_truncated',
  'data_request_step_failed',
  'google_call_failed',
  'internal_error',
  'job_enqueue_failed',
  'job_failed',
  'kv_delete_failed',
  'kv_read_failed',
  'lease_failed',
  'lease_timed_out',
  'object_unreachable',
  'outbox_delivery_failed',
  'peer_publish_failed',
  'provider_call_failed',
  'provider_response_unreadable',
  'provider_settings_read_failed',
  'provider_throttle_report_failed',
  'provider_throttle_unreachable',
  'provider_webhook_failed',
  'push_failed',
  'reservation_failed',
  'reservation_prepare_failed',
  'schedule_run_failed',
  'single_flight_background_failed',
  'single_flight_call_failed',
  'single_flight_unreachable',
  'sweep_failed',
  'unknown_settlement',
  'usage_flush_failed',
  'usage_rollup_failed',
  'webhook_relay_failed',
  'workflow_create_failed',
  'workflow_event_failed',
  'workflow_turn_failed',
  'workflow_unreachable',
  'workflow_wait_failed',
  'workflow_wake_failed',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Details of a failure: ids, names and counts. */
export type LogFields = Readonly<Record<string, string | number>>;

const summaries = new WeakMap<Context, RequestSummary>();

/**
 * Sets the facts that the log entry of a request contains.
 */
export function setRequestSummary(c: Context, summary: RequestSummary): void {
  summaries.set(c, summary);
}

/** `    at name (file:///folder/file.js:1:2)`: function, file and position. */
const FRAME = /^ {4}at (?:(?:async |new )*([\w$.#<>]+) )?.*?([\w.-]+:\d+:\d+)\)?$/;
const MAX_FRAMES = 5;

/** Returns where an error was created, without its message, which may contain anything. */
function getStackFrames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => {
      const [, name, position] = FRAME.exec(line) ?? [];
      return position === undefined ? [] : [name === undefined ? position : `${name} ${position}`];
    })
    .slice(0, MAX_FRAMES);
}

/**
 * Logs a failure.
 * @param error - the thrown value. Its name and position are logged, its message is not
 * @param details - nothing that a caller wrote
 */
export function logError(event: FailureCode, error?: unknown, details: LogFields = {}): void {
  const thrown =
    error instanceof Error ? { error: error.name, at: getStackFrames(error) } : { error: typeof error };
  console.error(JSON.stringify({ event, ...details, ...(error === undefined ? {} : thrown) }));
}

/** A parameter of a Hono pattern, such as `:key{.+}`. It is logged as `{key}`. */
const PARAMETER = /:(\w+)(?:\{[^}]*\})?/g;

/** Returns the pattern of the route that handled a request. Patterns of middleware end in a star. */
function getRoutePattern(c: Context): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  const handler = patterns.find((path) => !path.endsWith('*'));
  const longest = patterns.reduce((longer, path) => (path.length > longer.length ? path : longer), '');
  return formatPattern(handler ?? longest);
}

/** Cached by pattern. Its size is bounded by the number of routes. */
const formattedPatterns = new Map<string, string>();

function formatPattern(pattern: string): string {
  const known = formattedPatterns.get(pattern);
  if (known !== undefined) return known;
  const description = pattern.replaceAll(PARAMETER, '{$1}');
  formattedPatterns.set(pattern, description);
  return description;
}

/** Reads the cache status and price from the headers of a drop-in response. */
function readCacheHeaders({ headers }: Response): RequestSummary {
  const outcome = headers.get('x-cache');
  const credits = headers.get('x-credits-charged');
  return {
    ...(outcome === null ? {} : { cache: { [outcome]: 1 } }),
    ...(credits === null ? {} : { credits: Number(credits) }),
  };
}

function getProblemCode({ error, res }: Context): string | undefined {
  if (error instanceof ProblemError) return error.problem.code;
  if (error === undefined || error instanceof HTTPException) return res.headers.get('x-problem') ?? undefined;
  return isUnreachableError(error) ? 'gateway_unavailable' : 'internal';
}

/** Variables of a request that the log reads. */
export interface RequestVariables extends RequestIdVariables {
  caller?: { teamId: string };
}

interface LogEnv {
  Bindings: Pick<Env, 'REQUEST_LOG'>;
  Variables: RequestVariables;
}

function buildLogEntry(c: Context<LogEnv>, ms: number): RequestLogEntry {
  const route = getRoutePattern(c);
  const team = c.get('caller')?.teamId;
  const problem = getProblemCode(c);
  return {
    event: 'request',
    request: c.get('requestId'),
    method: c.req.method,
    route,
    surface: route.split('/')[1]?.replace('*', '') || 'none',
    status: c.res.status,
    ms,
    ...(team === undefined ? {} : { team }),
    ...readCacheHeaders(c.res),
    ...summaries.get(c),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Checks for a cache hit. It is free, and the ledger's daily totals count it. */
function isCacheHit({ res }: Context): boolean {
  return res.status === 200 && res.headers.get('x-cache') === 'hit';
}

/**
 * Creates the middleware that assigns an id to each request and logs it. `REQUEST_LOG=notable` leaves out cache hits, because
 * logging takes longer than answering them.
 * @param now - milliseconds since 1970
 */
export function requestLog(now: () => number): Middleware<LogEnv> {
  return async (c, next) => {
    const started = now();
    // A caller must not choose the id, because the log contains it.
    c.set('requestId', crypto.randomUUID());
    await next();
    if (c.env.REQUEST_LOG === 'notable' && isCacheHit(c)) return;
    console.log(JSON.stringify(buildLogEntry(c, now() - started)));
  };
}
