// What the add-on and the Worker say to each other below /sheets/v1.
import type { Family, KeySpelling } from './families.ts';
import type { ProblemCode } from './problems.ts';

/** The most keys that one lookup takes. */
export const maxLookupKeys = 1000;

/** The most fields that one lookup names. */
export const maxFields = 100;

/** The most characters of a field's path. */
export const maxFieldPathLength = 200;

/** Body of `POST /sheets/v1/lookup`. */
export interface LookupRequest {
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
}
