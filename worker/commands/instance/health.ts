// Requests to an instance: its health, and requests that may be repeated.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './session.ts';

const REQUEST_TIMEOUT_MS = 2_000;
const POLL_MS = 250;

async function fetchStatus(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Checks whether an instance answers, ready or not. @param url - its address */
export async function isReachable(url: string): Promise<boolean> {
  return (await fetchStatus(`${url}/health`)) !== undefined;
}

/** Checks whether an instance is ready: it answers and its sample records are loaded. */
export async function isReady(url: string): Promise<boolean> {
  return (await fetchStatus(`${url}/health`)) === 200;
}

export async function acceptsKey({ url, provider_key }: Session): Promise<boolean> {
  return (await fetchStatus(`${url}/provider/status`, { apikey: provider_key })) === 200;
}

/**
 * Waits until an instance is ready.
 * @param isRunning - checks whether it still runs
 * @returns false if it stopped before it was ready
 */
export async function waitUntilReady(url: string, isRunning: () => Promise<boolean>): Promise<boolean> {
  while (await isRunning()) {
    if (await isReady(url)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

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
