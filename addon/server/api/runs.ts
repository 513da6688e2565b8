// How rows are written, as the sidebar's page and the script say it: where they go, what they would replace, how far a run is.

import type { WithoutCondition } from '../../../shared/api/query.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import type { Approval } from '../../../shared/api/sidebar-orders.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { ProblemCode } from '../../../shared/problems.ts';

/**
 * Why a call was refused: a problem of the gateway, or one of these.
 * `price_changed` rows or price are not those of the plan: show the new plan · `not_connected` there is no connection · `confirm_first` it would replace what someone typed: ask, then send `confirmed`
 * · `sheet_refused` protected, too small, merged, or of more cells than Google allows · `gone` the table, the run or the
 * column is no longer there · `running` another run writes into this spreadsheet · `bad_call` the page asked for something
 * that there is not
 */
export type ErrorCode =
  | ProblemCode
  | 'not_connected'
  | 'confirm_first'
  | 'sheet_refused'
  | 'gone'
  | 'running'
  | 'bad_call';

/** Something typed by hand that would be replaced. */
export interface Overwrite {
  /** How many cells; of a table that is there already, how many rows. */
  cells: number;
  /** The first few of them: `Sheet1!B3`, of a table that is there already `Sheet1, row 3`, and what stands there. */
  sample: { cell: string; value: string }[];
  /** One sentence that asks. */
  question: string;
}

/** What a search would bring and cost. */
export interface SearchPlan {
  /** How many match. */
  total: number;
  /** Where nothing matches: how many match without each condition. */
  without: WithoutCondition[];
  /** Pages that will be written: those asked for, as far as there are so many. */
  pages: number;
  /** Rows that will come. */
  rows: number;
  /** At most: pages that the team bought already are free. */
  credits: number;
  approval: Approval;
  /** Present where confirmation is needed. */
  willOverwrite?: Overwrite;
  /** What to know before: one sentence each. */
  warnings: string[];
}

/** What a run is at. `paused`: a call failed or waits; `step` goes on. `stopped` by someone; `step` goes on too. */
export type RunState = 'running' | 'paused' | 'stopped' | 'done';

/** How far a run is. */
export interface Progress {
  runId: string;
  kind: Run['kind'];
  title: string;
  family: Family;
  state: RunState;
  /** Rows dealt with, and rows in all. */
  done: number;
  total: number;
  /** Rows written so far. */
  rows: number;
  /** Rows that ended with a problem, by the word in their cell, such as `#NOT_FOUND`. */
  failed: Record<string, number>;
  /** Credits spent, and saved by memory. */
  credits: number;
  saved: number;
  /** The most that the run may spend, in credits: the price that the person approved. */
  maxCredits: number;
  /** Where it writes. */
  sheet: string;
  tableId: string;
  startedAt: string;
  /** Why it paused, and what to do. */
  failure?: { message: string; code?: ErrorCode };
  /** Wait so long before the next step, in ms. */
  waitMs?: number;
  /** Can `undo` take it back now? Where not, why. */
  undo: { possible: true } | { possible: false; why: string };
}
