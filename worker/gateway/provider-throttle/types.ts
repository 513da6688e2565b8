// Types of the provider throttle: its service interface, and the data that goes in and out.
import type { ProblemCode } from '../../../shared/problems.ts';
import type { Lane } from '../provider-call.ts';

/** The throttle of a provider as callers reach it over RPC; `ProviderThrottle` describes the methods. */
export interface ProviderThrottleService {
  acquire(request: PermitRequest): Promise<Permit>;
  report(reports: Report[]): ReportResult;
  acknowledge(references: ReservationRef[]): void;
  getState(): ThrottleState;
}

export interface PermitRequest extends CallerKey {
  /** The API key that sends the calls: {@link identifyKey}. */
  key?: string;
  lane: Lane;
  calls: number;
  /** Price of each call in credits; 0 if it is free. */
  credits: number;
  /** How long to wait for a permit, milliseconds; 0 responds at once. */
  waitMs: number;
}

/** Permission to send calls now. */
export interface Permit {
  /** Calls granted, from 0 up to the number requested. Request the rest again. */
  granted: number;
  /** Absent if nothing was granted. The reports of these calls repeat it. Milliseconds since 1970. */
  grantedAt?: number;
  /** If nothing was granted: when to request again, milliseconds since 1970. */
  retryAt: number;
  /** While the circuit breaker is open, a stale record is better than waiting. */
  isBreakerOpen: boolean;
  /** Why the provider would currently refuse these calls. Waiting does not help. */
  blockedBy?: BlockReason;
}

/** The provider refuses the API key, or its account has fewer credits than the call costs. */
export type BlockReason = Extract<ProblemCode, 'provider_refused' | 'provider_out_of_credits'>;

export interface ReservationRef {
  team: string;
  id: string;
}

export interface UnclearReservation extends ReservationRef {
  credits: number;
}

/** Whether an unclear call was charged, concluded from the provider's balance. */
export interface Resolution extends UnclearReservation {
  resolved: 'charged' | 'not_charged';
}

/** The area of calls for data requests, of whatever family. */
export const DATA_REQUESTS_AREA = 'data_requests';

/** A call that was sent, as evidence about the provider. */
export interface ReportedCall extends CallerKey {
  /** The family, or {@link DATA_REQUESTS_AREA}. */
  area: string;
  /** Hash of the question. A team that repeats a question adds no evidence. */
  question: string;
  /** For the metrics: name of the operation, and milliseconds until the response. */
  operation?: string;
  ms?: number;
}

export interface Report {
  /** Absent if nothing was sent. */
  call?: ReportedCall;
  /** The API key that sent the call: {@link identifyKey}. While it is rotated, two are in use. */
  key?: string;
  /**
   * `answered`: any response that shows that the provider works, including a refused request. `failed`: 5xx, no connection,
   * timeout, unreadable response. `rate_limited`: 429. `unused`: the permit was not used.
   */
  outcome: 'answered' | 'failed' | 'rate_limited' | 'unused';
  /** From the permit. If it is absent, the report counts for the oldest call in flight. */
  grantedAt?: number;
  /** From `x-ratelimit-limit-second`. */
  limitPerS?: number;
  /** From `Retry-After`, milliseconds. */
  retryAfterMs?: number;
  /**
   * `key`: the provider refused the API key (401), so it would refuse every other call, too. `call`: it refused access to this
   * call (403), which may concern the key, the family or the question.
   */
  accessRefused?: 'key' | 'call';
  /** Set if the provider's account could not pay for the call: the price, in credits. */
  unpaidCredits?: number;
  /** From `x-credits-remaining`. */
  balance?: number;
  charged: number;
  /** Credits that may have been charged. */
  unclear: number;
  /** The reservations of the unclear credits. A {@link Resolution} follows once the balance decides. */
  unclearReservations?: UnclearReservation[];
}

export interface ReportResult {
  /** As in {@link ThrottleState}. */
  resolved: Resolution[];
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** The provider's balance compared with our own count. Credits. */
export interface BalanceView {
  reported: number;
  reportedAt: number;
  /** Balance that we expect from all known charges since counting began. */
  expected: number;
  /** expected − reported, when last no call was in flight: credits spent by others or charged for unclear calls. */
  drift: number;
  /** Credits of unresolved unclear calls since counting began. */
  unclear: number;
}

/** The state of the provider as the throttle sees it. */
export interface ThrottleState {
  pace: {
    /** Calls a second that the provider allows: reported by it, or configured. */
    perS: number;
    /** Whether the provider reported the limit. */
    reported: boolean;
    /** Calls a second that are granted: fewer for a while after a 429. */
    grantedPerS: number;
  };
  breaker: {
    state: BreakerState;
    since: number;
  };
  waiting: number;
  open: number;
  /** Absent until the provider has reported a balance. */
  balance?: BalanceView;
  /** Resolved unclear reservations, until they are acknowledged: the oldest hundred. */
  resolved: Resolution[];
}

/** `search`: free searches. `purchase`: calls that buy or deliver records. */
export type Purpose = 'search' | 'purchase';

/** Who sends a call, and what for. The throttle judges the evidence of each source separately. */
export interface CallerKey {
  /** Id of the team that the call is for. */
  readonly team: string;
  readonly purpose: Purpose;
}

export function getPurpose(credits: number): Purpose {
  return credits === 0 ? 'search' : 'purchase';
}

export function getSourceKey({ team, purpose }: CallerKey): string {
  return `${purpose}:${team}`;
}
