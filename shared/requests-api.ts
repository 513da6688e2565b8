// What is said about bulk data requests below /sheets/v1 and /admin/v1.
import type { Family } from './families.ts';
import type { Reason } from './problems.ts';
import type { AnyFields, Column } from './sheets-api.ts';

/** The most records that one request can bring (contract, "Credits and limits"). */
export const maxRequestRecords = 10_000;

/** Rows can be read again for free for so many days. */
export const requestKeptDays = 30;

/** The ways to name the records of a request. */
export const requestKinds = ['filter', 'es_dsl', 'ids', 'shorthand_names', 'urls'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** What a request asks for; the rest of the body of `POST /sheets/v1/requests`. */
export type RequestSelection = AnyFields &
  (
    | { kind: 'filter'; filters: Record<string, unknown>; limit?: number }
    /** A body of the query DSL: `{"query": …, "sort": …}`, or its `query` alone. */
    | { kind: 'es_dsl'; es_dsl: Record<string, unknown>; limit?: number }
    /** At most {@link maxRequestRecords} keys. */
    | { kind: 'ids' | 'shorthand_names' | 'urls'; keys: string[]; limit?: number }
  );

/** Body of `POST /sheets/v1/requests`; with an `Idempotency-Key` the same call makes one request. */
export type NewRequest = RequestSelection & {
  family: Family;
  /** The columns of its rows where none are named when they are read. */
  columns?: string[];
  /** The price that the person saw; where it costs more by now, nothing is ordered (`price_changed`). */
  max_credits?: number;
};

/** Answer of `POST estimate/data-request`: what a request would bring and cost now. */
export interface RequestEstimate {
  /** Records that the query matches, or distinct keys. */
  total: number;
  /** Records that the request brings at most. */
  records: number;
  /** Of these: records that come from the cache, for free. */
  cached: number;
  /** Of these: records that are ordered from the provider. */
  ordered: number;
  /** What the ordered ones cost at most. */
  credits: number;
  /** Why the order would be refused now (`already_ordered`): other orders have some of these records on their way. */
  problem?: Reason;
}

/**
 * How a request stands. `reserved`: credits are held, nothing was sent. `submitted`: the provider has it. `unclear`: it
 * was sent and nobody heard the answer, so it may have been charged and is never sent again. The last four are final.
 */
export const requestStates = [
  'reserved',
  'submitted',
  'running',
  'ingesting',
  'ready',
  'failed',
  'cancelled',
  'unclear',
] as const;
export type RequestState = (typeof requestStates)[number];

/** A file of a request. */
export interface RequestFile {
  name: string;
  /** Null until it is read. */
  rows: number | null;
  bytes: number | null;
}

/** A request, as its team sees it. Times are ISO 8601, UTC. */
export interface RequestView {
  id: string;
  state: RequestState;
  family: Family;
  kind: string;
  /** Is it still watched? One that is not is charged all the same, but tells nobody when it is ready. */
  watched: boolean;
  /** Records that are wanted. */
  asked: number;
  /** Of these: records that come from the cache, for free. */
  cached: number;
  /** Rows that can be read. */
  rows: number;
  credits: {
    /** Held from the budget until it is known what was delivered. */
    reserved: number;
    /** What it cost; null until that is known. */
    charged: number | null;
  };
  files: RequestFile[];
  columns: string[] | null;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
  /** Until then its rows can be read for free. */
  rows_until: string;
  /** Why it failed, or what to know about it. */
  problem?: Reason;
}

/** Answer of `GET requests`, the newest first. */
export interface RequestList {
  requests: RequestView[];
  /** Send it as `after` for the next page; null on the last. */
  after: string | null;
}

/** Answer of `DELETE requests/{id}`. */
export interface RequestStopped {
  request: RequestView;
  /** Were its credits given back? */
  released: boolean;
  /** One sentence for a person. */
  message: string;
}

/** Answer of `GET requests/{id}/rows`. */
export interface RequestRows {
  columns: Column[];
  /** A value for each column. */
  rows: unknown[][];
  /** Send it as `after` for the next page; null on the last. */
  after: string | null;
}

/** Answer of `POST requests/{id}/ticket`: opens its events once. */
export interface RequestTicket {
  ticket: string;
  expires_at: string;
}

/** A request, as the admin sees it. */
export interface AdminRequestView extends RequestView {
  team: string;
  token: string;
}

/** Answer of `GET /admin/v1/requests`. */
export interface AdminRequestList {
  requests: AdminRequestView[];
  after: string | null;
}

/**
 * What was given up. `hook`: word from the provider that could not be worked on. `relay`: word to a caller that did not take
 * it. `alert`: word to an alert address that did not take it. `push`: rows that could not be written into a spreadsheet.
 */
export const deadLetterKinds = ['hook', 'relay', 'alert', 'push'] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

/** Something that was tried often and given up. */
export interface DeadLetterView {
  id: string;
  at: string;
  kind: DeadLetterKind;
  /** Id of the request, or of the push or the alert's message. */
  request: string;
  /** What the last try ended with. */
  error: string;
  replayed_at: string | null;
}

/** Answer of `GET /admin/v1/dead-letters`, the newest first. */
export interface DeadLetterList {
  dead_letters: DeadLetterView[];
  after: string | null;
}

/** Answer of `POST /admin/v1/teams/{id}/webhook-secret`. */
export interface WebhookSecret {
  /** As Standard Webhooks spells it: `whsec_…`. */
  secret: string;
}
