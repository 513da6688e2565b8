// Throttles clients that fail authentication too often.
import type { LRUCache } from 'lru-cache';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { createBoundedCache } from '../../lib/bounded-cache.ts';

/** Period of the rate limit. A client that exceeds it is refused for as long. */
const REFUSE_S = 60;
const MAX_REFUSED = 10_000;

/** Returns the first 64 bits of an IPv6 address in its canonical form. A client has all addresses with the same ones. */
function getIpv6Network(address: string): string {
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}

/**
 * Returns the client's IP address from the platform's header, of IPv6 only the network; `local` in development.
 */
export function getClientAddress(headers: Headers): string {
  const address = headers.get('cf-connecting-ip') ?? 'local';
  const isIpv6 = address.includes(':') && !address.includes('.');
  return isIpv6 ? getIpv6Network(address) : address;
}

/** Throttles failed authentication by address. Only failures count, so valid clients are never delayed. */
export class AuthThrottle {
  readonly #kind: string;
  readonly #refused: LRUCache<string, true>;

  /** @param kind - kind of credential; each has its own limit */
  constructor(kind: string, now: () => number) {
    this.#kind = kind;
    this.#refused = createBoundedCache(MAX_REFUSED, { ttlMs: REFUSE_S * 1000, now });
  }

  /**
   * Checks an address. Call it before any credential is looked up or compared.
   * @throws ProblemError `rate_limited` if the address failed too often
   */
  check(address: string): void {
    if (this.#refused.has(address)) throw this.#problem();
  }

  /**
   * Counts a failure.
   * @throws ProblemError `rate_limited` if the limit is now exceeded
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
      'Too many wrong tokens or secrets came from this address.',
      'Wait a minute and try again with the right one.',
      { 'Retry-After': String(REFUSE_S) },
    );
  }
}
