// Authenticates callers by team token. Verified tokens are cached for some seconds, so that a cache hit needs no D1 query.
import type { Context } from 'hono';
import type { LRUCache } from 'lru-cache';
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { createBoundedCache } from '../../lib/bounded-cache.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { Admission, TokenLease } from '../rate-limit/rate-limit.ts';
import { AuthThrottle, getClientAddress } from './auth-throttle.ts';
import { type Caller, findCallerByHash } from './tokens.ts';

/** A revoked token can read for at most this time. Changes are verified in the database. */
const VERIFIED_TTL_MS = 30_000;
const MAX_VERIFIED = 10_000;
/** A client that repeats an unknown token causes one query in this time. */
const UNKNOWN_TTL_MS = 10_000;
const MAX_UNKNOWN = 10_000;

const BEARER = /^Bearer +(\S+)$/i;

export interface AuthenticatedEnv<E extends Env = Env> {
  Bindings: E;
  Variables: { caller: Caller; lease: TokenLease };
}

export type TokenReader = (headers: Headers) => string | undefined;

export const readBearerToken: TokenReader = (headers) => BEARER.exec(headers.get('authorization') ?? '')?.[1];

/** Reads the token from `apikey`, where the provider's clients send their key. */
export const readApiKeyToken: TokenReader = (headers) => headers.get('apikey') ?? undefined;

interface VerifiedToken {
  caller: Caller;
  /** The lease outlives verifications. */
  lease: TokenLease;
  hash: string;
  /** Milliseconds since 1970. */
  verifiedAt: number;
}

/** The query of a token's caller; undefined if the token is not valid. */
export type CallerQuery = Promise<Caller | undefined>;

/** Tokens that this isolate has looked up, for all its requests. */
export class TokenCache {
  readonly #now: () => number;
  /** By token, so that a cache hit needs no hashing. An expired entry still shows that its client need not be throttled. */
  readonly #verified: LRUCache<string, VerifiedToken>;
  /** By hash. */
  readonly #unknown: LRUCache<string, true>;
  readonly #throttle: AuthThrottle;

  constructor(now: () => number) {
    this.#now = now;
    this.#verified = createBoundedCache(MAX_VERIFIED);
    this.#unknown = createBoundedCache(MAX_UNKNOWN, { ttlMs: UNKNOWN_TTL_MS, now });
    this.#throttle = new AuthThrottle('token', now);
  }

  /** Returns a token that was verified recently. */
  getCached(token: string | undefined): VerifiedToken | undefined {
    const entry = token === undefined ? undefined : this.#verified.get(token);
    return entry !== undefined && this.#isValid(entry, this.#now()) ? entry : undefined;
  }

  #isValid({ caller: { expiresAt }, verifiedAt }: VerifiedToken, now: number): boolean {
    return now < verifiedAt + VERIFIED_TTL_MS && (expiresAt === null || expiresAt > now);
  }

  /**
   * Verifies a token. Throttles addresses that send too many unknown tokens.
   * @param address - from {@link getClientAddress}
   * @param options - `mustVerify`: reads the database even if the token was verified recently; `onQuery` receives the query
   *   when it has started: of a well-formed token that this isolate does not refuse anyway
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async verify(
    env: Env,
    token: string | undefined,
    address: string,
    {
      mustVerify = false,
      onQuery = () => {},
    }: { mustVerify?: boolean; onQuery?: (query: CallerQuery) => void } = {},
  ): Promise<VerifiedToken> {
    if (token === undefined) throw new ProblemError('unauthorised');
    const cached = this.#verified.get(token);
    const hash = cached?.hash ?? (await hashToken(token));
    const now = this.#now();
    if (!mustVerify && cached !== undefined && this.#isValid(cached, now)) return cached;
    if (this.#unknown.has(hash)) throw new ProblemError('unauthorised');
    if (cached === undefined) this.#throttle.check(address);
    const query = findCallerByHash(env.DB, hash, now);
    onQuery(query);
    const caller = await query;
    if (caller === undefined) {
      this.#verified.delete(token);
      this.#unknown.set(hash, true);
      await this.#throttle.recordFailure(env, address);
      throw new ProblemError('unauthorised');
    }
    // Concurrent requests share the lease.
    const lease = this.#verified.get(token)?.lease ?? { allowance: undefined, fetchingSince: undefined };
    const verified: VerifiedToken = { caller, lease, hash, verifiedAt: now };
    this.#verified.set(token, verified);
    return verified;
  }
}

/** @throws ProblemError `unauthorised` for a malformed token */
function hashToken(token: string): Promise<string> {
  if (!isWellFormedToken(token)) throw new ProblemError('unauthorised');
  return sha256Hex(token);
}

/** Checks whether a request changes what other requests read. A token that was just revoked must not. */
export type ChangeTest = (request: { method: string; path: string }) => boolean;

/**
 * Creates the middleware that requires a valid team token.
 * @param cache - shares verified tokens between surfaces
 * @param isChange - requests whose token is verified in the database, whatever the cache says
 * @param onQuery - called when a request starts to wait for the database
 * @throws ProblemError `unauthorised`, `rate_limited`
 */
export function authenticate(
  now: () => number,
  readToken = readBearerToken,
  cache = new TokenCache(now),
  isChange: ChangeTest = () => false,
  onQuery: (c: Context, query: CallerQuery) => void = () => {},
): Admission<Context<AuthenticatedEnv>> {
  const proceed = <T>(c: Context<AuthenticatedEnv>, next: () => T, { caller, lease }: VerifiedToken): T => {
    c.set('caller', caller);
    c.set('lease', lease);
    return next();
  };
  const verify = async <T>(
    c: Context<AuthenticatedEnv>,
    next: () => T,
    mustVerify: boolean,
  ): Promise<Awaited<T>> => {
    const { headers } = c.req.raw;
    const address = getClientAddress(headers);
    const options = { mustVerify, onQuery: (query: CallerQuery) => onQuery(c, query) };
    return await proceed(c, next, await cache.verify(c.env, readToken(headers), address, options));
  };
  return (c, next) => {
    if (isChange(c.req) && c.req.method !== 'GET') return verify(c, next, true);
    const token = cache.getCached(readToken(c.req.raw.headers));
    return token === undefined ? verify(c, next, false) : proceed(c, next, token);
  };
}
