// Limits the calls of each token. Calls are counted against a lease in memory, so that a cache hit needs no other object.
import type { Context } from 'hono';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { Caller } from '../auth/tokens.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import type { CallUsage, Lease, LeaseRequest, LeaseResult, Usage } from '../ledger/types.ts';
import { UsageBuffer } from '../ledger/usage-buffer.ts';
import type { Platform } from '../platform.ts';

/** Admits a request, then continues it: without a promise if nothing has to be waited for. */
export type Admission<C = Context> = <T>(c: C, next: () => T) => T | Promise<Awaited<T>>;

/** A ledger that does not respond within this time counts as unreachable. */
const LEASE_TIMEOUT_MS = 2_000;

/** Period of the `AUTH_RATE_LIMIT` limit, which then permits calls again. */
const FALLBACK_PERIOD_S = 60;

/** Collected usage is sent to the ledger after at most this time. */
const FLUSH_DELAY_MS = 5_000;

export interface RateLimitedEnv<E extends Env = Env> {
  Bindings: E;
  Variables: {
    caller: Caller;
    lease: TokenLease;
  };
}

export interface LedgerClient {
  lease: (token: string, request: LeaseRequest) => Promise<LeaseResult>;
  recordUsage: (usages: Usage[]) => Promise<void>;
}

export type GetLedger = (env: Env, team: string) => LedgerClient;

type RateLimitPlatform = Pick<Platform, 'now' | 'sleep'>;

/** A lease with its remaining calls. */
export interface Allowance extends Pick<Lease, 'limit' | 'windowS' | 'endsAt'> {
  /** Credits that the token may still spend, as the ledger last reported; null without a cap. */
  remaining: number | null;
  left: number;
  /** The ledger grants nothing more until the lease ends. */
  usedUp: boolean;
}

export interface TokenLease {
  /** Undefined if the ledger is unreachable. */
  allowance: Allowance | undefined;
  /** Since when a request is fetching the next lease. */
  fetchingSince: number | undefined;
}

function seconds(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}

export const formatPolicy = ({ limit, windowS }: Allowance): string => `"token";q=${limit};w=${windowS}`;

/**
 * Formats the field `RateLimit` of draft-ietf-httpapi-ratelimit-headers. It promises only the rest of the current lease.
 * @param now - milliseconds since 1970
 */
export const formatRest = ({ endsAt, left }: Allowance, now: number): string =>
  `"token";r=${endsAt > now ? left : 0};t=${seconds(endsAt, now)}`;

/** Creates both fields of the draft. */
const createRateLimitHeaders = (allowance: Allowance, now: number) => ({
  'RateLimit-Policy': formatPolicy(allowance),
  RateLimit: formatRest(allowance, now),
});

function createRateLimitError(allowance: Allowance, now: number): ProblemError {
  const { limit, windowS, endsAt } = allowance;
  const wait = Math.max(1, seconds(endsAt, now));
  return new ProblemError(
    'rate_limited',
    `This token may make ${limit} calls in ${windowS} seconds.`,
    `Wait ${wait} seconds and try again.`,
    { ...createRateLimitHeaders(allowance, now), 'Retry-After': String(wait) },
  );
}

/** Leases and usage of an isolate. Requests share data but never promises, because workerd forbids that. */
export class RateLimiter {
  readonly #platform: RateLimitPlatform;
  readonly #getLedger: GetLedger;
  readonly #usage = new UsageBuffer();

  constructor(platform: RateLimitPlatform, getLedgerClient: GetLedger = getLedger) {
    this.#platform = platform;
    this.#getLedger = getLedgerClient;
  }

  /**
   * Counts a call.
   * @returns a promise only if the lease must be renewed
   * @throws ProblemError `rate_limited`, `unauthorised`
   */
  admit(c: Context<RateLimitedEnv>): Promise<void> | undefined {
    const lease = c.get('lease');
    return this.#countCall(lease) ? undefined : this.#renewLease(c, lease);
  }

  async #renewLease(c: Context<RateLimitedEnv>, lease: TokenLease): Promise<void> {
    const { tokenId } = c.get('caller');
    const before = lease.allowance;
    const result = await this.#fetchLease(c, lease);
    if (result === undefined) {
      if (lease.allowance === before) lease.allowance = undefined;
      const { success } = await c.env.AUTH_RATE_LIMIT.limit({ key: `lease:${tokenId}` });
      if (success) return;
      throw new ProblemError('rate_limited', undefined, undefined, {
        'Retry-After': String(FALLBACK_PERIOD_S),
      });
    }
    if ('refused' in result) throw new ProblemError(result.refused);
    this.#addLease(lease, result);
  }

  /**
   * Counts a call against the current lease.
   * @returns whether it permits the call
   * @throws ProblemError `rate_limited` if the ledger grants nothing more
   */
  #countCall({ allowance }: TokenLease): boolean {
    const now = this.#platform.now();
    if (allowance === undefined || allowance.endsAt <= now) return false;
    if (allowance.left > 0) {
      allowance.left -= 1;
      return true;
    }
    if (allowance.usedUp) throw createRateLimitError(allowance, now);
    return false;
  }

  /**
   * Fetches a lease, or a single call while another request fetches one.
   * @returns undefined if the ledger is unreachable
   */
  async #fetchLease(c: Context<RateLimitedEnv>, lease: TokenLease): Promise<LeaseResult | undefined> {
    const { teamId, tokenId } = c.get('caller');
    const { now, sleep } = this.#platform;
    const startedAt = now();
    // A request that fetches for longer has ended without resetting the state.
    const isFirst = lease.fetchingSince === undefined || startedAt >= lease.fetchingSince + LEASE_TIMEOUT_MS;
    if (isFirst) lease.fetchingSince = startedAt;
    let hasSettled = false;
    const result = this.#usage
      .flush(teamId, (usages) =>
        this.#getLedger(c.env, teamId).lease(tokenId, { ...(isFirst ? {} : { calls: 1 }), usages }),
      )
      .catch((error: unknown) => {
        logError('lease_failed', error, { team: teamId });
        return undefined;
      })
      .finally(() => {
        hasSettled = true;
      });
    // Continues after a timeout, because the call also sends the collected usage.
    c.executionCtx.waitUntil(result);
    await sleep(LEASE_TIMEOUT_MS, result);
    if (isFirst) lease.fetchingSince = undefined;
    if (hasSettled) return result;
    logError('lease_timed_out', undefined, { team: teamId });
    return undefined;
  }

  /** Adds a new lease to the current one of the same window, and counts the call. */
  #addLease(lease: TokenLease, { granted, ...granting }: Lease): void {
    const current = lease.allowance;
    const isSameWindow = current?.endsAt === granting.endsAt;
    const left = granted + (isSameWindow ? current.left : 0);
    const allowance = Object.assign(isSameWindow ? current : {}, granting, { left, usedUp: granted === 0 });
    if (current === undefined || current.endsAt < granting.endsAt) lease.allowance = allowance;
    if (allowance.left === 0) throw createRateLimitError(allowance, this.#platform.now());
    allowance.left -= 1;
  }

  /** Records usage of a caller. It is sent to the ledger with the next lease, or by a timer. */
  recordUsage(c: Context, usage: CallUsage): void {
    const { teamId, tokenId }: Caller = c.get('caller');
    this.#usage.add(teamId, tokenId, usage);
    if (this.#usage.claimTimer(teamId, this.#platform.now(), FLUSH_DELAY_MS)) {
      c.executionCtx.waitUntil(this.#flushLater(c.env, teamId));
    }
  }

  async #flushLater(env: Env, team: string): Promise<void> {
    await this.#platform.sleep(FLUSH_DELAY_MS);
    this.#usage.releaseTimer(team);
    if (!this.#usage.hasUsage(team)) return;
    try {
      await this.#usage.flush(team, (usages) => this.#getLedger(env, team).recordUsage(usages));
    } catch (error) {
      logError('usage_flush_failed', error);
    }
  }
}

/** Updates the credits that a token may still spend from a later response of the ledger. null if no cap is set. */
export function updateRemaining({ allowance }: TokenLease, credits: number | null): void {
  if (allowance !== undefined) allowance.remaining = credits;
}

/** Adds the rate limit headers. There are none without a lease: no token was required, or the ledger was unreachable. */
export function addRateLimitHeaders(headers: Headers, lease: TokenLease | undefined, now: number): void {
  if (lease?.allowance === undefined) return;
  for (const [name, value] of Object.entries(createRateLimitHeaders(lease.allowance, now)))
    headers.set(name, value);
}

/**
 * Creates the middleware that counts a caller's calls against a lease from the team's ledger. If the ledger is unreachable, the
 * `AUTH_RATE_LIMIT` limit decides.
 * @param onLease - called when a request starts to wait for the ledger
 * @throws ProblemError `rate_limited` with `Retry-After`, `unauthorised`
 */
export function rateLimit(
  limiter: RateLimiter,
  onLease: (c: Context) => void = () => {},
): Admission<Context<RateLimitedEnv>> {
  const waitFor = async <T>(renewal: Promise<void>, c: Context, next: () => T): Promise<Awaited<T>> => {
    onLease(c);
    await renewal;
    return await next();
  };
  return (c, next) => {
    const renewal = limiter.admit(c);
    return renewal === undefined ? next() : waitFor(renewal, c, next);
  };
}
