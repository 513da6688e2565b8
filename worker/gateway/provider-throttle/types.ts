// What is said to and heard from the gate before the provider.
import type { ProblemCode } from '../../../shared/problems.ts';
import type { Lane } from '../provider-call.ts';

/** Asks to send calls. */
export interface PermitRequest {
  /** Id of the team that they are for. */
  team: string;
  lane: Lane;
  /** How many. */
  calls: number;
  /** Credits that each of them costs; 0 where they are free. */
  credits: number;
  /** How long the answer may wait for a turn, milliseconds; 0 answers at once. */
  waitMs: number;
}

/** How many calls may be sent now. */
export interface Permit {
  /** 0 to as many as asked; the rest asks again. */
  granted: number;
  /** Absent if nothing was granted. The reports of these calls bring it back. Milliseconds since 1970. */
  grantedAt?: number;
  /** If nothing was granted: when to ask again, milliseconds since 1970. */
  retryAt: number;
  /** Is the breaker open? Then whatever is remembered is better than waiting. */
  isBreakerOpen: boolean;
  /** Why the provider would refuse these calls, for a while: nobody waits for that. */
  blockedBy?: BlockReason;
}

/** The provider refuses our key, or our account has fewer credits than the call costs. */
export type BlockReason = Extract<ProblemCode, 'provider_refused' | 'provider_out_of_credits'>;

/** A reservation of a team's ledger, by its id there. */
export interface ReservationRef {
  /** Id of the team. */
  team: string;
  id: string;
}

/** A reservation of which nobody knows whether it was charged. */
export interface UnclearReservation extends ReservationRef {
  credits: number;
}

/** What the provider's balance says about a reservation that was unclear. */
export interface Resolution extends UnclearReservation {
  resolved: 'charged' | 'not_charged';
}

/** How a call went that was sent with a permit. */
export interface Report {
  /**
   * `answered`: any answer that shows the provider at work, refusals of the request included. `failed`: 5xx, no
   * connection, no answer in time, an unreadable one. `rate_limited`: 429. `unused`: the permit was not used.
   */
  outcome: 'answered' | 'failed' | 'rate_limited' | 'unused';
  /** From the permit. Where it is absent, the call is taken for the one that has been on its way for longest. */
  grantedAt?: number;
  /** From `x-ratelimit-limit-second`. */
  limitPerS?: number;
  /** From `Retry-After`, milliseconds. */
  retryAfterMs?: number;
  /** Set where the provider refused our key: it would refuse every other call, too. */
  keyRefused?: true;
  /** Set where our account could not pay for the call: its price, credits. */
  unpaidCredits?: number;
  /** From `x-credits-remaining`. */
  balance?: number;
  /** Credits charged as far as we know. */
  charged: number;
  /** Credits that may have been charged: nobody knows. */
  unclear: number;
  /** The reservations behind the unclear credits: of these, {@link Resolution} tells when it is known. */
  unclearReservations?: UnclearReservation[];
}

/** Answer to reports. */
export interface ReportResult {
  /** The same as in {@link ThrottleState}. */
  resolved: Resolution[];
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** The provider's balance and what we make of it. */
export interface BalanceView {
  reported: number;
  /** Milliseconds since 1970. */
  reportedAt: number;
  /** What we expect after all that we know was charged since the count began. */
  expected: number;
  /**
   * expected - reported when last nothing was on its way: credits that somebody else spent, or that an unclear call
   * cost.
   */
  drift: number;
  /** Credits of unclear calls since the count began, but for those that are resolved. */
  unclear: number;
}

/** How the provider is seen from here. */
export interface ThrottleState {
  pace: {
    /** Calls a second that the provider allows: learnt from it, or configured. */
    perS: number;
    learnt: boolean;
    /** Calls a second that are granted: fewer for a while after a 429. */
    grantedPerS: number;
  };
  breaker: {
    state: BreakerState;
    /** Milliseconds since 1970. */
    since: number;
  };
  /** Calls that wait for a turn, and calls on their way. */
  waiting: number;
  open: number;
  /** Absent until the provider said what is left. */
  balance?: BalanceView;
  /**
   * Unclear reservations of which it has become known whether they were charged; there until acknowledged. A hundred at
   * once, the oldest first.
   */
  resolved: Resolution[];
}
