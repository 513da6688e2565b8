// Authenticates callers by team token. Verified tokens are cached for some seconds, so that a cache hit needs no D1 query.
import type { Context, Next } from 'hono';
import type { LRUCache } from 'lru-cache';
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import type { Middleware } from '../../http/compose.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { createBoundedCache } from '../../lib/bounded-cache.ts';
import { sha256Hex } from '../../lib/hash.ts';
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
  Variables: { caller: Caller };
}

/** Reads the token from the headers of a request. */
export type TokenReader = (headers: Headers) => string | undefined;

export const readBearerToken: TokenReader = (headers) => BEARER.exec(headers.get('authorization') ?? '')?.[1];

/** Reads the token from `apikey`, where the provider's clients send their key. */
export const readApiKeyToken: TokenReader = (headers) => headers.get('apikey') ?? undefined;

/** A caller, and when its token was verified: milliseconds since 1970. */
interface VerifiedToken {
  caller: Caller;
  verifiedAt: number;
}

/** The query of a token's caller; undefined if the token is not valid. */
export type CallerQuery = Promise<Caller | undefined>;

/** Tokens that this isolate has looked up, for all its requests. */
export class TokenCache {
  readonly #now: () => number;
  /** By hash. An expired entry still shows that the token was valid, so its client is not throttled. */
  readonly #verified: LRUCache<string, VerifiedToken>;
  readonly #unknown: LRUCache<string, true>;
  /** Hashes of valid tokens by token, so that a cache hit needs no hashing. */
  readonly #hashes: LRUCache<string, string>;
  readonly #throttle: AuthThrottle;

  constructor(now: () => number) {
    this.#now = now;
    this.#verified = createBoundedCache(MAX_VERIFIED);
    this.#unknown = createBoundedCache(MAX_UNKNOWN, { ttlMs: UNKNOWN_TTL_MS, now });
    this.#hashes = createBoundedCache(MAX_VERIFIED, { ttlMs: VERIFIED_TTL_MS, now });
    this.#throttle = new AuthThrottle('token', now);
  }

  /** Returns the caller of a token that was verified recently. */
  getCached(token: string | undefined): Caller | undefined {
    const hash = token === undefined ? undefined : this.#hashes.get(token);
    const entry = hash === undefined ? undefined : this.#verified.get(hash);
    return entry !== undefined && this.#isValid(entry, this.#now()) ? entry.caller : undefined;
  }

  #isValid({ caller: { expiresAt }, verifiedAt }: VerifiedToken, now: number): boolean {
    return now < verifiedAt + VERIFIED_TTL_MS && (expiresAt === null || expiresAt > now);
  }

  /**
   * Finds the caller of a token. Throttles addresses that send too many unknown tokens.
   * @param address - from {@link getClientAddress}
   * @param options - `mustVerify`: reads the database even if the token was verified recently; `onQuery` receives the query
   *   when it has started: of a well-formed token that this isolate does not refuse anyway
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async getCaller(
    env: Env,
    token: string | undefined,
    address: string,
    {
      mustVerify = false,
      onQuery = () => {},
    }: { mustVerify?: boolean; onQuery?: (query: CallerQuery) => void } = {},
  ): Promise<Caller> {
    if (token === undefined) throw new ProblemError('unauthorised');
    const hash = this.#hashes.get(token) ?? (await hashToken(token));
    const now = this.#now();
    const cached = this.#verified.get(hash);
    if (!mustVerify && cached !== undefined && this.#isValid(cached, now)) return cached.caller;
    if (this.#unknown.has(hash)) throw new ProblemError('unauthorised');
    if (cached === undefined) this.#throttle.check(address);
    const query = findCallerByHash(env.DB, hash, now);
    onQuery(query);
    const caller = await query;
    if (caller === undefined) {
      this.#verified.delete(hash);
      this.#hashes.delete(token);
      this.#unknown.set(hash, true);
      await this.#throttle.recordFailure(env, address);
      throw new ProblemError('unauthorised');
    }
    this.#verified.set(hash, { caller, verifiedAt: now });
    this.#hashes.set(token, hash);
    return caller;
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
): Middleware<AuthenticatedEnv> {
  const readCaller = async (c: Context<AuthenticatedEnv>, next: Next, mustVerify: boolean): Promise<void> => {
    const { headers } = c.req.raw;
    const address = getClientAddress(headers);
    const options = { mustVerify, onQuery: (query: CallerQuery) => onQuery(c, query) };
    c.set('caller', await cache.getCaller(c.env, readToken(headers), address, options));
    await next();
  };
  return (c, next) => {
    if (c.req.method !== 'GET' && isChange(c.req)) return readCaller(c, next, true);
    const caller = cache.getCached(readToken(c.req.raw.headers));
    if (caller === undefined) return readCaller(c, next, false);
    c.set('caller', caller);
    return next();
  };
}
