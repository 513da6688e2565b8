// Delivers an alert message with exponential back-off; the last failure becomes a dead letter.
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { retryDelaysMs, sendWebhook } from '../../http/send-webhook.ts';
import { enqueue } from '../job-queue.ts';
import { decryptAddress } from './address.ts';
import { AlertStore } from './store.ts';

/** Longer than any delivery attempt takes. */
const LEASE_MS = 60_000;

/**
 * Sends a due message under a lease. Does nothing when the message has ended or another worker holds its lease. A crash
 * between sending and recording the attempt sends the message again.
 */
export async function sendMessage(env: Env, id: string, now: number): Promise<void> {
  const store = new AlertStore(env.DB);
  const leased = await store.acquireLease(id, now, now + LEASE_MS);
  if (leased === undefined) return;
  const address = await store.getAddress(leased.message);
  if (address === undefined) return store.deleteMessage(leased);
  const { body, tries } = leased.message;
  const error = await send(env, address, body, id);
  if (error === undefined) return store.recordAttempt(leased, now, true, null);
  const delay = retryDelaysMs[tries];
  if (delay === undefined) return store.recordAttempt(leased, now, false, null, error);
  await store.recordAttempt(leased, now, false, now + delay);
  await enqueue(env, [{ kind: 'alert', id }], delay / 1000);
}

/** @returns the error; undefined if the message was delivered */
async function send(env: Env, address: AlertRow, body: string, message: string): Promise<string | undefined> {
  try {
    const url = await decryptAddress(env, address);
    return await sendWebhook({ url, body }, 'alert_delivery_failed', { message });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    logError('alert_delivery_failed', error, { message });
    return error.message;
  }
}

/** Handles an alert job of the queue: {@link sendMessage}. */
export function runAlertJob<E extends Env>({ env, platform }: JobContext<E>, id: string): Promise<void> {
  return sendMessage(env, id, platform.now());
}
