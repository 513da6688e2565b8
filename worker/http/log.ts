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

/** What a route tells about its answer. */
export interface RequestSummary {
  /** How many answers came about in which way: `{ hit: 3, fetched: 1 }`. */
  cache?: Readonly<Record<string, number>>;
  /** Credits that it cost. */
  credits?: number;
  /** The pattern of its path, where the app's router does not know it. */
  route?: string;
}

/** The line of a request. What is not known of it is absent. */
export interface RequestLogEntry extends RequestSummary {
  event: 'request';
  /** Id of the request, as its answer names it. */
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
  /** Code of the problem that it ended with. */
  problem?: string;
}

/** Why something failed. The codes are stable: alerts match them. docs/admin.md says what each means. */
export const failureCodes = [
  'alert_enqueue_failed',
  'alert_failed',
  'budget_check_failed',
  'cache_write_failed',
  'cached_rows_missing',
  'cancellation_failed',
  'gate_not_told',
  'google_call_failed',
  'hook_failed',
  'internal_error',
  'kv_delete_failed',
  'kv_read_failed',
  'lease_failed',
  'lease_late',
  'object_unreachable',
  'outbox_delivery_failed',
  'peer_publish_failed',
  'provider_answer_unread',
  'provider_call_failed',
  'provider_settings_read_failed',
  'provider_throttle_unreachable',
  'push_broke',
  'relay_failed',
  'request_file_broke',
  'request_file_cut',
  'request_not_woken',
  'request_step_failed',
  'request_turn_failed',
  'request_wait_failed',
  'reservation_failed',
  'reservation_prepare_failed',
  'schedule_broke',
  'single_flight_background_failed',
  'single_flight_call_failed',
  'single_flight_unreachable',
  'sweep_failed',
  'unknown_settlement',
  'usage_not_handed_over',
  'usage_not_rolled_up',
  'work_failed',
  'work_not_told',
  'workflow_event_failed',
  'workflow_not_created',
  'workflow_unreachable',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** What may be said about something that failed. */
export type LogFields = Readonly<Record<string, string | number>>;

const summaries = new WeakMap<Context, RequestSummary>();

/**
 * Has the line of a request tell what came of it.
 * @param c - the request's context
 */
export function setRequestSummary(c: Context, facts: RequestSummary): void {
  summaries.set(c, facts);
}

/** `    at name (file:///folder/file.js:1:2)`: which function, which file, where in it. */
const FRAME = /^ {4}at (?:(?:async |new )*([\w$.#<>]+) )?.*?([\w.-]+:\d+:\d+)\)?$/;
const MAX_FRAMES = 5;

/** Where an error was made, without its message: that may hold anything. */
function getStackFrames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => {
      const [, name, place] = FRAME.exec(line) ?? [];
      return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
    })
    .slice(0, MAX_FRAMES);
}

/**
 * Logs something that failed.
 * @param event - its reason code
 * @param error - what was thrown; its name and its place are told, its message is not
 * @param facts - ids, names and counts that help; nothing that a caller wrote
 */
export function logError(event: FailureCode, error?: unknown, facts: LogFields = {}): void {
  const thrown =
    error instanceof Error ? { error: error.name, at: getStackFrames(error) } : { error: typeof error };
  console.error(JSON.stringify({ event, ...facts, ...(error === undefined ? {} : thrown) }));
}

/** `:key{.+}` as descriptions write it: `{key}`. */
const PARAMETER = /:(\w+)(?:\{[^}]*\})?/g;

/** The pattern of the handler that a request was for; middleware stands at patterns that end in a star. */
function getRoutePattern(c: Context): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  const handler = patterns.find((path) => !path.endsWith('*'));
  const widest = patterns.reduce((longest, path) => (path.length > longest.length ? path : longest), '');
  return formatPattern(handler ?? widest);
}

/** As long as there are routes, one for each. */
const formattedPatterns = new Map<string, string>();

function formatPattern(pattern: string): string {
  const known = formattedPatterns.get(pattern);
  if (known !== undefined) return known;
  const description = pattern.replaceAll(PARAMETER, '{$1}');
  formattedPatterns.set(pattern, description);
  return description;
}

/** What the headers of a drop-in answer tell. */
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

/** What a request may have been found out about by the time that it is answered. */
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

/** A remembered answer that somebody asked for: it cost nothing, and the ledger's daily sums count it. */
function isCacheHit({ res }: Context): boolean {
  return res.status === 200 && res.headers.get('x-cache') === 'hit';
}

/**
 * Makes the middleware that names each request and logs it when it is answered. `REQUEST_LOG=notable` leaves out what is
 * ordinary: by then the line takes longer than the answer.
 * @param now - milliseconds since 1970
 */
export function requestLog(now: () => number): Middleware<LogEnv> {
  return async (c, next) => {
    const started = now();
    // Ids are our own: one that a caller chose could say anything, and the log tells it.
    c.set('requestId', crypto.randomUUID());
    await next();
    if (c.env.REQUEST_LOG === 'notable' && isCacheHit(c)) return;
    console.log(JSON.stringify(buildLogEntry(c, now() - started)));
  };
}
