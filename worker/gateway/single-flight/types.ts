// Types of the single flight: requests, and the results of their calls.
import type { ProblemCode } from '../../../shared/problems.ts';
import type { RecordKey } from '../cache/cache-keys.ts';
import type { Envelope } from '../cache/envelope.ts';
import type { CallOutcome } from '../ledger/types.ts';
import type { Lane, Payer, ProviderCall } from '../provider-call.ts';
import type { CallHeaders, RawResponse } from '../upstream/upstream.ts';

export interface CallRequest extends ProviderCall {
  /** The requested key; absent for pages. */
  key?: RecordKey;
  /** Keys that the provider may read in the text as well: see {@link listKeyReadings}. */
  readings?: RecordKey[];
  /** An answer counts if it was fetched at this time or later: milliseconds since 1970; 0 accepts any. */
  since: number;
}

export interface SingleFlightRequest {
  identity: string;
  calls: CallRequest[];
  payer: Payer;
  lane: Lane;
  /**
   * Deadline of the response, milliseconds; unanswered calls are then `pending`. 0 returns only known answers,
   * unless `background` buys the others after the response.
   */
  waitMs: number;
  /** Do pending calls continue after the response? */
  background: boolean;
  /**
   * Makes the calls cancellable by the payer's team. The response then waits for calls that are sent when `waitMs` has
   * passed, so that it reports all charges.
   */
  cancelId?: string;
  /** Cuts records to these fields; absent returns them whole. */
  fields?: string[];
}

export type CallProblem = Exclude<ProblemCode, 'not_found'>;

/** What the ledger returned when it reserved the price of a call. */
export interface ReservationSummary {
  /** Credits that the payer may still spend besides the reserved ones; null without a cap. */
  remaining: number | null;
  /** Credits that were reserved together for calls of this payer. */
  credits: number;
}

export type CallResult = {
  name: string;
  credits: number;
  /** Set if the provider has responded to the call while this request waited. */
  callHeaders?: CallHeaders;
  /** Set if credits of this caller were reserved. */
  reserved?: ReservationSummary;
} & (
  | {
      outcome: Exclude<CallOutcome, 'failed' | 'not_found'>;
      envelope: Envelope;
      /** Length of the whole answer as JSON, in characters. */
      size: number;
    }
  | {
      outcome: 'failed';
      problem: CallProblem;
      /** The provider's error response, if there was one. */
      answer?: RawResponse;
      /** When a retry may succeed: milliseconds from now. */
      retryAfterMs?: number;
    }
  | { outcome: 'pending'; retryAfterMs?: number }
  | { outcome: 'unknown' }
);

export interface SingleFlightResponse {
  rows: CallResult[];
}
