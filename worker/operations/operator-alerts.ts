// The minute sweep of operator alerts: compares the deployment's signals with the stored state and reports changes.
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import { DAY_MS, HOUR_MS } from '../../shared/lib/durations.ts';
import { countUnclearRequests, sumDisputedCredits } from '../data-requests/repository.ts';
import type { OperatorAlertRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { readLatency } from '../gateway/ledger/latency-report.ts';
import { toDay } from '../gateway/ledger/periods.ts';
import { listBudgetPercents, readUsageReport } from '../gateway/ledger/usage-report.ts';
import { getProviderThrottle } from '../gateway/provider-throttle/provider-throttle-object.ts';
import { countLateErasures } from '../gateway/refusal-list/erasure-repository.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { retryDelaysMs, sendWebhook } from '../http/send-webhook.ts';
import { DeadLetterRepository } from '../queue/dead-letters.ts';
import { buildMessageBody } from '../tables/alerts/enqueue-alert.ts';
import {
  type AlertDefinition,
  alertKinds,
  MAX_COUNTED_LETTERS,
  type Signals,
  SPEND_DAYS,
} from './alert-kinds.ts';
import { type LeasedAlert, OperatorAlertStore } from './alert-store.ts';
import { getCronRun } from './cron-runs.ts';
import { type OperatorSettings, readOperatorSettings } from './operator-settings.ts';

/** Longer than any delivery attempt takes. */
const LEASE_MS = 60_000;
/** Below the limit of six open connections per invocation. */
const CONCURRENCY = 3;

/** Reads a signal; undefined if it can't be read. */
async function readSignal<T>(name: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    logError('operator_signal_failed', error, { signal: name });
    return undefined;
  }
}

async function readSpendingDays(
  orm: DrizzleD1Database,
  now: number,
): Promise<NonNullable<Signals['spending']>> {
  const to = toDay(now);
  const from = toDay(now - SPEND_DAYS * DAY_MS);
  const { rows } = await readUsageReport(orm, {
    by: 'day',
    from,
    to,
    team: undefined,
    limit: SPEND_DAYS + 1,
  });
  const spent = rows.filter(({ credits }) => credits > 0);
  return {
    today: spent.find(({ day }) => day === to)?.credits ?? 0,
    before: spent.filter(({ day }) => day !== to).map(({ credits }) => credits),
  };
}

async function countCalls(orm: DrizzleD1Database, now: number): Promise<NonNullable<Signals['calls']>> {
  const from = now - (now % HOUR_MS) - HOUR_MS;
  const hours = await readLatency(orm, { by: 'hour', from, to: now + 1, team: undefined });
  return hours.reduce(({ all, failed }, hour) => ({ all: all + hour.calls, failed: failed + hour.failed }), {
    all: 0,
    failed: 0,
  });
}

export interface SignalSources {
  env: Env;
  now: number;
  /** @throws ProblemError `not_configured` */
  getUpstream: () => Promise<Pick<Upstream, 'identity'>>;
}

/**
 * Reads the state of the deployment. What can't be read is undefined.
 * @param lowBalance - credits
 */
export async function readSignals(
  { env, now, getUpstream }: SignalSources,
  lowBalance: number,
): Promise<Signals> {
  const orm = drizzle(env.DB);
  const [
    throttle,
    cron,
    deadLetters,
    unclearRequests,
    disputedCredits,
    lateErasures,
    budgetPercents,
    spending,
    calls,
  ] = await Promise.all([
    readSignal('throttle', async () => getProviderThrottle(env, (await getUpstream()).identity).getState()),
    readSignal('cron', async () => (await getCronRun(env.DB)) ?? null),
    readSignal('dead_letters', () => new DeadLetterRepository(env.DB).countOpen(MAX_COUNTED_LETTERS)),
    readSignal('unclear_requests', () => countUnclearRequests(env.DB, now - DAY_MS)),
    readSignal('disputed_charges', () => sumDisputedCredits(env.DB, now)),
    readSignal('erasures', () => countLateErasures(env.DB, now - HOUR_MS)),
    readSignal('budgets', () => listBudgetPercents(orm, toDay(now))),
    readSignal('spending', () => readSpendingDays(orm, now)),
    readSignal('calls', () => countCalls(orm, now)),
  ]);
  return {
    ...{ now, throttle, cron, deadLetters, unclearRequests, disputedCredits, lateErasures },
    ...{ budgetPercents, spending, calls, lowBalance },
  };
}

/** Begins, repeats or ends the alert of one kind. */
async function update(
  store: OperatorAlertStore,
  kind: string,
  { describe, count = () => 1, recovered }: AlertDefinition,
  row: OperatorAlertRow | undefined,
  signals: Signals,
): Promise<void> {
  const text = describe(signals);
  if (text === undefined) return;
  const { now } = signals;
  const since = row?.since ?? null;
  const level = count(signals);
  if (row === undefined || since === null) {
    if (text !== null) await store.begin(kind, { text, level }, now);
  } else if (text === null) await store.notify(row, { text: `Resolved: ${recovered}`, level }, now, null);
  else if (level > row.level) await store.notify(row, { text, level }, now, since);
  else if (now >= row.notifiedAt + DAY_MS)
    await store.notify(row, { text: `Reminder: ${text}`, level }, now, since);
}

/** Sends a message once. After the last failed attempt it is dropped; the daily reminder follows. */
async function send(
  store: OperatorAlertStore,
  alert: LeasedAlert,
  { url }: OperatorSettings,
  now: number,
): Promise<void> {
  const error = await sendText(url, alert.text, alert.kind);
  if (error === undefined) return store.recordDelivery(alert);
  const delay = retryDelaysMs[alert.attempts];
  await store.recordFailure(alert, error, delay === undefined ? null : now + delay);
}

/** @returns the error, without the address and the response; undefined if the message was delivered */
async function sendText(url: string, text: string, kind: string): Promise<string | undefined> {
  const body = buildMessageBody('CDAPI for Sheets', text);
  return (await sendWebhook(() => ({ url, body }), 'alert_delivery_failed', { kind }))?.error;
}

/**
 * Sends a test message once. It is not stored and not retried.
 * @returns as {@link sendText}
 */
export function sendTestMessage({ url }: OperatorSettings): Promise<string | undefined> {
  return sendText(url, 'This is a test. Operator alerts arrive here.', 'test');
}

/**
 * Runs the sweep. Does nothing without `OPERATOR_ALERT_URL`. A crash between sending and recording sends a message again.
 * @throws ProblemError `not_configured` if a setting is wrong
 */
export async function sweepOperatorAlerts<E extends Env>(context: JobContext<E>): Promise<void> {
  const { env, platform } = context;
  const settings = readOperatorSettings(env);
  if (settings === undefined) return;
  const store = new OperatorAlertStore(env.DB);
  const getUpstream = async () => createProviderResolver(platform)(env);
  const signals = await readSignals({ env, now: platform.now(), getUpstream }, settings.lowBalance);
  const rows = new Map((await store.list()).map((row) => [row.kind, row]));
  for (const [kind, definition] of Object.entries(alertKinds))
    await update(store, kind, definition, rows.get(kind), signals);
  const now = platform.now();
  const due = await store.leaseDue(now, now + LEASE_MS);
  await pMap(due, (alert) => send(store, alert, settings, platform.now()), { concurrency: CONCURRENCY });
}
