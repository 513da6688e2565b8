// Plans and progress of runs, as the sidebar sees them.

import type { RelaxedCount } from '../../../shared/api/query.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import type { Approval } from '../../../shared/api/sidebar-orders.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { NotKeyCounts } from '../../../shared/keys/not-keys.ts';
import type { CellError, ProblemCode } from '../../../shared/problems.ts';

/**
 * Why a call failed: a problem of the gateway, or one of these.
 * - `price_changed`: rows or price differ from the plan; show the new plan
 * - `not_connected`: there is no connection
 * - `confirm_first`: it would replace manual changes; ask, then send `confirmed`
 * - `sheet_refused`: protected, merged, too small, or over Google's cell limit
 * - `gone`: the table, run or column no longer exists
 * - `running`: another run writes into this spreadsheet
 * - `bad_call`: the call is invalid
 */
export type ErrorCode =
  | ProblemCode
  | 'not_connected'
  | 'confirm_first'
  | 'sheet_refused'
  | 'gone'
  | 'running'
  | 'bad_call';

/** Manual changes that would be replaced. */
export interface Overwrite {
  cells: number;
  /** The first cells, such as `Sheet1!B3` (for an existing table `Sheet1, row 3`), with their contents. */
  sample: { cell: string; value: string }[];
  question: string;
  /** Identifies the changes: a confirmation holds for these. */
  digest: string;
  /** The rows can be left out of the run. */
  canKeep?: boolean;
}

/** Why a call failed: a message for people with the next step, and what to confirm if it is `confirm_first`. */
export interface Failure {
  message: string;
  code?: ErrorCode;
  replaced?: Overwrite;
}

/** The result and price of a search. */
export interface SearchPlan {
  total: number;
  /** If nothing matches: the count without each condition. */
  without: RelaxedCount[];
  /** Pages to write, limited to the available ones. */
  pages: number;
  rows: number;
  /** Maximum price; pages that the team already bought are free. */
  credits: number;
  /** The part for full records, if columns need them. Records that the team already bought are free. */
  recordCredits?: number;
  /** For a search at companies: distinct companies, and those with matches. */
  companies?: { all: number; found: number };
  /**
   * The table that has this search already, its columns without that of the companies, and the price of an update, which is
   * a maximum if it includes full records. A repeated title includes the sheet.
   */
  existing?: { tableId: string; title: string; columns: string[]; credits: number; isMaximum?: true };
  /** The table that the rows are written into, and the number of its rows. A repeated title includes the sheet. */
  target?: { title: string; rows: number };
  /** Not every company could be counted: rows and price are maxima. */
  isMaximum?: true;
  approval: Approval;
  /** Present if a confirmation is needed. */
  willOverwrite?: Overwrite;
  /** Warnings before the start, one sentence each. */
  warnings: string[];
}

/** State of a run. `step` resumes a `paused` run (a call failed or waits) and a `stopped` one. */
export type RunState = 'running' | 'paused' | 'stopped' | 'done';

export interface Progress {
  runId: string;
  kind: Run['kind'];
  title: string;
  family: Family;
  state: RunState;
  /** Processed rows, and rows in total. */
  done: number;
  total: number;
  /** Rows written so far. */
  rows: number;
  /** Failed rows by their error word, such as `#NOT_FOUND`. Of a search at companies: companies without rows. */
  failed: Partial<Record<CellError, number>>;
  /** The first failed rows of the sheet by their error word, five at most. Not of searches. */
  failedRows?: Partial<Record<CellError, number[]>>;
  notKeys?: NotKeyCounts;
  /** Of a search at companies: the limit for each, or 0 if it leaves out no match. */
  perCompany?: number;
  /** The first companies without rows. */
  without?: string[];
  /** Credits spent, and saved by the cache. */
  credits: number;
  saved: number;
  /** The part of the credits that paid for the comparison of names. */
  comparison?: number;
  /** The approved price: the run never spends more. */
  maxCredits: number;
  sheet: string;
  tableId: string;
  startedAt: string;
  /** Why it paused, and what to do. */
  failure?: Failure;
  /** Delay before the next step, in ms. */
  waitMs?: number;
  /** Whether `undo` is possible now; if not, why. */
  undo: { possible: true } | { possible: false; why: string };
}
