// First room: who is asking. A verified token is remembered for a few seconds, so that a hit costs no look-up.
import { LRUCache } from 'lru-cache';
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import type { Middleware } from '../../http/compose.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { AuthThrottle, getClientAddress } from './auth-throttle.ts';
import { type Caller, findCallerByHash } from './tokens.ts';

/** A revoked token is refused after at most this time. */
const REMEMBER_MS = 30_000;
const MAX_REMEMBERED = 10_000;
/** Whoever repeats a wrong token costs one look-up in this time. */
const REMEMBER_UNKNOWN_MS = 10_000;
const MAX_UNKNOWN = 10_000;

const BEARER = /^Bearer +(\S+)$/i;

/** What this room adds to a request. */
export interface AuthenticatedEnv<E extends Env = Env> {
  Bindings: E;
  Variables: { caller: Caller };
}

/** Finds the token in a request's headers. */
export type TokenReader = (headers: Headers) => string | undefined;

/** The token of `Authorization: Bearer`. */
export const readBearerToken: TokenReader = (headers) => BEARER.exec(headers.get('authorization') ?? '')?.[1];

/** The token in the place of the provider's key. */
export const readApiKeyToken: TokenReader = (headers) => headers.get('apikey') ?? undefined;

/** A caller, and when its token was looked up: milliseconds since 1970. */
interface VerifiedToken {
  caller: Caller;
  askedAt: number;
}

/** What an isolate knows of tokens, shared by its requests. */
export class TokenCache {
  readonly #now: () => number;
  /** By hash; an entry past its time still tells that the token was good here, so that it is no stranger's. */
  readonly #verified: LRUCache<string, VerifiedToken>;
  readonly #unknown: LRUCache<string, true>;
  /** Of good tokens, so that a hit need not hash: by the token itself, for as long as its caller is remembered. */
  readonly #hashes: LRUCache<string, string>;
  readonly #strangers: AuthThrottle;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#verified = new LRUCache({ max: MAX_REMEMBERED });
    this.#unknown = new LRUCache({
      max: MAX_UNKNOWN,
      ttl: REMEMBER_UNKNOWN_MS,
      ttlResolution: 0,
      perf: { now },
    });
    this.#hashes = new LRUCache({
      max: MAX_REMEMBERED,
      ttl: REMEMBER_MS,
      ttlResolution: 0,
      perf: { now },
    });
    this.#strangers = new AuthThrottle('token', now);
  }

  /** @returns the caller behind a token, where that was found out a moment ago */
  getCached(token: string | undefined): Caller | undefined {
    const hash = token === undefined ? undefined : this.#hashes.get(token);
    const known = hash === undefined ? undefined : this.#verified.get(hash);
    return known !== undefined && this.#isGood(known, this.#now()) ? known.caller : undefined;
  }

  #isGood({ caller: { expiresAt }, askedAt }: VerifiedToken, now: number): boolean {
    return now < askedAt + REMEMBER_MS && (expiresAt === null || expiresAt > now);
  }

  /**
   * Finds the caller behind a token. An address that showed too many unknown ones gets no more look-ups.
   * @param token - as it was sent
   * @param address - from {@link getClientAddress}
   * @throws ProblemError `unauthorised`; `rate_limited` where too many unknown tokens came from this address
   */
  async getCaller(env: Env, token: string | undefined, address: string): Promise<Caller> {
    if (token === undefined) throw new ProblemError('unauthorised');
    const hash = this.#hashes.get(token) ?? (await hashToken(token));
    const askedAt = this.#now();
    const known = this.#verified.get(hash);
    if (known !== undefined && this.#isGood(known, askedAt)) return known.caller;
    if (this.#unknown.has(hash)) throw new ProblemError('unauthorised');
    if (known === undefined) this.#strangers.check(address);
    const caller = await findCallerByHash(env.DB, hash, askedAt);
    if (caller === undefined) {
      this.#verified.delete(hash);
      this.#hashes.delete(token);
      this.#unknown.set(hash, true);
      await this.#strangers.recordFailure(env, address);
      throw new ProblemError('unauthorised');
    }
    this.#verified.set(hash, { caller, askedAt });
    this.#hashes.set(token, hash);
    return caller;
  }
}

/** @throws ProblemError `unauthorised` where the text is no token */
function hashToken(token: string): Promise<string> {
  if (!isWellFormedToken(token)) throw new ProblemError('unauthorised');
  return sha256Hex(token);
}

/**
 * Makes the middleware that lets only callers with a good team token in.
 * @param now - milliseconds since 1970
 * @param tokenOf - where the token stands
 * @param callers - given to share what is remembered between surfaces
 * @throws ProblemError `unauthorised`, `rate_limited`
 */
export function authenticate(
  now: () => number,
  tokenOf = readBearerToken,
  callers = new TokenCache(now),
): Middleware<AuthenticatedEnv> {
  const lookUp: Middleware<AuthenticatedEnv> = async (c, next) => {
    const { headers } = c.req.raw;
    c.set('caller', await callers.getCaller(c.env, tokenOf(headers), getClientAddress(headers)));
    await next();
  };
  return (c, next) => {
    const known = callers.getCached(tokenOf(c.req.raw.headers));
    if (known === undefined) return lookUp(c, next);
    c.set('caller', known);
    return next();
  };
}
