// The data that goes into a team's ledger and out of it.
import * as z from 'zod';
import { operationName } from '../../../shared/api/admin.ts';
import { entryKind } from '../../../shared/api/admin-reports.ts';
import { family } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { type RecordedSource, recordedSources } from '../../../shared/sources.ts';
import type { Histogram } from '../../lib/latency-histogram.ts';
import type { AutomationBudget, OperationName } from '../provider-call.ts';

/** A call that was sent, and of which nobody knows whether it was charged. A type, because SQL rows need an index signature. */
export type UnclearCall = {
  id: string;
  /** When it was reserved, milliseconds since 1970. */
  at: number;
  /** Id of the token that pays. */
  token: string;
  operation: OperationName;
  family: Family;
  /** Counted as spent. */
  credits: number;
};

/** Chooses unclear calls; absent members choose all. */
export interface UnclearFilter {
  family?: Family | undefined;
  operation?: OperationName | undefined;
  /** Milliseconds since 1970. */
  before?: number | undefined;
}

/** Credits that the provider seems to have charged beyond the reservation of a call. They count as spent only once accepted. */
export type DisputedCharge = UnclearCall & {
  /** Credits that were reserved and charged. `credits` are those beyond. */
  charged: number;
};

/** The price of a call, to be reserved before the call is sent. */
export interface Reservation {
  /** Chosen by the caller and never reused. */
  id: string;
  /** Id of the token that pays. */
  token: string;
  operation: OperationName;
  family: Family;
  /** The requested key or query as an HMAC. The ledger never holds a key. */
  subject: string;
  credits: number;
  /** Absent for programs and bulk orders. */
  source?: RecordedSource | undefined;
  /** Id of the spreadsheet, if nobody knows who uses the token. */
  spreadsheet?: string | undefined;
  /** Of the enrichment or schedule. */
  budget?: AutomationBudget | undefined;
}

export type ReserveRefusal = Extract<ProblemCode, 'over_budget' | 'spending_off' | 'unauthorised'>;

/**
 * Outcome of a reservation. `wait`: the budget would suffice if open reservations end
 * without a charge, so try again later.
 */
export type ReserveOutcome = 'reserved' | 'wait' | ReserveRefusal;

export interface ReserveResult {
  /** In the order of the reservations. */
  outcomes: ReserveOutcome[];
  /** Credits that each token of the reservations may still spend; null without a cap. */
  remaining: Readonly<Record<string, number | null>>;
}

/** The final price of a reserved call: credits that the provider charged, or `unclear`. At most its reservation is booked. */
export interface Settlement {
  id: string;
  charged: number | 'unclear';
  /** Credits that the provider may have charged without a right to them. Those of `charged` beyond the reservation are added. */
  disputed?: number;
}

/** How a call ended, for usage statistics. */
export const callOutcomes = ['hit', 'stale', 'coalesced', 'fetched', 'not_found', 'failed'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Usage counters of one token, family, operation, source and spreadsheet, collected by an isolate. */
export interface Usage {
  token: string;
  family: Family;
  operation: OperationName;
  /** Calls by outcome; absent means none. */
  outcomes: Partial<Record<CallOutcome, number>>;
  /** Price of the answers from records already bought. */
  saved: number;
  /** Total duration of the requests, milliseconds. */
  latencyMs: number;
  durations: Histogram;
  /** Absent for programs and bulk orders. */
  source?: RecordedSource | undefined;
  /** Id of the spreadsheet, if nobody knows who uses the token. */
  spreadsheet?: string | undefined;
  /** Idempotency key: usage with a known one is ignored. */
  reference?: string;
}

/** Usage of one request, before it is known who pays. */
export type CallUsage = Omit<Usage, 'token' | 'durations' | 'reference'>;

/** Calls that a token may make before it has to lease again. */
export interface Lease {
  /** Calls granted by this lease; 0 if the rate limit is reached. */
  granted: number;
  limit: number;
  windowS: number;
  /** When the window and the lease end: milliseconds since 1970. */
  endsAt: number;
  /** Credits that the token may still spend; null without a cap. */
  remaining: number | null;
}

/** A lease, or the refusal of a revoked token. */
export type LeaseResult = Lease | { refused: 'unauthorised' };

export interface LeaseRequest {
  /** Number of calls; the ledger decides if it is absent. */
  calls?: number;
  /** Calls in a minute, if it is less than the token's limit. */
  limit?: number;
  /** Usage that the isolate has collected since its last flush. */
  usages: readonly Usage[];
}

/** Spending limits in credits, by UTC day and month; null is no limit. */
export interface Caps {
  day: number | null;
  month: number | null;
}

/** Changes the budget of a team. Absent fields stay as they are. */
export interface BudgetChange {
  caps?: Partial<Caps>;
  spending?: boolean;
}

/** Changes the limits of a token. Absent fields stay as they are. */
export interface TokenChange {
  caps?: Partial<Caps>;
  revoked?: boolean;
  ratePerMinute?: number;
}

/** Records answered today and this month (UTC), by source. */
export interface RecordCounts {
  cached: { day: number; month: number };
  /** Bought from the provider. */
  fetched: { day: number; month: number };
}

/** Credits that a team may spend beyond its caps. */
export interface TopUp {
  /** Idempotency key chosen by the admin: a second top-up with the same id does nothing. */
  id: string;
  credits: number;
  note?: string;
}

/** Budget and spending of a team, by UTC day and month. */
export interface Budget {
  caps: Caps;
  /** False if an admin has switched spending off. */
  spending: boolean;
  spent: { day: number; month: number };
  /** Credits reserved for open calls. */
  reserved: number;
  /** Remaining top-up credits. They are spent once a cap of the team is reached. */
  topUp: number;
  /** Credits of unclear calls, counted as spent. */
  unclear: number;
  /** Credits beyond reservations that nobody has accepted. They don't count as spent. */
  disputed: number;
  saved: { day: number; month: number };
  /** Credits that may still be spent; null without a cap. */
  remaining: number | null;
}

export interface TokenBudget {
  caps: Caps;
  spent: { day: number; month: number };
  /** Milliseconds since 1970; absent if the token was never used. */
  lastUsedAt?: number;
}

export type EntryKind = z.infer<typeof entryKind>;

/** An entry of the ledger. Entries are never changed. Those of an admin have no token, operation and family. */
export const entrySchema = z.object({
  /** Ascending. */
  number: z.int(),
  at: z.int(),
  /** Day that the credits are booked to, which is the day of the reservation: `YYYY-MM-DD`, UTC. */
  day: z.string(),
  kind: entryKind,
  token: z.string().exactOptional(),
  operation: operationName.exactOptional(),
  family: family.exactOptional(),
  /** HMAC of the requested key or query. */
  subject: z.string().exactOptional(),
  /** Id of the reservation or the top-up. */
  reference: z.string().exactOptional(),
  /** Negative in a correction that returns credits. */
  credits: z.int(),
  saved: z.int(),
  /** Calls that this entry sums up. */
  calls: z.int(),
  note: z.string().exactOptional(),
  /** Where the call came from. Absent for programs, bulk orders and savings. */
  source: z.enum(recordedSources).exactOptional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Selects entries. Absent properties match all. */
export interface EntryFilter {
  token?: string | undefined;
  family?: Family | undefined;
  operation?: OperationName | undefined;
  kind?: EntryKind | undefined;
  /** Day that the credits are booked to: `YYYY-MM-DD`, UTC. */
  day?: string | undefined;
}

/** Requests a page of entries, newest first. */
export interface EntryPageQuery {
  filter: EntryFilter;
  /** Only entries with a smaller number. */
  before?: number | undefined;
  limit: number;
}

/** A page of entries, newest first. */
export interface EntryPage {
  /** `balance`: the sum of the credits of all matching entries up to this one; top-ups count only if they alone are chosen. */
  entries: (Entry & { balance: number })[];
  /** `before` of the next page; null on the last one. */
  next: number | null;
  /** Whether older entries that match may be in the archive. */
  hasArchived: boolean;
}

export interface ArchivedSum {
  /** Month that the credits are booked to: `YYYY-MM`, UTC. */
  month: string;
  kind: EntryKind;
  token: string | null;
  operation: OperationName | null;
  family: Family | null;
  credits: number;
  saved: number;
  calls: number;
  lines: number;
}
