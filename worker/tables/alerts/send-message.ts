// Sends a message to an alert address: tried again with growing pauses, in the end a dead letter.
import type { Env } from '../../env.ts';
import { retryDelaysMs, sendWebhook } from '../../http/send-webhook.ts';
import type { JobContext } from '../../jobs/job-consumer.ts';
import { enqueue } from '../job-queue.ts';
import { AlertStore } from './store.ts';

/** Whoever sends a message and has not said what came of it for so long has died. */
const LEASE_MS = 60_000;

/**
 * Sends a message that is due: nothing where it has ended, its address is gone, or somebody else is sending it. Who is killed
 * between sending and noting it is followed by another who sends it again.
 * @param now - milliseconds since 1970
 */
export async function sendMessage(env: Env, id: string, now: number): Promise<void> {
  const store = new AlertStore(env.DB);
  const sending = await store.acquireLease(id, now, now + LEASE_MS);
  if (sending === undefined) return;
  const address = await store.getAddress(sending.message);
  if (address === undefined) return store.deleteMessage(sending);
  const { body, tries } = sending.message;
  const error = await sendWebhook({ url: address.url, body }, 'alert_failed', { message: id });
  if (error === undefined) return store.recordAttempt(sending, now, true, null);
  const wait = retryDelaysMs[tries];
  if (wait === undefined) return store.recordAttempt(sending, now, false, null, error);
  await store.recordAttempt(sending, now, false, now + wait);
  await enqueue(env, [{ kind: 'alert', id }], wait / 1000);
}

/** Sends a message that stands in the queue of work: {@link sendMessage}. */
export function runAlertJob<E extends Env>({ env, platform }: JobContext<E>, id: string): Promise<void> {
  return sendMessage(env, id, platform.now());
}
