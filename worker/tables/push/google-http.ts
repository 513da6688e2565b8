// Sends a call to Google: given up after 20 seconds, tried again where that may help.
import type { Platform } from '../../gateway/platform.ts';
import { logError } from '../../http/log.ts';
import { readText } from '../../http/read-text.ts';

/** What calls to Google reach the world through. */
export interface GooglePlatform extends Pick<Platform, 'now' | 'after' | 'random'> {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A signal that comes after so many milliseconds. */
  timeout: (ms: number) => AbortSignal;
}

/** An answer, read. */
export interface GoogleResponse {
  status: number;
  /** Undefined where it is no JSON, or longer than {@link MAX_ANSWER_BYTES}. */
  body: unknown;
  /** How long to wait, as it says itself, in milliseconds. */
  retryAfterMs?: number;
}

/** Statuses after which Google asks to try again. */
export const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 503]);

const TIMEOUT_MS = 20_000;
/** Half a minute on average, a minute at most: a used-up minute of the quota is over then. */
const MAX_TRIES = 7;
const BASE_DELAY_MS = 1_000;
/** Whoever is to wait longer had better come again. */
const MAX_DELAY_MS = 90_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** RFC 9110, 10.2.3: seconds or a date. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a call once.
 * @throws what the connection throws, and a TimeoutError after 20 seconds: whether it was worked on is not known then
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
    const body = parseJson(await readText(response, MAX_ANSWER_BYTES));
    const waitMs = parseRetryAfter(response.headers.get('retry-after'), platform.now());
    return { status: response.status, body, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) };
  } catch (error) {
    logError('google_call_failed', error);
    throw error;
  }
}

/**
 * Sends a call again while Google asks for that: after a pause that doubles, with full jitter, and not before the time
 * that an answer names.
 * @param send - one try
 * @returns the last answer
 */
export async function sendWithRetry(
  platform: GooglePlatform,
  send: () => Promise<GoogleResponse>,
): Promise<GoogleResponse> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    const { status, retryAfterMs = 0 } = answer;
    if (!RETRYABLE_STATUSES.has(status) || tries === MAX_TRIES || retryAfterMs > MAX_DELAY_MS) return answer;
    await platform.after(Math.max(retryAfterMs, platform.random() * BASE_DELAY_MS * 2 ** (tries - 1)));
  }
}
