// What is said to and heard from a team's ledger.
import type { Family } from '../../../shared/families/index.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import type { OperationName } from '../provider-call.ts';

/** A price to hold before a call is sent. */
export interface Reservation {
  /** Chosen by the asker, never used twice. */
  id: string;
  /** Id of the token that pays. */
  token: string;
  operation: OperationName;
  family: Family;
  /** What was asked, as an HMAC: the ledger never holds a key. */
  subject: string;
  credits: number;
}

/** Why a ledger holds nothing. */
export type ReserveRefusal = Extract<ProblemCode, 'over_budget' | 'spending_off' | 'unauthorised'>;

/**
 * What came of a reservation. `wait`: what is left would be enough if open holds end uncharged, so nobody knows yet; ask
 * again.
 */
export type ReserveOutcome = 'held' | 'wait' | ReserveRefusal;

/** Answer to reservations, in their order. */
export interface ReserveResult {
  outcomes: ReserveOutcome[];
  /** Credits that the payer may still spend; null where no cap is set. */
  remaining: number | null;
}

/** What a hold came to: credits that the provider charged, or that nobody knows. */
export interface Settlement {
  /** Of the reservation. */
  id: string;
  charged: number | 'unclear';
}

/** How a call ended, as usage counts it. */
export const callOutcomes = ['hit', 'stale', 'coalesced', 'fetched', 'not_found', 'failed'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Calls of one kind that an isolate answered. */
export interface Usage {
  token: string;
  family: Family;
  operation: OperationName;
  /** How many ended how; absent is none. */
  outcomes: Partial<Record<CallOutcome, number>>;
  /** Credits that were not spent because the answer was remembered. */
  saved: number;
  /** Sum of the time that the calls took, milliseconds. */
  latencyMs: number;
}

/** What a token may still do before it asks again. */
export interface Lease {
  /** Calls granted by this lease; 0 if the rate limit is reached. */
  granted: number;
  /** Calls that the token may make in a window. */
  limit: number;
  windowS: number;
  /** When the window, and with it the lease, ends: milliseconds since 1970. */
  endsAt: number;
  /** Credits that the token may still spend; null where no cap is set. */
  remaining: number | null;
}

/** Asks for a lease. */
export interface LeaseRequest {
  /** How many calls; absent leaves it to the ledger. */
  calls?: number;
  /** What the isolate has counted since it last handed over. */
  usages: readonly Usage[];
}

/** Credits that may be spent; null is no cap. */
export interface Caps {
  day: number | null;
  month: number | null;
}

/** What is to be different for a team; what is absent stays. */
export interface BudgetChange {
  caps?: Partial<Caps>;
  spending?: boolean;
}

/** What is to be different for a token; what is absent stays. */
export interface TokenChange {
  caps?: Partial<Caps>;
  revoked?: boolean;
  /** Calls that it may make in 60 seconds. */
  ratePerMinute?: number;
}

/** Records that were answered on this day and in this month, by where they came from. */
export interface RecordCounts {
  /** From memory. */
  cached: { day: number; month: number };
  /** Bought. */
  fetched: { day: number; month: number };
}

/** Credits beyond the caps of a team. */
export interface TopUp {
  /** Chosen by the admin's side; a top-up of the same id is made once. */
  id: string;
  credits: number;
  note?: string;
}

/** How a team stands. Days and months are those of UTC. */
export interface Budget {
  caps: Caps;
  /** False if spending is switched off. */
  spending: boolean;
  spent: { day: number; month: number };
  /** Held for calls on their way. */
  held: number;
  /** What is left of top-ups: spent when a cap of the team is reached. */
  topUp: number;
  /** Credits whose charge nobody knows, counted as spent. */
  unclear: number;
  saved: { day: number; month: number };
  /** Credits that may still be spent; null where no cap is set. */
  remaining: number | null;
}

/** How a token stands. */
export interface TokenBudget {
  caps: Caps;
  spent: { day: number; month: number };
  /** Milliseconds since 1970; absent if never. */
  lastUsedAt?: number;
}

/** What an entry of the ledger records. */
export const entryKinds = ['charge', 'unclear', 'correction', 'saved', 'top_up', 'budget'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One line of the ledger; none is ever changed. */
export interface Entry {
  /** Counts up. */
  number: number;
  /** When it was written: milliseconds since 1970. */
  at: number;
  /** The day that its credits are booked to, that of the reservation: `YYYY-MM-DD`, UTC. */
  day: string;
  kind: EntryKind;
  /** Absent where the admin did it. */
  token?: string;
  operation?: OperationName;
  family?: Family;
  /** HMAC of what was asked. */
  subject?: string;
  /** Of the reservation or the top-up. */
  reference?: string;
  /** Negative in a correction that gives back. */
  credits: number;
  saved: number;
  /** Calls that this line sums up. */
  calls: number;
  note?: string;
}

/** A day of one token, family and operation. */
export interface DayUsage extends Usage {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** Credits charged, unclear ones included. */
  credits: number;
}
