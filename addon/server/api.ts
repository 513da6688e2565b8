// What the sidebar's page asks of the script, and what it is told. All of it is plain JSON: times are ISO 8601 texts in UTC.
import type { Column } from '../../shared/api/common.ts';
import type { Run, SavedSearch, SavedSearchRequest } from '../../shared/api/kept.ts';
import type { Query, WithoutCondition } from '../../shared/api/query.ts';
import type { Family } from '../../shared/families.ts';
import type { SortField } from '../../shared/operations.ts';
import type { BulkServer } from './bulk-api.ts';
import type {
  CandidateColumn,
  EnrichOrder,
  EnrichPlan,
  RecordsOrder,
  RefreshPlan,
  Table,
} from './tables-api.ts';
import type { Progress, RefusalCode, SearchOrder, SearchPlan, Start } from './writing-api.ts';

export type * from './bulk-api.ts';
export type * from './tables-api.ts';
export type * from './writing-api.ts';

/** The sidebar's tabs. */
export const tabs = ['search', 'enrich', 'bulk', 'tables', 'activity'] as const;
export type Tab = (typeof tabs)[number];

/** What is sent to the public function, as JSON. */
export interface Call {
  method: Method;
  payload: unknown;
}

/** What comes back, as JSON. `message` is one or two sentences for a person: the cause, and what to do. */
export type Reply<T> = { ok: true; value: T } | { ok: false; message: string; code?: RefusalCode };

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
  trouble?: { message: string; code?: RefusalCode };
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
  errors: { at: string; message: string; code?: RefusalCode }[];
}

/** Formulas that can be completed. */
export interface Pending {
  /** Those with `#PENDING` in their cells; those with `#BUDGET` as well, once there is budget again. */
  formulas: number;
}

/** Nothing to say. */
export type Empty = Record<string, never>;

/**
 * The methods, one call of google.script.run each. Every one may be refused as `Reply` says.
 * What starts a run answers at once; the page then calls `step` until the state is `done`, each call taking 25 s at most.
 * To stop it waits for the call that is on its way, and then calls `stop`. A run that nobody steps keeps: it is among
 * `unfinished`.
 */
export interface Server extends BulkServer {
  status(payload: Empty): Status;
  setTab(payload: { tab: Tab }): Empty;
  /** Tries the link and keeps it. */
  connect(payload: { link: string; for: 'sheet' | 'me' }): Status;
  disconnect(payload: { for: 'sheet' | 'me' }): Status;
  /** Switches spending on or off for this sheet. */
  setSpending(payload: { on: boolean }): Status;

  /** Counts what matches, and where nothing does, what matches without each condition; free. */
  count(payload: { family: Family; query: Query }): { total: number; without: WithoutCondition[] };
  /** Columns to choose from: of a record, and of a preview. */
  fields(payload: { family: Family }): { columns: Column[]; preview: Column[]; defaults: string[] };
  planSearch(payload: SearchOrder): SearchPlan;
  /** Writes nothing yet but a new sheet or a heading. `sort` is part of a DSL query. */
  startSearch(payload: SearchOrder & Start): Progress;

  /** Columns of the workbook that hold something to look up, those of the active sheet first. */
  columns(payload: Empty): CandidateColumn[];
  planEnrich(payload: EnrichOrder): EnrichPlan;
  startEnrich(payload: EnrichOrder & Start): Progress;

  /** Fetches and writes the next part of a run. */
  step(payload: { runId: string }): Progress;
  /**
   * Withdraws the provider calls of the step under way that have not been sent. It does not wait for that step, which
   * then returns early; call `stop` after it.
   */
  withdraw(payload: { runId: string }): Empty;
  stop(payload: { runId: string }): Progress;
  /** Puts back what the last run of this person replaced. */
  undo(payload: { runId: string }): { cells: number };
  /** Runs that can go on, newest first. */
  unfinished(payload: Empty): Progress[];
  /** Leaves an unfinished run as it is, for good. */
  dropRun(payload: { runId: string }): Empty;

  tables(payload: Empty): Table[];
  /** `stale`: only rows, and of a search only pages, that are past their freshness. */
  planRefresh(payload: { id: string; only: 'all' | 'stale' }): RefreshPlan;
  refreshTable(payload: { id: string; only: 'all' | 'stale' } & Start): Progress;
  /** Keeps the values and ends the refreshing; formulas of ours among them become values. */
  freezeTable(payload: { id: string }): Table[];
  /** Stops tracking the table; what it wrote stays in the sheet. */
  forgetTable(payload: { id: string }): Table[];
  /** Moves a table whose sheet was deleted to a new sheet; its rows come with the next refresh. */
  moveTable(payload: { id: string }): Table[];
  /** Goes to the table in the sheet. */
  showTable(payload: { id: string }): Empty;
  planRecords(payload: RecordsOrder): EnrichPlan;
  /** Adds whole records' values to the chosen rows, by their ids. */
  fullRecords(payload: RecordsOrder & Start): Progress;

  activity(payload: Empty): Activity;
  savedSearches(payload: Empty): SavedSearch[];
  saveSearch(payload: SavedSearchRequest): SavedSearch[];
  deleteSearch(payload: { id: string }): SavedSearch[];
  /** Puts a formula of the search into the active cell. */
  formulaFor(payload: {
    formula: 'CDAPI_PREVIEW' | 'CDAPI_SEARCH' | 'CDAPI_COUNT';
    family: Family;
    query: Query;
    columns?: string[];
    /** Rows of ids for CDAPI_SEARCH, pages for CDAPI_PREVIEW. */
    limit?: number;
    sort?: SortField;
    /** The price that was shown, in credits: the formula spends no more each time it runs. */
    maxCredits?: number;
    confirmed?: boolean;
  }): { cell: string; formula: string };

  /** How many formulas wait. */
  pending(payload: Empty): Pending;
  /** Sets formulas that wait again, so that they run again: they are answered from memory. */
  completePending(payload: Empty): { again: number; left: number };
}

export type Method = keyof Server;

/** What a method takes, and what it gives. */
export type Payload<M extends Method> = Parameters<Server[M]>[0];
export type Value<M extends Method> = ReturnType<Server[M]>;
