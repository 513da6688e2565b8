// Sends a message to an alert address: tried again with growing pauses, in the end a dead letter.
import type { Env } from '../env.ts';
import { logError } from '../log.ts';
import type { WorkRooms } from '../work.ts';
import { kick } from '../work-queue.ts';
import { AlertStore, type Sending } from './store.ts';

/** A receiver that takes longer has not heard it. */
const TIMEOUT_MS = 10_000;
/** Whoever sends a message and has not said what came of it for so long has died. */
const LEASE_MS = 60_000;
/** Milliseconds from a try that failed to the next; after the last it is given up. */
const waitsMs: readonly number[] = [2_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000];

/** @returns what went wrong, in words without anything that the receiver said */
async function post(url: string, { message: { id, body } }: Sending): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      // A redirect could lead to an address that would have been refused.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `The receiver answered ${response.status}.`;
  } catch (error) {
    logError('alert_failed', error, { message: id });
    return 'The receiver did not answer.';
  }
}

/**
 * Sends a message that is due: nothing where it has ended, its address is gone, or somebody else is sending it. Who is killed
 * between sending and noting it is followed by another who sends it again.
 * @param now - milliseconds since 1970
 */
export async function sendNow(env: Env, id: string, now: number): Promise<void> {
  const store = new AlertStore(env.DB);
  const sending = await store.take(id, now, now + LEASE_MS);
  if (sending === undefined) return;
  const address = await store.address(sending.message);
  if (address === undefined) return store.drop(sending);
  const error = await post(address.url, sending);
  if (error === undefined) return store.sent(sending, now, true, null);
  const wait = waitsMs[sending.message.tries];
  if (wait === undefined) return store.sent(sending, now, false, null, error);
  await store.sent(sending, now, false, now + wait);
  await kick(env, [{ kind: 'alert', id }], wait / 1000);
}

/** Sends a message that stands in the queue of work: {@link sendNow}. */
export function sendAlert<E extends Env>({ env, edges }: WorkRooms<E>, id: string): Promise<void> {
  return sendNow(env, id, edges.now());
}
