// Second room: how often a token may call. Calls are counted off a lease in memory, so that a hit touches nothing else.
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Env } from '../../env.ts';
import type { Middleware } from '../../http/compose.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { Caller } from '../auth/tokens.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import type { Lease, LeaseRequest, Usage } from '../ledger/types.ts';
import { UsageBuffer } from '../ledger/usage-buffer.ts';
import type { Platform } from '../platform.ts';

const MAX_LEASES = 10_000;

/** A ledger that has not answered by then is taken to be out of reach. */
const ASK_MS = 2_000;

/** The period of the `AUTH_RATE_LIMIT` limit, after which it lets calls in again for sure. */
const RATE_LIMIT_PERIOD_S = 60;

/** What was counted is handed over after this time at the latest. */
const HAND_OVER_MS = 5_000;

/** What is counted of a caller's calls. */
export type CallerUsage = Omit<Usage, 'token'>;

/** What this room adds to a request. */
export interface RateLimitedEnv<E extends Env = Env> {
  Bindings: E;
  Variables: {
    caller: Caller;
    /** Credits that the token may still spend, as of its lease: null where no cap is set, undefined if unknown. */
    remaining: number | null | undefined;
    /** The token's lease, as far as this isolate has one. */
    lease: { readonly allowance: Allowance | undefined };
    /** Takes up what the ledger said since: credits that the token may still spend. */
    heardRemaining: (credits: number | null) => void;
    /** Counts what was answered. */
    note: (usage: CallerUsage) => void;
  };
}

type LeaseAnswer = Lease | { refused: 'unauthorised' };

/** A ledger, as this room calls it. */
export interface LedgerClient {
  lease: (token: string, wish: LeaseRequest) => Promise<LeaseAnswer>;
  recordUsage: (usages: Usage[]) => Promise<void>;
}

/** How this room reaches the ledger of a team. */
export type GetLedger = (env: Env, team: string) => LedgerClient;

type RateLimitPlatform = Pick<Platform, 'now' | 'after'>;

/** A lease that this isolate has. */
export interface Allowance extends Pick<Lease, 'limit' | 'windowS' | 'endsAt' | 'remaining'> {
  left: number;
  /** Nothing more is granted until it ends. */
  usedUp: boolean;
}

/** What an isolate holds of each token: its lease, and since when a block is being asked for. */
interface TokenState {
  allowance: Allowance | undefined;
  askingSince: number | undefined;
}

function seconds(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers, for what is left of a lease and no more.
 * @param now - milliseconds since 1970
 */
function createRateLimitHeaders(
  { limit, windowS, endsAt, left }: Allowance,
  now: number,
): [string, string][] {
  return [
    ['RateLimit-Policy', `"token";q=${limit};w=${windowS}`],
    ['RateLimit', `"token";r=${endsAt > now ? left : 0};t=${seconds(endsAt, now)}`],
  ];
}

function createRateLimitError(allowance: Allowance, now: number): ProblemError {
  const { limit, windowS, endsAt } = allowance;
  const wait = Math.max(1, seconds(endsAt, now));
  return new ProblemError(
    'rate_limited',
    `This token may make ${limit} calls in ${windowS} seconds.`,
    `Wait ${wait} seconds and try again.`,
    { ...Object.fromEntries(createRateLimitHeaders(allowance, now)), 'Retry-After': String(wait) },
  );
}

/** The leases and counters of an isolate. Requests share what is in memory, never a promise: workerd forbids that. */
class RateLimiter {
  readonly #platform: RateLimitPlatform;
  readonly #deskOf: GetLedger;
  readonly #tokens = new LRUCache<string, TokenState>({ max: MAX_LEASES });
  readonly #sums = new UsageBuffer();

  constructor(platform: RateLimitPlatform, deskOf: GetLedger) {
    this.#platform = platform;
    this.#deskOf = deskOf;
  }

  #state(token: string): TokenState {
    const known = this.#tokens.get(token);
    if (known !== undefined) return known;
    const state: TokenState = { allowance: undefined, askingSince: undefined };
    this.#tokens.set(token, state);
    return state;
  }

  /**
   * Lets a call in.
   * @returns the lease that it is counted off; undefined where the ledger could not be asked
   * @throws ProblemError `rate_limited`, `unauthorised`
   */
  admit(c: Context<RateLimitedEnv>): Allowance | Promise<Allowance | undefined> {
    const state = this.#state(c.get('caller').tokenId);
    c.set('lease', state);
    return this.#countOff(state) ?? this.#askFor(c, state);
  }

  async #askFor(c: Context<RateLimitedEnv>, state: TokenState): Promise<Allowance | undefined> {
    const { tokenId } = c.get('caller');
    const answer = await this.#ask(c, state);
    if (answer === undefined) {
      const { success } = await c.env.AUTH_RATE_LIMIT.limit({ key: `lease:${tokenId}` });
      if (success) return undefined;
      throw new ProblemError('rate_limited', undefined, undefined, {
        'Retry-After': String(RATE_LIMIT_PERIOD_S),
      });
    }
    if ('refused' in answer) throw new ProblemError(answer.refused);
    return this.#take(state, answer);
  }

  /** @throws ProblemError `rate_limited` where nothing more is granted */
  #countOff({ allowance }: TokenState): Allowance | undefined {
    const now = this.#platform.now();
    if (allowance === undefined || allowance.endsAt <= now) return undefined;
    if (allowance.left > 0) {
      allowance.left -= 1;
      return allowance;
    }
    if (allowance.usedUp) throw createRateLimitError(allowance, now);
    return undefined;
  }

  /** Asks for a block, or for the one call if another request is asking; undefined if the ledger is out of reach. */
  async #ask(c: Context<RateLimitedEnv>, state: TokenState): Promise<LeaseAnswer | undefined> {
    const { teamId, tokenId } = c.get('caller');
    const { now, after } = this.#platform;
    const asked = now();
    // Who asks for so long has ended without saying so.
    const first = state.askingSince === undefined || asked >= state.askingSince + ASK_MS;
    if (first) state.askingSince = asked;
    const answered = new AbortController();
    const answer = this.#sums
      .flush(teamId, (usages) =>
        this.#deskOf(c.env, teamId).lease(tokenId, { ...(first ? {} : { calls: 1 }), usages }),
      )
      .catch((error: unknown) => {
        logError('lease_failed', error, { team: teamId });
        return undefined;
      });
    // Goes on though nobody may wait for it any more: it hands over what was counted.
    c.executionCtx.waitUntil(answer);
    const late = async (): Promise<undefined> => {
      await after(ASK_MS, answered.signal);
      if (!answered.signal.aborted) logError('lease_late', undefined, { team: teamId });
    };
    try {
      return await Promise.race([answer, late()]);
    } finally {
      answered.abort();
      if (first) state.askingSince = undefined;
    }
  }

  /** Adds what was granted to what is held for the same window, and counts the call off. */
  #take(state: TokenState, { granted, ...lease }: Lease): Allowance {
    const held = state.allowance;
    const sameWindow = held?.endsAt === lease.endsAt;
    const left = granted + (sameWindow ? held.left : 0);
    const allowance = Object.assign(sameWindow ? held : {}, lease, { left, usedUp: granted === 0 });
    if (held === undefined || held.endsAt < lease.endsAt) state.allowance = allowance;
    if (allowance.left === 0) throw createRateLimitError(allowance, this.#platform.now());
    allowance.left -= 1;
    return allowance;
  }

  /** Counts what a caller was answered, and sees to it that the ledger gets to know. */
  note(c: Context<RateLimitedEnv>, usage: CallerUsage): void {
    const { teamId, tokenId } = c.get('caller');
    this.#sums.add(teamId, { ...usage, token: tokenId });
    if (this.#sums.claimTimer(teamId, this.#platform.now(), HAND_OVER_MS)) {
      c.executionCtx.waitUntil(this.#handOverLater(c.env, teamId));
    }
  }

  async #handOverLater(env: Env, team: string): Promise<void> {
    await this.#platform.after(HAND_OVER_MS);
    this.#sums.releaseTimer(team);
    if (!this.#sums.hasUsage(team)) return;
    try {
      await this.#sums.flush(team, (usages) => this.#deskOf(env, team).recordUsage(usages));
    } catch (error) {
      logError('usage_not_handed_over', error);
    }
  }
}

/**
 * Makes the middleware that counts a caller's calls off a lease from the team's ledger, and says in headers what is left
 * of it. If the ledger can't be reached, the `AUTH_RATE_LIMIT` limit decides and nothing is promised.
 * @param deskOf - how the ledger is reached
 * @throws ProblemError `rate_limited` with `Retry-After`, `unauthorised`
 */
export function rateLimit(
  platform: RateLimitPlatform,
  deskOf: GetLedger = getLedger,
): Middleware<RateLimitedEnv> {
  const room = new RateLimiter(platform, deskOf);
  return async (c, next) => {
    const admitted = room.admit(c);
    const allowance = admitted instanceof Promise ? await admitted : admitted;
    c.set('remaining', allowance?.remaining);
    c.set('heardRemaining', (credits) => {
      if (allowance !== undefined) allowance.remaining = credits;
    });
    c.set('note', (usage) => room.note(c, usage));
    await next();
    if (allowance === undefined) return;
    const { headers } = c.res;
    for (const [name, value] of createRateLimitHeaders(allowance, platform.now())) headers.set(name, value);
  };
}
