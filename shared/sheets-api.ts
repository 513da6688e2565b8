// What the add-on and the Worker say to each other below /sheets/v1.
import type { Family, KeySpelling } from './families.ts';
import type { SortField } from './operations.ts';
import type { ProblemCode } from './problems.ts';

/** The most keys that one lookup takes. */
export const maxLookupKeys = 1000;

/** The most fields that one lookup names. */
export const maxFields = 100;

/** The most characters of a field's path. */
export const maxFieldPathLength = 200;

/** Part of every body that names fields. */
export interface AnyFields {
  /** Takes names that are in no list: the provider adds fields all the time. Without it they are refused. */
  any_fields?: boolean;
}

/** Body of `POST /sheets/v1/lookup`. */
export interface LookupRequest extends AnyFields {
  family: Family;
  by: KeySpelling;
  /** At most {@link maxLookupKeys}, as a person typed them. */
  keys: string[];
  /**
   * At most {@link maxFields} paths such as `name` or `funding_rounds[0].last_round_type`; the record is cut to their
   * first names.
   */
  fields?: string[];
  /** Buy again what is older than this, in seconds. */
  max_age_s?: number;
  /** Spend at most this many credits; 0 answers from memory only. */
  max_credits?: number;
  /** Answer after at most this many milliseconds, with `pending` for what is still on its way. */
  wait_ms?: number;
  /**
   * A UUID that makes the lookup cancellable. Calls that have not been sent to the provider when the answer is due, or
   * when `POST /sheets/v1/lookups/{cancel_id}/cancel` arrives, are withdrawn and cost nothing; calls that have been sent
   * are waited for, so that the answer states everything that was charged. `pending` rows then have to be asked again.
   */
  cancel_id?: string;
}

/** Answer of `POST /sheets/v1/lookups/{cancel_id}/cancel`. */
export interface CancelResponse {
  /** Calls that were withdrawn before they were sent. */
  withdrawn: number;
}

/** How a row came about. */
export const rowStatuses = [
  'hit',
  'fetched',
  'stale',
  'coalesced',
  'not_found',
  'pending',
  'over_budget',
  'invalid',
  'failed',
] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** One record as it is passed on; fields that we do not know pass through untouched. */
export type DataRecord = Record<string, unknown>;

/** The answer for one key. */
export interface LookupRow {
  /** The key as it was asked. */
  key: string;
  status: RowStatus;
  record?: DataRecord;
  /** When the record was bought: ISO 8601, UTC. */
  fetched_at?: string;
  /** Credits that this row cost in this call. */
  credits: number;
  /** Present for every row that has no record. */
  problem?: ProblemCode;
}

/** Answer of `POST /sheets/v1/lookup`: one row for each key, in the order of the keys. */
export interface LookupResponse {
  rows: LookupRow[];
  credits: {
    spent: number;
    /** What the remembered rows would have cost. */
    saved: number;
    /** What the team may still spend; null where nobody counts it. */
    remaining: number | null;
  };
  /**
   * Opaque: changes when a record was erased, and when the provider does. Copies of answers that are kept under it are
   * found no more once it has changed.
   */
  stamp: string;
}

/** Answer of `POST /sheets/v1/estimate`: what a lookup would spend now. */
export interface EstimateResponse {
  keys: number;
  /** Keys that are different and can be read. */
  distinct: number;
  /** Remembered, stale ones included. */
  cached: number;
  /** Remembered, but past their freshness. */
  stale: number;
  to_fetch: number;
  credits: number;
}

/** A query in one of the ways to say it. */
export type Query = (
  | /** Named filters; only base companies, base employees and base jobs have them. */
  { filters: Record<string, unknown> }
  /** A body of the query DSL: `{"query": …, "sort": …}`, or its `query` alone. */
  | { es_dsl: Record<string, unknown> }
  /** Plain words with AND, OR, NOT, "phrases" and field:value. */
  | { text: string }
) &
  AnyFields & {
    /**
     * Reads values that people typed: known ones match in any case, and countries by their ISO codes and other names. In text
     * filters, and in `match` conditions that stand in `bool` and `filter` at the top of a body.
     */
    known_values?: boolean;
  };

/** Body of `POST /sheets/v1/search`. */
export type SearchRequest = Query & {
  family: Family;
  /** `id`, `_score`, or what else the family sorts by. */
  sort?: SortField;
  /** 1 to 1,000. */
  items_per_page?: number;
  /** Cursor from the page before. */
  after?: string;
  /** Where nothing matches, count without each condition; free. */
  explain_empty?: boolean;
  /** Give up after at most this many milliseconds. */
  wait_ms?: number;
};

/** Answer of `POST /sheets/v1/search`. */
export interface SearchResponse {
  /** Ids are texts: those of posts are beyond what a number holds. */
  ids: string[];
  total: number;
  pages: number;
  /** Cursor to the next page; null on the last. */
  after: string | null;
  /** How many match without one of the conditions; present where that was asked and nothing matches. */
  without?: WithoutCondition[];
}

/** What is found without one condition of a query. */
export interface WithoutCondition {
  /** The filter, without `_gte` and `_lte`, or the field. */
  condition: string;
  total: number;
}

/** The most pages of a preview that one call brings. */
export const maxPreviewPages = 5;

/** Body of `POST /sheets/v1/preview`. */
export type PreviewRequest = Query & {
  family: Family;
  /** The first page, from 1. */
  page?: number;
  /** How many pages, at most {@link maxPreviewPages}. */
  pages?: number;
  /** Of an earlier answer: keeps the pages of one ranking. */
  snapshot?: string;
  /** Which fields of the items, in which order; all where absent. */
  fields?: string[];
  /** Buy a page again that is older than so many seconds; any age will do where absent. */
  max_age_s?: number;
  /** Answer after at most this many milliseconds, with the pages so far. */
  wait_ms?: number;
  /** Spend at most this many credits; 0 answers from the cache only. */
  max_credits?: number;
  /** As in {@link LookupRequest}. */
  cancel_id?: string;
};

/** A column of rows. */
export interface Column {
  name: string;
  type: 'integer' | 'number' | 'text' | 'boolean' | 'date' | 'list';
}

/** Answer of `POST /sheets/v1/preview`. */
export interface PreviewResponse {
  columns: Column[];
  /** A value for each column. */
  rows: unknown[][];
  /** The last page that was brought. */
  page: number;
  total_pages: number;
  total: number;
  /** For the pages behind. */
  snapshot: string | null;
  credits: { spent: number; saved: number; remaining: number | null };
  /** See {@link LookupResponse}. */
  stamp: string;
}

/** Credits of one click above which the sidebar asks once more, where the admin has set nothing else. */
export const defaultConfirmAboveCredits = 1000;

/** Body of `POST /sheets/v1/preview/estimate`: the first pages of a preview. */
export type PreviewEstimateRequest = Query & {
  family: Family;
  /** How many pages, from 1 to 50. */
  pages: number;
  /** As in {@link PreviewRequest}. */
  max_age_s?: number;
  /** As in {@link SearchRequest}. */
  explain_empty?: boolean;
  /** Give up after at most this many milliseconds. */
  wait_ms?: number;
};

/** Answer of `POST /sheets/v1/preview/estimate`: what the pages would cost now. */
export interface PreviewEstimateResponse {
  /** Records that match. */
  total: number;
  /** Pages that would be brought: those asked for, as far as there are so many. */
  pages: number;
  /** Pages in the cache, which cost nothing. */
  cached: number;
  to_fetch: number;
  credits: number;
  /** As in {@link SearchResponse}. */
  without?: WithoutCondition[];
}

/** Answer of `GET /sheets/v1/me`. */
export interface MeResponse {
  team: string;
  /** Credits per day and month; null where no cap is set. */
  budget: { day: number | null; month: number | null };
  spent: { day: number; month: number };
  saved: { day: number; month: number };
  /** Records that were answered from memory, and records that were bought. */
  records: { remembered: { day: number; month: number }; fetched: { day: number; month: number } };
  remaining: number | null;
  spending: boolean;
  /** The sidebar asks once more before it spends more credits than this; null is never. */
  confirm_above_credits: number | null;
  /** `embedded` records are fictional. */
  mode: 'embedded' | 'remote';
  /** What the token may use; null is all. */
  scopes: { families: Family[] | null; operations: string[] | null };
  /** The address that a spreadsheet is shared with so that rows arrive while it is closed; null where there is none. */
  push_account: string | null;
  /** See {@link LookupResponse}. */
  stamp: string;
}

/** Answer of `GET /sheets/v1/fields/{family}`. */
export interface FieldsResponse {
  family: Family;
  /** Columns of a record. */
  columns: Column[];
  /** Columns of a preview. */
  preview: Column[];
  defaults: readonly string[];
}

/** The most saved searches of a team, those of its tokens included. */
export const maxSavedSearches = 200;

/** The most characters of a saved search's name. */
export const maxSearchNameLength = 100;

/** The most characters of a saved query, as JSON. */
export const maxSavedQueryLength = 15_000;

/** Body of `POST /sheets/v1/searches` and `PUT /sheets/v1/searches/{id}`. */
export interface SavedSearchRequest {
  /** At most {@link maxSearchNameLength} characters; different from the others of the same owner, whatever the case. */
  name: string;
  family: Family;
  /** At most {@link maxSavedQueryLength} characters of JSON. */
  query: Query;
  sort?: SortField;
  /** The columns to write, at most {@link maxFields} paths. */
  columns?: string[];
  /** The team's, whoever of it looks; otherwise of this token alone. */
  shared: boolean;
}

/** A saved search. */
export interface SavedSearch extends SavedSearchRequest {
  id: string;
  /** ISO 8601, UTC. */
  created_at: string;
  updated_at: string;
}

/** Answer of `GET /sheets/v1/searches`: by name. */
export interface SavedSearchesResponse {
  searches: SavedSearch[];
}

/** What a run did. */
export const runKinds = ['search', 'enrich', 'refresh', 'records', 'bulk'] as const;
export type RunKind = (typeof runKinds)[number];

/** How a run ended. */
export const runStates = ['done', 'stopped', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** The most characters of a run's title. */
export const maxRunTitleLength = 200;

/** How many runs `GET /sheets/v1/runs` answers. */
export const shownRuns = 50;

/** Body of `POST /sheets/v1/runs`, and each of what `GET` answers: something that the add-on did in a sheet. */
export interface Run {
  /** A UUID of the caller's making: the same run sent again is kept once. */
  id: string;
  kind: RunKind;
  /** In words, at most {@link maxRunTitleLength} characters. */
  title: string;
  family: Family;
  /** Rows that were written. */
  rows: number;
  /** Rows that ended with a problem. */
  failed: number;
  /** Credits. */
  credits: number;
  /** Credits that memory saved. */
  saved: number;
  /** ISO 8601, UTC. */
  started_at: string;
  ended_at: string;
  state: RunState;
  /** Why it stopped or failed. */
  problem?: ProblemCode;
}

/** Answer of `GET /sheets/v1/runs`: the team's, newest first. */
export interface RunsResponse {
  runs: Run[];
}
