// Ends data requests: stores the charge, settles it, notifies listeners and caches the records.
import type { Failure, Phase, RequestRow } from '../db/schema.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import { createUsage } from '../gateway/ledger/usage-buffer.ts';
import { logError } from '../http/log.ts';
import { type MetricsPoint, writeMetrics } from '../http/metrics.ts';
import { sendCallerWebhook } from './caller-webhook.ts';
import { cacheDeliveredRecords } from './ingest/cached-rows.ts';
import { releaseKeys } from './order/key-claims.ts';
import { calculateSaved } from './order/order.ts';
import { deleteSelection, isQueryKind } from './order/selection-store.ts';
import { deleteSplit } from './order/split-keys.ts';
import { ProviderClient } from './provider-client.ts';
import {
  CONTINUE,
  CONTINUE_APART,
  DONE,
  type StepContext,
  type StepResult,
  transition,
} from './state-machine.ts';

/**
 * Ends a data request. The charge is stored before it is sent to the ledger, so a crash in between repeats the settlement.
 * @param charged - at most its reservation; null if it is unknown
 * @param disputed - credits that the provider may have charged beyond
 */
export async function endRequest(
  context: StepContext,
  row: RequestRow,
  phase: Phase,
  charged: number | null,
  failure: Failure | null,
  disputed = 0,
): Promise<StepResult> {
  const hasWebhook = row.webhookUrl !== null && !row.cancelRequested && row.providerId !== null;
  const { rows } = row;
  const hasNewRecords = row.identity !== null && rows > (row.cachedRows ?? 0);
  const change = {
    phase,
    charged,
    disputed,
    failure,
    rows,
    webhookAttempts: hasWebhook ? 0 : null,
    endedAt: context.now(),
    cacheCursor: hasNewRecords ? '' : null,
  };
  if (!(await transition(context, row, [row.phase], change))) return CONTINUE;
  writeMetrics(context.env, [toMetricsPoint({ ...row, ...change })]);
  if (charged !== null) await reportCharge(context, row, charged + disputed);
  const ended = await context.repository.get(row.id);
  // In the same step, because a client that sees the end expects its notifications.
  return ended === undefined ? CONTINUE : finishRequest(context, ended);
}

async function reportCharge(
  { env, upstream, now }: StepContext,
  row: RequestRow,
  charged: number,
): Promise<void> {
  if (charged === 0) return;
  try {
    await new ProviderClient(env, await upstream(), row.teamId, now).reportCharge(charged);
  } catch (error) {
    logError('provider_throttle_report_failed', error, { data_request: row.id });
  }
}

/** Records the cached records that it has delivered. A repeated step is ignored, because the id is the idempotency key. */
async function recordSaved({ env }: StepContext, row: RequestRow): Promise<void> {
  const { id: reference, teamId, tokenId: token, family } = row;
  const saved = calculateSaved(row);
  if (saved === 0) return;
  const usage = createUsage(token, { family, operation: 'bulk', outcomes: {}, saved, latencyMs: 0 });
  await getLedger(env, teamId).recordUsage([{ ...usage, reference }]);
}

/** Settles an ended data request, notifies listeners, caches its records and delivers the caller's webhook. */
export async function finishRequest(context: StepContext, row: RequestRow): Promise<StepResult> {
  const { env, now, repository, events } = context;
  await getLedger(env, row.teamId).settleMany([
    { id: row.id, charged: row.charged ?? 'unclear', disputed: row.disputed },
  ]);
  await recordSaved(context, row);
  const keepsQuery = row.phase === 'ready' && isQueryKind(row.kind);
  await (keepsQuery ? deleteSplit(env, row.id) : deleteSelection(env, row.id));
  // Later attempts repeat only the caller's webhook.
  if (row.phase !== 'cancelled' && (row.webhookAttempts === null || row.webhookAttempts === 0)) {
    await events.onEnded(env, row, now());
  }
  if (row.cacheCursor !== null) {
    const cacheCursor = await cacheDeliveredRecords(env, row);
    await repository.transition(row.id, [row.phase], { cacheCursor });
    return CONTINUE_APART;
  }
  // Only after its records are cached: until then another order would buy them again. Keys that may have been charged stay
  // claimed.
  if (row.charged !== null) await releaseKeys(env.DB, row.id);
  if (row.webhookAttempts === null) return DONE;
  const waitMs = await sendCallerWebhook(env, row, now());
  if (waitMs === undefined) {
    await repository.transition(row.id, [row.phase], { webhookAttempts: null, updatedAt: now() });
    return DONE;
  }
  await transition(context, row, [row.phase], { webhookAttempts: row.webhookAttempts + 1 });
  return { over: false, waitMs };
}

/** Returns the data point. A charge that is unknown counts as the whole reservation, as in the ledger. */
const toMetricsPoint = (row: RequestRow): MetricsPoint => ({
  event: 'data_request',
  team: row.teamId,
  operation: 'bulk',
  family: row.family,
  outcome: row.phase,
  problem: row.failure?.problem ?? '',
  kind: row.kind,
  ms: (row.endedAt ?? row.createdAt) - row.createdAt,
  credits: row.charged ?? row.reserved,
  rows: row.rows,
  cached_rows: row.cachedRows ?? 0,
});
