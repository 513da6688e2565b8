// What /admin/v1 answers. Times are ISO 8601 in UTC, days are those of UTC.
import type { Family } from './families.ts';
import type { Operation } from './operations.ts';

/** The most lines that a list answers at once. */
export const maxPage = 100;

/** The most days that a usage report spans. */
export const maxUsageDays = 366;

/** The most rows of a usage report. */
export const maxUsageRows = 1000;

/** Credits that may be spent; null is no cap. */
export interface CapsView {
  day: number | null;
  month: number | null;
}

/** How a team stands. */
export interface BudgetView extends CapsView {
  /** False: only what is remembered is answered. */
  spending: boolean;
  spent: { day: number; month: number };
  /** What remembered answers would have cost. */
  saved: { day: number; month: number };
  /** Held for calls on their way. */
  held: number;
  /** What is left of top-ups. */
  top_up: number;
  /** Counted as spent, although nobody knows whether the provider charged it. */
  unclear: number;
  /** What may still be spent; null where no cap is set. */
  remaining: number | null;
}

/** A department that spends from one budget. */
export interface TeamView {
  id: string;
  name: string;
  created_at: string;
  /** Are stale records bought again behind the answer, unasked? */
  background_refresh: boolean;
  /** The sidebar asks once more before it spends more credits than this; null is never. */
  confirm_above_credits: number | null;
  budget: BudgetView;
}

/** Answer of `GET teams`. */
export interface TeamList {
  teams: TeamView[];
  /** To be sent as `after` for the next page; null on the last one. */
  next: string | null;
}

/** A token, without the token itself. */
export interface TokenView {
  id: string;
  /** Its first characters. */
  prefix: string;
  name: string;
  /** Null is all. */
  families: Family[] | null;
  /** Null is all. */
  operations: Operation['name'][] | null;
  rate_per_minute: number;
  budget: CapsView & { spent: { day: number; month: number } };
  created_at: string;
  /** Null is never. */
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** Answer of `GET teams/{id}/tokens`. */
export interface TokenList {
  tokens: TokenView[];
  next: string | null;
}

/** Answer of `POST teams/{id}/tokens`: the only one that holds the token. */
export interface IssuedToken extends TokenView {
  token: string;
  /** What a seller pastes to connect a spreadsheet. */
  connection_link: string;
}

/** Credits on top of the caps. */
export interface TopUpView {
  id: string;
  at: string;
  credits: number;
  note: string | null;
}

/** Answer of `GET teams/{id}/topups`, the newest first. */
export interface TopUpList {
  topups: TopUpView[];
}

/** By what a usage report sums up. */
export const usageGroups = ['day', 'team', 'token', 'family'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** Calls summed up. */
export interface UsageCounts {
  calls: number;
  hit: number;
  stale: number;
  coalesced: number;
  fetched: number;
  not_found: number;
  /** Calls that ended with an error. */
  errors: number;
  /** Of the calls that did not fail, the share that cost no call to the provider, 0 to 1; null where there are none. */
  hit_rate: number | null;
  credits: number;
  saved: number;
  mean_latency_ms: number | null;
}

/** One row of a usage report: what it is about, as far as that was asked. */
export interface UsageRow extends UsageCounts {
  /** `YYYY-MM-DD`. */
  day?: string;
  /** Id. */
  team?: string;
  team_name?: string;
  /** Id. */
  token?: string;
  token_name?: string;
  token_prefix?: string;
  family?: Family;
}

/** Answer of `GET usage`. Days in their order, anything else by credits, the most first. */
export interface UsageReport {
  by: UsageGroup;
  /** First and last day. */
  from: string;
  to: string;
  total: UsageCounts;
  /** At most {@link maxUsageRows}. */
  rows: UsageRow[];
}

/** What a line of the ledger records. */
export const ledgerKinds = ['charge', 'unclear', 'correction', 'saved', 'top_up', 'budget'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** One line of a team's ledger; none is ever changed. */
export interface LedgerLine {
  team: string;
  /** Counts up for each team. */
  number: number;
  at: string;
  /** The day that its credits are booked to. */
  day: string;
  kind: LedgerKind;
  /** Id of the token; null where the admin did it. */
  token: string | null;
  operation: Operation['name'] | null;
  family: Family | null;
  /** What was asked, as a pseudonym. */
  subject: string | null;
  reference: string | null;
  /** Negative where a correction gives back. */
  credits: number;
  saved: number;
  /** Calls that this line sums up. */
  calls: number;
  note: string | null;
}

/** Answer of `GET ledger`. */
export interface LedgerAnswer {
  entries: LedgerLine[];
  /** To be sent as `after` for what follows; null where nothing does, and where all teams were asked. */
  next: number | null;
}

/** Answer of `GET provider`. */
export interface ProviderView {
  /** `none`: no provider is set, or not fully; `problem` tells. */
  mode: 'embedded' | 'remote' | 'none';
  /** Names whose records are remembered. */
  identity: string | null;
  key_set: boolean;
  problem: string | null;
  gate: GateView | null;
}

/** How the provider is seen from here. */
export interface GateView {
  pace: {
    /** Calls a second that the provider allows: learnt from it, or as configured. */
    per_s: number;
    learnt: boolean;
    /** Calls a second that go out: fewer for a while after the provider said that they were too many. */
    granted_per_s: number;
  };
  breaker: { state: 'closed' | 'open' | 'half_open'; since: string };
  waiting: number;
  open: number;
  /** Null until the provider told its balance. */
  balance: {
    reported: number;
    reported_at: string;
    expected: number;
    /** expected - reported: credits that somebody else spent, or that an unclear call cost. */
    drift: number;
    unclear: number;
  } | null;
}

/** Answer of `POST provider/reconcile`. */
export interface Reconciled {
  /** How many of the named calls were unclear. */
  reconciled: number;
}

/** What an admin did. */
export interface AuditLine {
  number: number;
  at: string;
  /** `team.create`. */
  action: string;
  /** Id of what was touched. */
  target: string;
  detail: Record<string, unknown>;
}

/** Answer of `GET audit`, the newest first. */
export interface AuditList {
  audit: AuditLine[];
  /** To be sent as `before` for the next page; null on the last one. */
  next: number | null;
}

/** `GET records/{family}/{key}`. */
export interface RecordView {
  family: string;
  key: { kind: string; value: string };
  /** Null where nothing is remembered. Times as ISO 8601, UTC. */
  remembered: { found: boolean; fetched_at: string; fresh_until: string; keep_until: string } | null;
  /** Is it refused since an erasure? */
  erased: boolean;
  /** The lines of all ledgers about it. */
  asked: {
    team: string;
    token: string | null;
    at: string;
    kind: string;
    operation: string | null;
    credits: number;
  }[];
}

/** `DELETE records/{family}/{key}`. */
export interface ErasureView {
  /** Names the proof. */
  id: string;
  /** ISO 8601, UTC. */
  erased_at: string;
  /** By then no copy is left anywhere: ISO 8601, UTC. */
  gone_everywhere_by: string;
  /** How much was removed where. */
  removed: { keys: number; kv: number; flights: number; pages: number; rows: number };
}
