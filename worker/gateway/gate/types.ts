// What is said to and heard from the gate before the provider.
import type { Lane } from '../call.ts';

/** Asks to send calls. */
export interface Acquire {
  /** Id of the team that they are for. */
  team: string;
  lane: Lane;
  /** How many. */
  calls: number;
  /** How long the answer may wait for a turn, milliseconds; 0 answers at once. */
  waitMs: number;
}

/** How many calls may be sent now. */
export interface Permit {
  /** 0 to as many as asked; the rest asks again. */
  granted: number;
  /** If nothing was granted: when to ask again, milliseconds since 1970. */
  retryAt: number;
  /** Is the breaker open? Then whatever is remembered is better than waiting. */
  open: boolean;
}

/** How a call went that was sent with a permit. */
export interface Report {
  /**
   * `answered`: any answer that shows the provider at work, refusals of the request included. `failed`: 5xx, no
   * connection, no answer in time, an unreadable one. `rate_limited`: 429. `unused`: the permit was not used.
   */
  outcome: 'answered' | 'failed' | 'rate_limited' | 'unused';
  /** From `x-ratelimit-limit-second`. */
  limitPerS?: number;
  /** From `Retry-After`, milliseconds. */
  retryAfterMs?: number;
  /** From `x-credits-remaining`. */
  balance?: number;
  /** Credits charged as far as we know. */
  charged: number;
  /** Credits that may have been charged: nobody knows. */
  unclear: number;
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** How the provider is seen from here. */
export interface GateState {
  pace: { perS: number; learnt: boolean };
  breaker: { state: BreakerState; since: number };
  /** Calls that wait for a turn, and calls on their way. */
  waiting: number;
  open: number;
  /** What the provider says is left, and what we make of it; absent until it said so. */
  balance?: {
    reported: number;
    /** Milliseconds since 1970. */
    reportedAt: number;
    /** What we expect after all that we know was charged. */
    expected: number;
    /** expected - reported: credits that somebody else spent, or that an unclear call cost. */
    drift: number;
    /** Credits of unclear calls since the count began. */
    unclear: number;
  };
}
