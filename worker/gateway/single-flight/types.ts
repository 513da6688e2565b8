// What is said to and heard from a flight.
import type { ProblemCode } from '../../../shared/problems.ts';
import type { RecordKey } from '../cache/cache-keys.ts';
import type { Envelope } from '../cache/envelope.ts';
import type { CallOutcome } from '../ledger/types.ts';
import type { Lane, Payer, ProviderCall } from '../provider-call.ts';
import type { CallHeaders, RawResponse } from '../upstream/upstream.ts';

/** A call that somebody wants answered. */
export interface CallRequest extends ProviderCall {
  /** Whose record it is; absent for pages. */
  key?: RecordKey;
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970; 0 takes any. */
  since: number;
}

/** A question to one flight. */
export interface SingleFlightRequest {
  /** The provider's identity. */
  identity: string;
  calls: CallRequest[];
  payer: Payer;
  lane: Lane;
  /** The answer comes within this time, with `pending` for what is still on its way; 0 only tells what is there. */
  waitMs: number;
  /** Does what is pending go on when the answer has been given? */
  background: boolean;
  /**
   * Makes the calls cancellable by the payer's team. The answer then waits for calls that were already sent when
   * `waitMs` has passed, so that it states everything that was charged.
   */
  cancelId?: string;
  /** Cuts records to these fields; absent answers them whole. */
  fields?: string[];
}

/** Why a call brought nothing. */
export type CallProblem = Exclude<ProblemCode, 'not_found'>;

/** What the ledger said when it held the price of a call. */
export interface ReservationSummary {
  /** Credits that the payer may still spend beside what is held; null where no cap is set. */
  remaining: number | null;
  /** Credits that were held together for calls of this payer. */
  held: number;
}

/** What came of one call. */
export type CallResult = {
  name: string;
  credits: number;
  /** What the provider said beside its answer, where this call was just sent. */
  callHeaders?: CallHeaders;
  /** Absent where nothing was held for the caller itself. */
  reserved?: ReservationSummary;
} & (
  | {
      outcome: Exclude<CallOutcome, 'failed' | 'not_found'>;
      envelope: Envelope;
      /** Characters of the whole answer as JSON. */
      size: number;
    }
  | {
      outcome: 'failed';
      problem: CallProblem;
      /** The provider's own words, where it said any. */
      answer?: RawResponse;
      /** When it may go better: milliseconds from now. */
      retryAfterMs?: number;
    }
  | { outcome: 'pending'; retryAfterMs?: number }
  | { outcome: 'unknown' }
);

/** Answer of a flight: its rows in the order of the calls. */
export interface SingleFlightResponse {
  rows: CallResult[];
}
