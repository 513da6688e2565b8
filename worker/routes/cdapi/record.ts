// Answers a single record in the drop-in API.
import type { Context } from 'hono';
import type { DataRecord } from '../../../shared/api/common.ts';
import type { RecordOperation } from '../../../shared/operations.ts';
import type { Env } from '../../env.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import type { Content } from '../../gateway/cache/content.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import type { CacheDirectives } from '../../gateway/cache/freshness.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildRecordCall } from '../../gateway/record-call.ts';
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

/** A request for one record. It creates its context only if the memory of the isolate lacks the record. */
export class RecordRequest<E extends Env> {
  readonly #operation: RecordOperation;
  readonly #key: RecordKey;
  readonly #text: string | undefined;
  readonly #c: Context<GatewayEnv<E>>;
  readonly #services: Services<E>;

  constructor(
    operation: RecordOperation,
    key: RecordKey,
    text: string | undefined,
    c: Context<GatewayEnv<E>>,
    services: Services<E>,
  ) {
    this.#operation = operation;
    this.#key = key;
    this.#text = text;
    this.#c = c;
    this.#services = services;
  }

  /**
   * Answers from the memory cache if possible, otherwise from KV or the provider. The route has checked the caller's scopes.
   */
  respond(directives: CacheDirectives, fields: readonly string[]): Response | Promise<Response> {
    const answer = ({ identity }: Upstream): Response | Promise<Response> => {
      const started = this.#services.now();
      const found = this.#services.findInMemory(identity, this.#key, started);
      return found !== undefined && isAcceptable(found, directives, started)
        ? this.#respondFromCache(started, found, fields)
        : this.#fetchRecord(started, found, directives, fields);
    };
    const upstream = this.#services.getUpstream(this.#c.env);
    return upstream instanceof Promise ? upstream.then(answer) : answer(upstream);
  }

  /** @param memoryEntry - an entry in the memory cache that does not satisfy the caller */
  async #fetchRecord(
    started: number,
    memoryEntry: Envelope | undefined,
    directives: CacheDirectives,
    fields: readonly string[],
  ): Promise<Response> {
    const context = await this.#services.createContext(this.#c, 'formula');
    const { since, onlyIfCached } = directives;
    const found = memoryEntry ?? (await context.cache.readRecord(this.#key));
    if (found === 'unreadable')
      return this.#respondWithFailure(started, { problem: 'gateway_unavailable', credits: 0 });
    if (found !== undefined && isAcceptable(found, directives, started)) {
      return this.#respondFromCache(started, found, fields);
    }
    if (onlyIfCached) return createProblemResponse('not_cached');
    const row = await this.#callProvider(since, context);
    if (row !== undefined && 'envelope' in row) {
      context.cache.set(row.name, row.envelope, row.size);
      return this.#respondWith(started, row.outcome, row.envelope, fields, row.credits);
    }
    const isRefused =
      row?.outcome === 'failed' && (row.problem === 'erased' || row.problem === 'invalid_key');
    // A stale record is better than an error.
    if (found?.content.kind === 'record' && !isRefused) {
      return this.#respondFromCache(started, found, fields, row?.credits);
    }
    if (row?.outcome === 'failed') return this.#respondWithFailure(started, row);
    return this.#respondWithFailure(started, {
      problem: row === undefined ? 'internal' : 'pending',
      credits: 0,
      ...(row?.outcome === 'pending' && row.retryAfterMs !== undefined
        ? { retryAfterMs: row.retryAfterMs }
        : {}),
    });
  }

  async #callProvider(
    since: number,
    { identity, payer, lane, fetchCalls }: GatewayContext,
  ): Promise<CallResult | undefined> {
    const calls = [buildRecordCall(this.#operation, this.#key, this.#text, since)];
    const rows = await fetchCalls({ identity, calls, payer, lane, waitMs: MAX_WAIT_MS, background: false });
    return rows.get(toCacheName(this.#key));
  }

  /** @param credits - cost of a failed attempt to refresh the record */
  #respondFromCache(started: number, envelope: Envelope, fields: readonly string[], credits = 0): Response {
    return this.#respondWith(
      started,
      envelope.freshUntil > started ? 'hit' : 'stale',
      envelope,
      fields,
      credits,
    );
  }

  #respondWith(
    started: number,
    outcome: SuccessOutcome,
    { content, fetchedAt }: Envelope,
    fields: readonly string[],
    credits: number,
  ): Response {
    const isMissing = content.kind === 'missing';
    const isFree = outcome !== 'fetched' && credits === 0 && !isMissing;
    const { allowance } = this.#c.get('lease');
    const limit = computeLimit(this.#c, this.#services);
    const remaining = allowance?.remaining ?? null;
    const now = this.#services.now();
    const saved = isFree ? this.#operation.credits : 0;
    this.#recordUsage(now - started, isMissing ? 'not_found' : outcome, saved);
    const metadata = { outcome, fetchedAt, now, credits, remaining, limit };
    return createDataResponse(serializeContent(content, fields), isMissing ? 404 : 200, metadata);
  }

  #respondWithFailure(started: number, row: Parameters<typeof createFailureResponse>[0]): Response {
    this.#recordUsage(this.#services.now() - started, 'failed', 0);
    return createFailureResponse(row);
  }

  #recordUsage(latencyMs: number, outcome: SuccessOutcome | 'not_found' | 'failed', saved: number): void {
    const { name: operation, family } = this.#operation;
    this.#services.recordUsage(this.#c, { family, operation, outcomes: { [outcome]: 1 }, saved, latencyMs });
  }
}
