// Calls of a local instance that may be sent twice, retried while the machine is busy.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses before the second, third and fourth attempt, in ms. */
const PAUSES_MS = [200, 1_000, 4_000];

/**
 * Sends a request that has the same effect however often it is sent. Failed connections and 5xx responses are retried with
 * growing pauses.
 * @returns the first response below 500; after the last attempt, whatever came
 * @throws the error of the last attempt, where no connection could be made
 */
export async function fetchIdempotent(url: string, init?: RequestInit): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response !== undefined && response.status < 500) return response;
    await response?.body?.cancel();
    await sleep(pause);
  }
  return fetch(url, init);
}
