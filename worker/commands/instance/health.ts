// Asks an instance how it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './session.ts';

const REQUEST_TIMEOUT_MS = 2_000;
const POLL_MS = 250;

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/**
 * Tells whether an instance answers, ready or not.
 * @param url - its address
 */
export async function answers(url: string): Promise<boolean> {
  return (await statusOf(`${url}/health`)) !== undefined;
}

/** Tells whether an instance is ready: it answers, and its sample records are in. */
export async function isReady(url: string): Promise<boolean> {
  return (await statusOf(`${url}/health`)) === 200;
}

/** Tells whether an instance answers, and takes this session's key. */
export async function takesKey({ url, provider_key }: Session): Promise<boolean> {
  return (await statusOf(`${url}/provider/status`, { apikey: provider_key })) === 200;
}

/**
 * Waits until an instance is ready, as long as it runs.
 * @param isRunning - tells whether it still runs
 * @returns false where it ended before
 */
export async function untilReady(url: string, isRunning: () => Promise<boolean>): Promise<boolean> {
  while (await isRunning()) {
    if (await isReady(url)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
