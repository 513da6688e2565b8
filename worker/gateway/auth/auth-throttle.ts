// How often an address may show something that opens nothing.
import { LRUCache } from 'lru-cache';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** The window of the rate limit: an address that went past it is not listened to for as long. */
const REFUSE_S = 60;
const MAX_REFUSED = 10_000;

/**
 * Where a request came from, as the platform saw it.
 * @returns an IP address; `local` on a machine of one's own
 */
export function getClientAddress(headers: Headers): string {
  return headers.get('cf-connecting-ip') ?? 'local';
}

/** The addresses that an isolate listens to no longer. Only failures are counted: who is known is never held up. */
export class AuthThrottle {
  readonly #kind: string;
  readonly #refused: LRUCache<string, true>;

  /**
   * @param kind - what is guessed; each kind is counted by itself
   * @param now - milliseconds since 1970
   */
  constructor(kind: string, now: () => number) {
    this.#kind = kind;
    this.#refused = new LRUCache({ max: MAX_REFUSED, ttl: REFUSE_S * 1000, ttlResolution: 0, perf: { now } });
  }

  /**
   * To be called before anything is looked up or compared.
   * @throws ProblemError `rate_limited` where this address failed too often
   */
  check(address: string): void {
    if (this.#refused.has(address)) throw this.#problem();
  }

  /**
   * Counts a failure.
   * @throws ProblemError `rate_limited` where it was one too many
   */
  async recordFailure(env: Env, address: string): Promise<void> {
    const { success } = await env.AUTH_RATE_LIMIT.limit({ key: `${this.#kind}:${address}` });
    if (success) return;
    this.#refused.set(address, true);
    throw this.#problem();
  }

  #problem(): ProblemError {
    return new ProblemError(
      'rate_limited',
      'Too many wrong tokens came from this address.',
      'Wait a minute and try again with the right one.',
      { 'Retry-After': String(REFUSE_S) },
    );
  }
}
