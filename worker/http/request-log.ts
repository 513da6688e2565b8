// The log line and the metrics of each request, from the same facts: ids, patterns, names and counts; never a path, a query, a
// body, a header or an address, any of which may hold a person's key.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { RequestIdVariables } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import { operations } from '../../shared/operations.ts';
import type { Env } from '../env.ts';
import { isUnreachableError } from '../lib/unreachable.ts';
import { type MetricsPoint, writeMetrics } from './metrics.ts';
import { ProblemError } from './problem-error.ts';
import type { TimingEnv } from './server-timing.ts';

/** Facts about a request that its route adds to the log entry. */
export interface RequestSummary {
  /** The family and operation, if the pattern of the path does not name them. */
  family?: string;
  operation?: string;
  /** Number of answers by cache status: `{ hit: 3, fetched: 1 }`. */
  cache?: Readonly<Record<string, number>>;
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
  /** Part of `ms` that the request waited for the provider. */
  upstream_ms?: number;
  team?: string;
  /** Code of the problem, if the request failed. */
  problem?: string;
}

const summaries = new WeakMap<Context, RequestSummary>();

export function addRequestSummary(c: Context, summary: RequestSummary): void {
  summaries.set(c, { ...summaries.get(c), ...summary });
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

/** Operations of the drop-in API, by pattern. */
const dropInOperations = new Map(
  operations.map(({ path, family, name }) => [`/cdapi${path}`, { family, operation: name }]),
);

/** Reads the cache status and price from the headers of a drop-in response. */
function readCacheHeaders({ headers }: Response): RequestSummary {
  const outcome = headers.get('x-cache');
  const credits = headers.get('x-credits-charged');
  return {
    ...(outcome === null ? {} : { cache: { [outcome]: 1 } }),
    ...(credits === null ? {} : { credits: Number(credits) }),
  };
}

function getProblemCode({ error }: Context, { headers }: Response): string | undefined {
  if (error instanceof ProblemError) return error.problem.code;
  if (error === undefined || error instanceof HTTPException) return headers.get('x-problem') ?? undefined;
  return isUnreachableError(error) ? 'gateway_unavailable' : 'internal';
}

export interface RequestVariables extends RequestIdVariables {
  caller?: { teamId: string };
}

interface LogEnv {
  Bindings: Pick<Env, 'REQUEST_LOG' | 'METRICS' | 'VERSION'>;
  Variables: RequestVariables & Partial<TimingEnv['Variables']>;
}

function buildLogEntry(c: Context<LogEnv>, response: Response, ms: number): RequestLogEntry {
  const route = getRoutePattern(c);
  const team = c.get('caller')?.teamId;
  const problem = getProblemCode(c, response);
  const upstreamMs = c.get('timings')?.get('upstream');
  return {
    event: 'request',
    request: c.get('requestId'),
    method: c.req.method,
    route,
    surface: route.split('/')[1]?.replace('*', '') || 'none',
    status: response.status,
    ms,
    ...(upstreamMs === undefined ? {} : { upstream_ms: upstreamMs }),
    ...(team === undefined ? {} : { team }),
    ...dropInOperations.get(route),
    ...readCacheHeaders(response),
    ...summaries.get(c),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Cache statuses of answers that were not waited for. */
const cachedStatuses: readonly string[] = ['hit', 'stale'];

/** Builds the data point of a request from its log entry, so that both state the same. */
function toMetricsPoint({ request: _, surface: __, cache = {}, ...facts }: RequestLogEntry): MetricsPoint {
  const counts = Object.entries(cache);
  const count = (entries: typeof counts): number => entries.reduce((sum, [, rows]) => sum + rows, 0);
  const [first] = counts;
  return {
    ...facts,
    outcome: facts.status >= 500 ? 'failed' : facts.status >= 400 ? 'refused' : 'ok',
    cache: counts.length > 1 ? 'mixed' : (first?.[0] ?? ''),
    rows: count(counts),
    cached_rows: count(counts.filter(([status]) => cachedStatuses.includes(status))),
  };
}

/**
 * Adds the id and the durations of a request to its response, logs it and writes its data point. `REQUEST_LOG=notable` leaves
 * cache hits out of log and data, because both take longer than answering from memory.
 * @param startedAt, now - its time, milliseconds since 1970
 * @param isHit - it was answered from the cache. It is free, and the ledger's daily totals count it.
 */
export function finishRequest(
  context: Context,
  response: Response,
  startedAt: number,
  now: number,
  isHit = false,
): void {
  const c: Context<LogEnv> = context;
  const { headers } = response;
  headers.set('x-request-id', c.get('requestId'));
  const timing = c.get('timings')?.format(now);
  if (timing !== undefined) headers.set('server-timing', timing);
  if (isHit && c.env.REQUEST_LOG === 'notable') return;
  const entry = buildLogEntry(c, response, now - startedAt);
  console.log(JSON.stringify(entry));
  writeMetrics(c.env, [toMetricsPoint(entry)]);
}
