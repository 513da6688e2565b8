// Looks records up: cache first, then the single flight; the response has a row for each key.
import type { LookupRequest, LookupResponse, RowStatus } from '../../shared/api/lookup.ts';
import { maxWaitMs } from '../../shared/limits.ts';
import { getRecordPrice, type RecordOperation } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { createProjection } from '../../shared/query/field-paths.ts';
import { toCacheName } from './cache/cache-keys.ts';
import {
  buildRefreshCalls,
  type CachedRecords,
  getRequestedFields,
  readCachedRecords,
} from './cached-records.ts';
import type { GatewayContext } from './context.ts';
import type { CallOutcome, Usage } from './ledger/types.ts';
import {
  buildProblemRow,
  isKeyRejected,
  type Projection,
  type RowOutcome,
  sumCredits,
  toLookupRows,
  toRowOutcome,
} from './lookup-rows.ts';
import { buildRecordCall } from './record-call.ts';
import type { CallResult } from './single-flight/types.ts';

/** A response without its stamp, which the route adds. */
export type LookupResult = Omit<LookupResponse, 'stamp'>;

interface LookupRun {
  request: LookupRequest;
  context: GatewayContext;
  cached: CachedRecords;
  fields: string[];
  project: Projection;
  /** By cache name. */
  outcomes: Map<string, RowOutcome>;
}

/**
 * Answers a lookup with one row for each key, in their order. Each distinct key is fetched at most once, and cached records
 * that are young enough are free. Calls that are not answered in time continue in the background.
 */
export async function lookup(request: LookupRequest, context: GatewayContext): Promise<LookupResult> {
  const startedAt = context.now();
  const fields = getRequestedFields(request);
  const project = createProjection(fields);
  const cached = await readCachedRecords(request, project, context);
  const outcomes = new Map([...cached.usable].map(([name, { outcome }]) => [name, outcome]));
  // To fetch a record that may be cached could mean to pay for it twice.
  for (const key of cached.unreadable) outcomes.set(toCacheName(key), buildProblemRow('gateway_unavailable'));
  const run: LookupRun = { request, context, cached, fields, project, outcomes };

  await fetchMissing(run, startedAt + (request.wait_ms ?? maxWaitMs));
  refreshStale(run);
  const saved = recordUsage(run, context.now() - startedAt);
  return {
    rows: toLookupRows(request, cached.names, cached.requested, outcomes),
    credits: { spent: sumCredits(outcomes), saved, remaining: context.remaining },
  };
}

/** Fetches the records that have no outcome yet, as many as `max_credits` allows. */
async function fetchMissing(run: LookupRun, deadline: number): Promise<void> {
  const { request, context, cached, outcomes } = run;
  let missing = [...cached.requested.keys()].filter((name) => !outcomes.has(name));
  const price = getRecordPrice(request.family);
  const limit = request.max_credits === undefined ? context.formulaMaxCredits : undefined;
  const needsConfirmation = (): boolean => limit !== undefined && missing.length * price > limit;
  if (needsConfirmation()) missing = await acceptKnownAnswers(run, missing);
  if (needsConfirmation()) {
    for (const name of missing) outcomes.set(name, getFallback(run, name, 'confirm_price'));
    return;
  }
  let creditsLeft = request.max_credits ?? Number.POSITIVE_INFINITY;
  let isTimeUp = false;
  // Calls that turned out to be free leave credits for another batch.
  while (!isTimeUp && missing.length > 0) {
    if (creditsLeft < price) break;
    const batch = missing.slice(0, Math.floor(creditsLeft / price));
    missing = missing.slice(batch.length);
    const results = await fetchBatch(run, batch, Math.max(0, deadline - context.now()), true);
    for (const result of results) creditsLeft -= acceptResult(run, result);
    // No further batch replaces withdrawn calls: the caller cancelled, or its time is up.
    isTimeUp =
      request.cancel_id !== undefined && batch.some((name) => outcomes.get(name)?.status === 'pending');
  }
  if (missing.length === 0) return;
  const problem = isTimeUp ? 'pending' : 'max_credits_reached';
  for (const name of await acceptKnownAnswers(run, missing))
    outcomes.set(name, getFallback(run, name, problem));
}

/**
 * Accepts answers that a single-flight object has and KV does not have yet. Free.
 * @returns the names without an answer
 */
async function acceptKnownAnswers(run: LookupRun, names: readonly string[]): Promise<string[]> {
  for (const result of await fetchBatch(run, names, 0, false)) {
    if (result.outcome !== 'unknown') acceptResult(run, result);
  }
  return names.filter((name) => !run.outcomes.has(name));
}

/** Returns an older record, or the problem that keeps a younger one from being bought. */
const getFallback = ({ cached }: LookupRun, name: string, problem: ProblemCode): RowOutcome =>
  cached.tooOld.get(name) ?? buildProblemRow(problem);

/**
 * Fetches records through the single flight.
 * @param mayBuy - false returns only answers that are already known
 */
async function fetchBatch(
  { request, context, cached, fields }: LookupRun,
  names: readonly string[],
  waitMs: number,
  mayBuy: boolean,
): Promise<CallResult[]> {
  const { cache, identity, payer, lane } = context;
  const cancelId = request.cancel_id;
  const needsWholeRecords = fields.includes('*');
  const calls = names.flatMap((name) => {
    const record = cached.requested.get(name);
    return record ? [buildRecordCall(record.operation, record.key, record.key.value, cached.since)] : [];
  });
  const results = await context.fetchCalls({
    identity,
    calls,
    payer,
    lane,
    waitMs,
    background: mayBuy && cancelId === undefined,
    ...(cancelId === undefined ? {} : { cancelId }),
    ...(needsWholeRecords ? {} : { fields }),
  });
  if (needsWholeRecords) {
    for (const result of results.values()) {
      if ('envelope' in result) cache.set(result.name, result.envelope, result.size);
    }
  }
  return [...results.values()];
}

/** Stores the outcome of a key. @returns the credits that it costs, or that it will cost if it is pending */
function acceptResult(run: LookupRun, result: CallResult): number {
  const { request, cached, outcomes, project } = run;
  const { name, credits } = result;
  const hasAnswer = 'envelope' in result || isKeyRejected(result);
  const older = hasAnswer ? undefined : cached.tooOld.get(name);
  // The failed attempt to fetch a younger record may have cost credits.
  outcomes.set(name, older ? { ...older, credits } : toRowOutcome(result, project));
  return result.outcome === 'pending' ? getRecordPrice(request.family) : credits;
}

/** Buys stale records again after the response; the next lookup sees them. A formula buys none above its limit. */
function refreshStale(run: LookupRun): void {
  const { request, context, cached } = run;
  const calls = buildRefreshCalls(request, cached, context);
  const bought = cached.requested.size - cached.usable.size;
  const most = (bought + calls.length) * getRecordPrice(request.family);
  if (calls.length === 0 || most > (context.formulaMaxCredits ?? most)) return;
  const { identity, payer } = context;
  const options = { lane: 'bulk', waitMs: 0, background: true } as const;
  context.waitUntil(context.fetchCalls({ identity, calls, payer, ...options, fields: [] }));
}

const outcomeByStatus: Partial<Record<RowStatus, CallOutcome>> = {
  hit: 'hit',
  stale: 'stale',
  coalesced: 'coalesced',
  fetched: 'fetched',
  not_found: 'not_found',
  failed: 'failed',
};

/** Adds the outcomes to the usage statistics. @returns credits saved by the cache */
function recordUsage({ request, context, cached, outcomes }: LookupRun, latencyMs: number): number {
  const byOperation = Map.groupBy(outcomes, ([name]) => cached.requested.get(name)?.operation);
  let saved = 0;
  for (const [operation, entries] of byOperation) {
    if (operation === undefined) continue;
    const usage = countOutcomes(
      operation,
      entries.map(([, outcome]) => outcome),
    );
    saved += usage.saved;
    if (Object.keys(usage.outcomes).length > 0) {
      context.recordUsage({ family: request.family, operation: operation.name, ...usage, latencyMs });
    }
  }
  return saved;
}

function countOutcomes(
  operation: RecordOperation,
  outcomes: readonly RowOutcome[],
): Pick<Usage, 'outcomes' | 'saved'> {
  const counts: Usage['outcomes'] = {};
  let saved = 0;
  for (const { status, credits, record } of outcomes) {
    const outcome = outcomeByStatus[status];
    if (outcome === undefined) continue;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const isShared = outcome === 'hit' || outcome === 'stale' || outcome === 'coalesced';
    if (isShared && credits === 0 && record !== undefined) saved += operation.credits;
  }
  return { outcomes: counts, saved };
}
