// Reads the provider's response headers: rate limit, balance, correlation id.
import { defined } from '../../../shared/lib/defined.ts';
import { redactKey } from './redact-key.ts';
import type { CallHeaders, RateLimitHints } from './upstream.ts';

/** Ids that are safe in a header and in a log. The provider's own ids are UUIDs. */
const CORRELATION_ID = /^[\w.:-]{1,100}$/;

/** Parses a whole number of at most 15 digits. */
export function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Parses `Retry-After`, which holds seconds or a date (RFC 9110, 10.2.3). Returns milliseconds. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const seconds = parseWholeNumber(text);
  const ms = seconds === undefined ? Date.parse(text) - now : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Reads the rate limit and the balance. A limit of 0 is ignored, because it would stop every call. */
const readAccount = (headers: Headers) => ({
  limitPerS: parseWholeNumber(headers.get('x-ratelimit-limit-second')) || undefined,
  balance: parseWholeNumber(headers.get('x-credits-remaining')),
});

/** Reads the headers that drop-in clients get to see. */
export function readCallHeaders(headers: Headers, apiKey: string): CallHeaders {
  const correlationId = redactKey(apiKey, headers.get('x-correlation-id') ?? '');
  return defined({
    ...readAccount(headers),
    remainingPerS: parseWholeNumber(headers.get('x-ratelimit-remaining-second')),
    correlationId: CORRELATION_ID.test(correlationId) ? correlationId : undefined,
  });
}

/** Reads the headers that the provider throttle uses. */
export const readHints = (headers: Headers, now: number): RateLimitHints =>
  defined({
    ...readAccount(headers),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
