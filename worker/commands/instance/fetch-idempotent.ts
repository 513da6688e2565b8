// Sends idempotent requests to a local instance and retries them.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses before the second, third and fourth attempt. */
const PAUSES_MS = [200, 1_000, 4_000];

/**
 * Sends an idempotent request. Retries failed connections and 5xx responses with exponential back-off, until the
 * signal of `init` is aborted.
 * @returns the first response below 500, or the response of the last attempt
 * @throws the error of the last attempt if no connection could be made
 */
export async function fetchIdempotent(url: string, init?: RequestInit): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response !== undefined && response.status < 500) return response;
    await response?.body?.cancel();
    await sleep(pause, undefined, init?.signal ? { signal: init.signal } : {});
  }
  return fetch(url, init);
}
