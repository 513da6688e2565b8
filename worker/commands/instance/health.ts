// Checks the health of an instance.
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

/** Checks whether an instance accepts the session's key. */
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
