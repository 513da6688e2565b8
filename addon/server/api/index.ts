// What the sidebar's page asks of the script, and what it is told. All of it is plain JSON: times are ISO 8601 texts in UTC.
import type { Column } from '../../../shared/api/common.ts';
import type { WithoutCondition } from '../../../shared/api/query.ts';
import type { Run, SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Method, Payload } from '../../../shared/api/sidebar.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { BulkResults } from './bulk.ts';
import type { ErrorCode, Progress, SearchPlan } from './runs.ts';
import type { CandidateColumn, EnrichPlan, RefreshPlan, Table } from './tables.ts';

export type * from '../../../shared/api/sidebar.ts';
export type * from '../../../shared/api/sidebar-orders.ts';
export type * from './bulk.ts';
export type * from './runs.ts';
export type * from './tables.ts';

/** One of the sidebar's tabs. */
export type Tab = Payload<'setTab'>['tab'];

/** What is sent to the public function, as JSON. */
export interface MethodCall {
  method: Method;
  payload: unknown;
}

/** What comes back, as JSON. `message` is one or two sentences for a person: the cause, and what to do. */
export type Reply<T> = { ok: true; value: T } | { ok: false; message: string; code?: ErrorCode };

/** Credits against a cap; null where no cap is set. */
export interface Budget {
  day: number | null;
  month: number | null;
}

/** How this spreadsheet stands. */
export interface Status {
  /** null: not connected. */
  connection: {
    /** Where the connection is kept: for everybody who edits this sheet, or only for who looks. */
    for: 'sheet' | 'me';
    team: string;
    /** `embedded` records are fictional. */
    mode: 'embedded' | 'remote';
    budget: Budget;
    spent: { day: number; month: number };
    saved: { day: number; month: number };
    /** Credits that may still be spent; null where nobody counts. */
    remaining: number | null;
    /** false: the admin has switched spending off for the team. */
    spending: boolean;
    /** A click that costs more credits than this is confirmed first; null: none is. */
    confirmAbove: number | null;
    /** What the token may use; null is all. */
    scopes: { families: Family[] | null; operations: string[] | null };
  } | null;
  /** Why the connection can't be used right now, where there is one: cause and next step. */
  failure?: { message: string; code?: ErrorCode };
  /** false: lookups in this sheet answer from memory only. */
  sheetSpending: boolean;
  /** Can a connection be kept for everybody here? Without document properties only `me` can. */
  canConnectSheet: boolean;
  /** The tab that was last open in this sheet. */
  tab: Tab;
  /** The sheet and the selection that are in front. */
  active: { sheet: string; range: string; rows: number };
  /** Runs that were left unfinished and can go on. */
  unfinished: number;
}

/** How things went. */
export interface Activity {
  team: string;
  budget: Budget;
  spent: { day: number; month: number };
  saved: { day: number; month: number };
  remaining: number | null;
  /** The share of credits that memory saved this month, 0 to 1; null before anything was asked. */
  hitRate: number | null;
  /** The team's last runs, newest first. */
  runs: Run[];
  /** What went wrong here lately, newest first. */
  errors: { at: string; message: string; code?: ErrorCode }[];
}

/** Formulas that can be completed. */
export interface Pending {
  /** Those with `#PENDING` in their cells; those with `#BUDGET` as well, once there is budget again. */
  formulas: number;
}

/** Nothing to say. */
export type Empty = Record<string, never>;

/**
 * What each method answers, one call of google.script.run each. Every one may be refused as `Reply` says.
 * What starts a run answers at once; the page then calls `step` until the state is `done`, each call taking 25 s at most.
 * To stop it waits for the call that is on its way, and then calls `stop`. A run that nobody steps keeps: it is among
 * `unfinished`.
 */
interface Answers extends BulkResults {
  status: Status;
  setTab: Empty;
  /** Tries the link and keeps it. */
  connect: Status;
  disconnect: Status;
  /** Switches spending on or off for this sheet. */
  setSpending: Status;

  /** Counts what matches, and where nothing does, what matches without each condition; free. */
  count: { total: number; without: WithoutCondition[] };
  /** Columns to choose from: of a record, and of a preview. */
  fields: { columns: Column[]; preview: Column[]; defaults: string[] };
  planSearch: SearchPlan;
  /** Writes nothing yet but a new sheet or a heading. */
  startSearch: Progress;

  /** Columns of the workbook that hold something to look up, those of the active sheet first. */
  columns: CandidateColumn[];
  planEnrich: EnrichPlan;
  startEnrich: Progress;

  /** Fetches and writes the next part of a run. */
  step: Progress;
  /**
   * Withdraws the provider calls of the step under way that have not been sent. It does not wait for that step, which
   * then returns early; call `stop` after it.
   */
  withdraw: Empty;
  stop: Progress;
  /** Puts back what the last run of this person replaced. */
  undo: { cells: number };
  /** Runs that can go on, newest first. */
  unfinished: Progress[];
  /** Leaves an unfinished run as it is, for good. */
  dropRun: Empty;

  tables: Table[];
  planRefresh: RefreshPlan;
  refreshTable: Progress;
  /** Keeps the values and ends the refreshing; formulas of ours among them become values. */
  freezeTable: Table[];
  /** Stops tracking the table; what it wrote stays in the sheet. */
  forgetTable: Table[];
  /** Moves a table whose sheet was deleted to a new sheet; its rows come with the next refresh. */
  moveTable: Table[];
  /** Goes to the table in the sheet. */
  showTable: Empty;
  planRecords: EnrichPlan;
  /** Adds whole records' values to the chosen rows, by their ids. */
  fullRecords: Progress;

  activity: Activity;
  savedSearches: SavedSearch[];
  saveSearch: SavedSearch[];
  deleteSearch: SavedSearch[];
  /** Puts a formula of the search into the active cell. */
  formulaFor: { cell: string; formula: string };

  /** How many formulas wait. */
  pending: Pending;
  /** Sets formulas that wait again, so that they run again: they are answered from memory. */
  completePending: { again: number; left: number };
}

/** What a method answers. */
export type MethodResult<M extends Method> = Answers[M];
