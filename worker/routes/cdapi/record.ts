// Answers a single record in the drop-in API.
import type { Context } from 'hono';
import type { DataRecord } from '../../../shared/api/common.ts';
import type { RecordOperation } from '../../../shared/operations.ts';
import type { Env } from '../../env.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import type { Content } from '../../gateway/cache/content.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import type { CacheDirectives } from '../../gateway/cache/freshness.ts';
import { isKeyRejected } from '../../gateway/lookup-rows.ts';
import { buildRecordCall } from '../../gateway/record-call.ts';
import { toCallFailure } from '../../gateway/search-pages.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import type { CallResult } from '../../gateway/single-flight/types.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import { createDataResponse, createFailureResponse, createProblemResponse } from './responses.ts';
import { computeLimit } from './service-headers.ts';

/** Deadline of a call, in milliseconds. */
export const MAX_WAIT_MS = 25_000;

/** Keeps the named fields, in the order of the record. */
function selectFields(record: DataRecord, fields: readonly string[]): DataRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}

function serializeContent(content: Content, fields: readonly string[]): string {
  switch (content.kind) {
    case 'record':
      return fields.length === 0
        ? content.record.text
        : stringifyExactly(selectFields(content.record.exact, fields));
    case 'missing':
      return content.body;
    case 'page':
      return content.items.text;
  }
}

type SuccessOutcome = Exclude<CallResult['outcome'], 'failed' | 'pending' | 'unknown'>;

/** Checks whether a cached entry satisfies the caller. A not-found entry must also be fresh; a record may be stale. */
function isAcceptable(
  { content, fetchedAt, freshUntil }: Envelope,
  { since }: CacheDirectives,
  now: number,
): boolean {
  return fetchedAt >= since && (content.kind === 'record' || freshUntil > now);
}

/** A request for one record, by an authenticated caller with the scopes that it takes. */
interface RecordRequest<E extends Env> {
  operation: RecordOperation;
  key: RecordKey;
  /** The key as it is sent; undefined if the caller sent none. */
  text: string | undefined;
  directives: CacheDirectives;
  /** Fields of the response; none selects all. */
  fields: readonly string[];
  c: Context<GatewayEnv<E>>;
  services: Services<E>;
}

/**
 * Answers from the memory cache if possible, otherwise from KV or the provider. Creates a gateway context only if the memory of
 * the isolate lacks the record.
 */
export function answerRecord<E extends Env>(request: RecordRequest<E>): Response | Promise<Response> {
  const { key, directives, c, services } = request;
  const answer = ({ identity }: Upstream): Response | Promise<Response> => {
    const started = services.now();
    const found = services.findInMemory(identity, key, started);
    return found !== undefined && isAcceptable(found, directives, started)
      ? respondFromCache(request, started, found)
      : fetchRecord(request, started, found);
  };
  const upstream = services.getUpstream(c.env);
  return upstream instanceof Promise ? upstream.then(answer) : answer(upstream);
}

/** @param memoryEntry - an entry in the memory cache that does not satisfy the caller */
async function fetchRecord<E extends Env>(
  request: RecordRequest<E>,
  started: number,
  memoryEntry: Envelope | undefined,
): Promise<Response> {
  const { operation, key, text, directives, c, services } = request;
  const { cache, identity, payer, lane, fetchCalls } = await services.createContext(c, 'formula');
  const respondWithFailure = (row: Parameters<typeof createFailureResponse>[0]): Response => {
    recordUsage(request, services.now() - started, 'failed', 0);
    return createFailureResponse(row);
  };
  const found = memoryEntry ?? (await cache.readRecord(key));
  if (found === 'unreadable') return respondWithFailure({ problem: 'gateway_unavailable', credits: 0 });
  if (found !== undefined && isAcceptable(found, directives, started))
    return respondFromCache(request, started, found);
  if (directives.onlyIfCached) return createProblemResponse('not_cached');
  const calls = [buildRecordCall(operation, key, text, directives.since)];
  const rows = await fetchCalls({ identity, calls, payer, lane, waitMs: MAX_WAIT_MS, background: false });
  const row = rows.get(toCacheName(key));
  if (row !== undefined && 'envelope' in row) {
    cache.set(row.name, row.envelope, row.size);
    return respondWith(request, started, row.outcome, row.envelope, row.credits);
  }
  // A stale record is better than an error.
  return found?.content.kind === 'record' && !isKeyRejected(row)
    ? respondFromCache(request, started, found, row?.credits)
    : respondWithFailure(toCallFailure(row));
}

/** @param credits - cost of a failed attempt to refresh the record */
function respondFromCache<E extends Env>(
  request: RecordRequest<E>,
  started: number,
  envelope: Envelope,
  credits = 0,
): Response {
  return respondWith(request, started, envelope.freshUntil > started ? 'hit' : 'stale', envelope, credits);
}

function respondWith<E extends Env>(
  request: RecordRequest<E>,
  started: number,
  outcome: SuccessOutcome,
  { content, fetchedAt }: Envelope,
  credits: number,
): Response {
  const { operation, fields, c, services } = request;
  const isMissing = content.kind === 'missing';
  const isFree = outcome !== 'fetched' && credits === 0 && !isMissing;
  const limit = computeLimit(c, services);
  const remaining = c.get('lease').allowance?.remaining ?? null;
  const now = services.now();
  recordUsage(request, now - started, isMissing ? 'not_found' : outcome, isFree ? operation.credits : 0);
  const metadata = { outcome, fetchedAt, now, credits, remaining, limit };
  return createDataResponse(serializeContent(content, fields), isMissing ? 404 : 200, metadata);
}

function recordUsage<E extends Env>(
  { operation: { name: operation, family }, c, services }: RecordRequest<E>,
  latencyMs: number,
  outcome: SuccessOutcome | 'not_found' | 'failed',
  saved: number,
): void {
  services.recordUsage(c, { family, operation, outcomes: { [outcome]: 1 }, saved, latencyMs });
}
