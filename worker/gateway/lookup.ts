// The way of a lookup: read the keys, look in memory, have the flights ask the provider for the rest, answer a row for each
// key.
import type { LookupRequest, LookupResponse, RowStatus } from '../../shared/api/lookup.ts';
import { maxWaitMs } from '../../shared/limits.ts';
import { createProjection } from '../../shared/query/field-paths.ts';
import { toCacheName } from './cache/cache-keys.ts';
import {
  buildRefreshCalls,
  getRequestedFields,
  type RequestedRecord,
  readCachedRecords,
} from './cache/cached-records.ts';
import { buildRecordCall, type GatewayContext } from './context.ts';
import type { CallOutcome } from './ledger/types.ts';
import {
  buildProblemRow,
  isKeyRejected,
  type RowOutcome,
  sumCredits,
  toLookupRows,
  toRowOutcome,
} from './lookup-rows.ts';
import type { CallResult } from './single-flight/types.ts';

/** What a lookup came to; the surface puts its stamp on it. */
export type LookupResult = Omit<LookupResponse, 'stamp'>;

/**
 * Answers a lookup. Each distinct key is looked up once; what is remembered, and not asked to be younger, costs nothing.
 * What is not answered in time goes on.
 * @returns one row for each key, in the order of the keys
 */
export async function lookup(request: LookupRequest, context: GatewayContext): Promise<LookupResult> {
  const { now, cache, identity, payer, lane } = context;
  const started = now();
  const deadline = started + (request.wait_ms ?? maxWaitMs);
  const fields = getRequestedFields(request);
  const cut = createProjection(fields);
  const { requested, names, usable, tooOld, unreadable, since } = await readCachedRecords(
    request,
    cut,
    context,
  );
  const outcomes = new Map([...usable].map(([name, { outcome }]) => [name, outcome]));
  for (const key of unreadable) outcomes.set(toCacheName(key), buildProblemRow('gateway_unavailable'));

  const whole = fields.includes('*');
  const ask = async (names: readonly string[], waitMs: number, spend: boolean): Promise<CallResult[]> => {
    const calls = names.flatMap((name) => {
      const one = requested.get(name);
      return one === undefined ? [] : [buildRecordCall(one.operation, one.key, one.key.value, since)];
    });
    const rows = await context.fetchCalls({
      identity,
      calls,
      payer,
      lane,
      waitMs,
      background: spend && request.cancel_id === undefined,
      ...(request.cancel_id === undefined ? {} : { cancelId: request.cancel_id }),
      ...(whole ? {} : { fields }),
    });
    for (const row of rows.values()) {
      if (whole && 'envelope' in row) cache.set(row.name, row.envelope, row.size);
    }
    return [...rows.values()];
  };

  /** Keys that were not asked yet, and credits that the call may still spend. */
  let missing = [...requested.keys()].filter((name) => !outcomes.has(name));
  let isOutOfTime = false;
  let allowed = request.max_credits ?? Number.POSITIVE_INFINITY;
  const priceOf = (name: string): number => requested.get(name)?.operation.credits ?? 0;
  const accept = (row: CallResult): void => {
    allowed -= row.outcome === 'pending' ? priceOf(row.name) : row.credits;
    const instead = 'envelope' in row || isKeyRejected(row) ? undefined : tooOld.get(row.name);
    // What the attempt at a younger one may have cost stands with the older one.
    outcomes.set(row.name, instead ? { ...instead, credits: row.credits } : toRowOutcome(row, cut));
  };
  // As many as the credits allow; those that turned out to cost nothing leave room for others.
  while (!isOutOfTime && missing.length > 0 && allowed >= priceOf(missing[0] ?? '')) {
    const count = Math.min(missing.length, Math.floor(allowed / priceOf(missing[0] ?? '')));
    const wave = missing.slice(0, count);
    missing = missing.slice(count);
    for (const row of await ask(wave, Math.max(0, deadline - now()), true)) accept(row);
    // Withdrawn calls are not made up for by others: the caller cancelled, or its time is up.
    isOutOfTime =
      request.cancel_id !== undefined && wave.some((name) => outcomes.get(name)?.status === 'pending');
  }
  if (missing.length > 0) {
    // Nothing more may be bought, but a flight may know what KV does not yet.
    for (const row of await ask(missing, 0, false)) if (row.outcome !== 'unknown') accept(row);
    missing = missing.filter((name) => !outcomes.has(name));
  }
  for (const name of missing)
    outcomes.set(name, tooOld.get(name) ?? buildProblemRow(isOutOfTime ? 'pending' : 'max_credits_reached'));

  const refresh = buildRefreshCalls(request, { requested, usable }, context);
  if (refresh.length > 0) {
    // Stale records are bought again behind the answer, and looked at by the next.
    const behind = { lane: 'bulk', waitMs: 0, background: true } as const;
    context.waitUntil(context.fetchCalls({ identity, calls: refresh, payer, ...behind, fields: [] }));
  }
  const saved = recordUsage(outcomes, requested, request, context, now() - started);
  return {
    rows: toLookupRows(request, names, outcomes),
    credits: { spent: sumCredits(outcomes), saved, remaining: context.remaining },
  };
}

const isRecordRow = (outcome: RowOutcome): boolean => outcome.record !== undefined;

const counted: Partial<Record<RowStatus, CallOutcome>> = {
  hit: 'hit',
  stale: 'stale',
  coalesced: 'coalesced',
  fetched: 'fetched',
  not_found: 'not_found',
  failed: 'failed',
};

/** Counts what was answered. @returns credits saved */
function recordUsage(
  outcomes: ReadonlyMap<string, RowOutcome>,
  wanted: ReadonlyMap<string, RequestedRecord>,
  { family }: LookupRequest,
  context: GatewayContext,
  latencyMs: number,
): number {
  const byOperation = Map.groupBy(outcomes, ([name]) => wanted.get(name)?.operation);
  let saved = 0;
  for (const [operation, own] of byOperation) {
    if (operation === undefined) continue;
    const counts: Partial<Record<CallOutcome, number>> = {};
    let savedHere = 0;
    for (const [, outcome] of own) {
      const kind = counted[outcome.status];
      if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
      const free = kind === 'hit' || kind === 'stale' || kind === 'coalesced';
      if (free && outcome.credits === 0 && isRecordRow(outcome)) savedHere += operation.credits;
    }
    saved += savedHere;
    if (Object.keys(counts).length > 0) {
      context.recordUsage({
        family,
        operation: operation.name,
        outcomes: counts,
        saved: savedHere,
        latencyMs,
      });
    }
  }
  return saved;
}
