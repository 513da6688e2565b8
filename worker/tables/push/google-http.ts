// Sends calls to Google within its rate limit, with a timeout and retries.

import type { Platform } from '../../gateway/platform.ts';
import { parseRetryAfter } from '../../gateway/upstream/provider-headers.ts';
import { logError } from '../../http/log.ts';
import { readText } from '../../http/read-body.ts';
import { parseJson } from '../../lib/exact-json.ts';

/** Clock, timers, randomness and network of calls to Google. */
export interface GooglePlatform extends Pick<Platform, 'now' | 'sleep' | 'random'> {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Creates a signal that aborts after the given milliseconds. */
  timeout: (ms: number) => AbortSignal;
}

export interface GoogleResponse {
  status: number;
  /** Parsed JSON; undefined when the body is not JSON or exceeds {@link MAX_RESPONSE_BYTES}. */
  body: unknown;
  /** `Retry-After`, in milliseconds. */
  retryAfterMs?: number;
}

/** Statuses for which Google recommends a retry. */
export const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 503]);

const TIMEOUT_MS = 20_000;
/** The delays sum to half a minute on average, a minute at most: the quota of a minute is then available again. */
const MAX_ATTEMPTS = 7;
const BASE_DELAY_MS = 1_000;
/** A longer `Retry-After` ends the attempts; the push is retried later. */
const MAX_DELAY_MS = 90_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Sends a call once.
 * @throws the error of the connection, or a TimeoutError after 20 seconds: Google may have processed the call
 */
export async function sendOnce(
  platform: GooglePlatform,
  url: string,
  init: RequestInit,
): Promise<GoogleResponse> {
  try {
    const response = await platform.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: platform.timeout(TIMEOUT_MS),
    });
    const body = parseJson((await readText(response, MAX_RESPONSE_BYTES)) ?? '');
    const waitMs = parseRetryAfter(response.headers.get('retry-after'), platform.now());
    return { status: response.status, body, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) };
  } catch (error) {
    logError('google_call_failed', error);
    throw error;
  }
}

/**
 * Sends a call and retries it with exponential back-off and full jitter, not before the time in `Retry-After`.
 * @param send - sends the call once
 * @returns the last response
 */
export async function sendWithRetry(
  platform: GooglePlatform,
  send: () => Promise<GoogleResponse>,
): Promise<GoogleResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    const { status, retryAfterMs = 0 } = response;
    const isLast = attempt === MAX_ATTEMPTS || retryAfterMs > MAX_DELAY_MS;
    if (!RETRYABLE_STATUSES.has(status) || isLast) return response;
    await platform.sleep(Math.max(retryAfterMs, platform.random() * BASE_DELAY_MS * 2 ** (attempt - 1)));
  }
}

/** Google allows a service account 60 reads and 60 writes a minute. */
const MAX_CALLS = 60;
const WINDOW_MS = 60_000;

/** Rate limit of the reads or the writes of one service account. */
export class RateLimiter {
  /** Send times of the latest calls, past and planned, in milliseconds since 1970. */
  #reserved: number[] = [];

  /**
   * Reserves the next call, so that no minute has more than 60 of them.
   * @param now - milliseconds since 1970
   * @returns milliseconds to wait before sending
   */
  reserve(now: number): number {
    const [oldest] = this.#reserved.slice(-MAX_CALLS);
    const isFull = this.#reserved.length >= MAX_CALLS;
    const at = Math.max(now, this.#reserved.at(-1) ?? 0, isFull ? (oldest ?? 0) + WINDOW_MS : 0);
    this.#reserved = [...this.#reserved.slice(1 - MAX_CALLS), at];
    return at - now;
  }
}
