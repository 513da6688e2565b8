// Types of the provider: how a call is sent to it, and how its response is described. Only types, so that every folder of the
// gateway can import them.
import type { Content } from '../cache/content.ts';

export interface ProviderEndpoint {
  /** Base URL; ends in `/cdapi`. */
  baseUrl: string;
  apiKey: string;
  fetch(request: Request): Promise<Response>;
}

/** A provider: the remote service, or the sandbox. */
export interface Upstream extends ProviderEndpoint {
  /** Identifies the provider. It is part of every cache key, so that records of different providers never mix. */
  identity: string;
  /** Set for the sandbox, whose records are fictional. */
  isSandbox?: true;
}

/** A response that is not cached content, passed on as it came, without the API key. */
export interface RawResponse {
  status: number;
  body: string;
}

/**
 * The outcome of a call.
 * `content`: charged if it is a record or a page, free if it says that the record does not exist.
 * `refused`: free; the same call would be refused again.
 * `unavailable`: free; the same call may succeed later.
 * `unclear`: it is unknown whether the call was charged, so it is never retried automatically.
 */
export type ProviderResponse =
  | { kind: 'content'; content: Content }
  | { kind: 'refused'; answer: RawResponse }
  | { kind: 'unavailable'; answer?: RawResponse }
  | { kind: 'unclear' };

/** Response headers that tell about the provider's rate limit and balance. */
export interface RateLimitHints {
  limitPerS?: number;
  balance?: number;
  /** From `Retry-After`, milliseconds. */
  retryAfterMs?: number;
}

/** Response headers that are passed on to drop-in clients. They are never stored. */
export interface CallHeaders {
  /** `x-ratelimit-limit-second` and `x-ratelimit-remaining-second`: calls a second for the gateway's API key. */
  limitPerS?: number;
  remainingPerS?: number;
  /** `x-credits-remaining`: credits left on the provider's account. */
  balance?: number;
  /** `x-correlation-id`: opaque. */
  correlationId?: string;
}

/** The outcome of a call together with its headers. */
export interface ProviderResult {
  response: ProviderResponse;
  hints: RateLimitHints;
  callHeaders: CallHeaders;
}
