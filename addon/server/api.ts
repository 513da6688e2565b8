// What the sidebar's page asks of the script, and what it is told. All of it is plain JSON: times are ISO 8601 texts in UTC.
import type { Family } from '../../shared/families.ts';
import type { SortField } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { Column, Query, Run, SavedSearch, SavedSearchRequest } from '../../shared/sheets-api.ts';

/** The sidebar's tabs. */
export const tabs = ['search', 'enrich', 'bulk', 'tables', 'activity'] as const;
export type Tab = (typeof tabs)[number];

/**
 * Why a call was refused: a problem of the gateway, or one of these.
 * `not_connected` there is no connection · `confirm_first` it would replace what someone typed: ask, then send `confirmed`
 * · `sheet_refused` protected, too small, merged, or of more cells than Google allows · `gone` the table, the run or the
 * column is no longer there · `running` another run writes into this spreadsheet · `bad_call` the page asked for something
 * that there is not
 */
export type RefusalCode =
  | ProblemCode
  | 'not_connected'
  | 'confirm_first'
  | 'sheet_refused'
  | 'gone'
  | 'running'
  | 'bad_call';

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

/** How rows meet what is there: in place of it, after it, or into the rows of the same id. */
export type WriteMode = 'replace' | 'append' | 'update';

/** Where the rows of a search go. */
export type Target =
  /** A sheet of its own, named after the title. */
  | { kind: 'newSheet' }
  /** From the active cell on, to the right and downwards. */
  | { kind: 'cursor' }
  /** Into a table that was written before. */
  | { kind: 'table'; tableId: string };

/** What says where a row comes from, beside its values: three columns more, a note on its first cell, or nothing. */
export type Provenance = 'columns' | 'notes' | 'none';

/** A search whose preview rows are to be written. */
export interface SearchOrder {
  family: Family;
  query: Query;
  /** Paths of a preview's columns (shared/columns.ts), in the order in which they are written. */
  columns: string[];
  /** Pages of 20 rows, from 1 to 50. */
  pages: number;
  where: Target;
  /** Counts for a table that is there already; `update` needs the column `id` in it. */
  mode: WriteMode;
  provenance?: Provenance;
  /** What people call it. */
  title: string;
}

/** Something typed by hand that would be replaced. */
export interface Overwrite {
  /** How many cells; of a table that is there already, how many rows. */
  cells: number;
  /** The first few of them: `Sheet1!B3`, and what stands there. */
  sample: { cell: string; value: string }[];
  /** One sentence that asks. */
  question: string;
}

/** What a search would bring and cost. */
export interface SearchPlan {
  /** How many match. */
  total: number;
  /** Pages that will be written: those asked for, as far as there are so many. */
  pages: number;
  /** Rows that will come. */
  rows: number;
  /** At most, if none of the pages is remembered. */
  credits: number;
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
  /** Rows that the gateway still fetches. */
  pending: number;
  /** Credits spent, and saved by memory. */
  credits: number;
  saved: number;
  /** Where it writes. */
  sheet: string;
  tableId: string;
  startedAt: string;
  /** Why it paused, and what to do. */
  trouble?: { message: string; code?: RefusalCode };
  /** Wait so long before the next step, in ms. */
  waitMs?: number;
  /** Can `undo` take it back now? Where not, why. */
  undo: { possible: true } | { possible: false; why: string };
}

/** How the values of a column can be looked up. */
export type KeySort = 'website' | 'url' | 'id';

/** A column that holds something to look up. */
export interface CandidateColumn {
  sheet: string;
  /** Its number, from 1, and its letter. */
  column: number;
  letter: string;
  /** Its first row's text where that is a heading; '' where it has none. */
  heading: string;
  /** The row of the heading; 0 where it has none. */
  headingRow: number;
  kind: KeySort;
  /** The families that can be looked up by such keys, the likeliest first. */
  families: Family[];
  /** Of its first 1,000 rows: cells that are keys, and how many different ones. */
  keys: number;
  distinct: number;
  /** Some of them. */
  examples: string[];
}

/** Which rows are enriched: all, those without values yet, those selected, or from the active cell on. */
export type Scope = 'all' | 'blank' | 'selection' | 'fromHere';

/** A column to enrich. */
export interface EnrichOrder {
  sheet: string;
  /** Number of the column that holds the keys, from 1. */
  column: number;
  /** How its values are spelt. */
  by: KeySort;
  family: Family;
  scope: Scope;
  /** Paths of the values to add, a column each, in their order. */
  fields: string[];
  /** Say in a column of its own how each row came about, and why it failed. */
  statusColumn?: boolean;
  provenance?: Provenance;
  /** Buy again what is older than so many days. */
  maxAgeDays?: number;
}

/** What an enrichment would do and cost. */
export interface EnrichPlan {
  /** Rows with a key in the scope. */
  rows: number;
  /** Keys that are different and can be read. */
  distinct: number;
  /** Remembered, stale ones included. */
  remembered: number;
  /** Remembered, but past their freshness. */
  stale: number;
  /** To be bought. */
  toFetch: number;
  credits: number;
  /** Rows whose key can't be read. */
  invalid: number;
  /** Where the values go: headings and letters. */
  columns: { heading: string; letter: string; isNew: boolean }[];
  willOverwrite?: Overwrite;
  warnings: string[];
}

/** A table that was written here. */
export interface Table {
  id: string;
  title: string;
  kind: 'search' | 'enrich' | 'records';
  /** The sheet's name as it is now; its last name where the table is gone. */
  sheet: string;
  /** Where its heading row is, as `B2:F2`; '' where it is gone. */
  range: string;
  family: Family;
  /** The search that it came from. */
  query?: Query;
  /** Paths, in the order in which they were written. */
  columns: string[];
  mode: WriteMode;
  /** Rows that it has now. */
  rows: number;
  lastRun: { at: string; rows: number; credits: number; saved: number };
  /** Credits over all its runs. */
  credits: number;
  ageDays: number;
  /** A frozen table is plain values: nothing refreshes it. */
  frozen: boolean;
  /** It has a column of ids: rows can be updated, and whole records be added. */
  hasIds: boolean;
  /** It can't be found any more: why. */
  gone?: string;
}

/** What a refresh would do and cost. */
export interface RefreshPlan {
  rows: number;
  /** At most. */
  credits: number;
  willOverwrite?: Overwrite;
  warnings: string[];
}

/** Which of a table's rows: all, those with their selection in the sheet. */
export interface RecordsOrder {
  tableId: string;
  /** Paths of a record, a column each, put behind the table's own. */
  fields: string[];
  rows: 'all' | 'selection';
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

/** Cells of formulas that wait for rows which the gateway still fetches. */
export interface Pending {
  /** Formulas with `#PENDING` in their cells. */
  formulas: number;
}

/** Nothing to say. */
export type Empty = Record<string, never>;

/**
 * The methods, one call of google.script.run each. Every one may be refused as `Reply` says.
 * What starts a run answers at once; the page then calls `step` until the state is `done`, each call taking 25 s at most.
 * To stop it calls `stop`. A run that nobody steps keeps: it is among `unfinished`.
 */
export interface Server {
  status(payload: Empty): Status;
  setTab(payload: { tab: Tab }): Empty;
  /** Tries the link and keeps it. */
  connect(payload: { link: string; for: 'sheet' | 'me' }): Status;
  disconnect(payload: { for: 'sheet' | 'me' }): Status;
  /** Switches spending on or off for this sheet. */
  setSpending(payload: { on: boolean }): Status;

  /** Counts what matches; free. */
  count(payload: { family: Family; query: Query }): { total: number };
  /** Columns to choose from: of a record, and of a preview. */
  fields(payload: { family: Family }): { columns: Column[]; preview: Column[]; defaults: string[] };
  planSearch(payload: SearchOrder): SearchPlan;
  /** Writes nothing yet but a new sheet or a heading. `sort` is part of a DSL query. */
  startSearch(payload: SearchOrder & { confirmed?: boolean }): Progress;

  /** Columns of the workbook that hold something to look up, those of the active sheet first. */
  columns(payload: Empty): CandidateColumn[];
  planEnrich(payload: EnrichOrder): EnrichPlan;
  startEnrich(payload: EnrichOrder & { confirmed?: boolean }): Progress;

  /** Fetches and writes the next part of a run. */
  step(payload: { runId: string }): Progress;
  stop(payload: { runId: string }): Progress;
  /** Puts back what the last run of this person replaced. */
  undo(payload: { runId: string }): { cells: number };
  /** Runs that can go on, newest first. */
  unfinished(payload: Empty): Progress[];
  /** Leaves an unfinished run as it is, for good. */
  dropRun(payload: { runId: string }): Empty;

  tables(payload: Empty): Table[];
  /** `stale`: only rows that are past their freshness; of a search the same as `all`. */
  planRefresh(payload: { id: string; only: 'all' | 'stale' }): RefreshPlan;
  refreshTable(payload: { id: string; only: 'all' | 'stale'; confirmed?: boolean }): Progress;
  /** Keeps the values and ends the refreshing; formulas of ours among them become values. */
  freezeTable(payload: { id: string }): Table[];
  /** Forgets the table; what it wrote stays in the sheet. */
  forgetTable(payload: { id: string }): Table[];
  /** Goes to the table in the sheet. */
  showTable(payload: { id: string }): Empty;
  planRecords(payload: RecordsOrder): EnrichPlan;
  /** Adds whole records' values to the chosen rows, by their ids. */
  fullRecords(payload: RecordsOrder & { confirmed?: boolean }): Progress;

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
