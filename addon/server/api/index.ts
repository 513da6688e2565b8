// Methods of the sidebar's server and their results. Everything is JSON; times are ISO 8601 in UTC.
import type { AskResponse } from '../../../shared/api/ask.ts';
import type { Column } from '../../../shared/api/common.ts';
import type { RelaxedCount } from '../../../shared/api/query.ts';
import type { Run, SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Method, Payload } from '../../../shared/api/sidebar.ts';
import type { Approval } from '../../../shared/api/sidebar-orders.ts';
import type { UsageResponse } from '../../../shared/api/usage.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { ReportedSource } from '../../../shared/sources.ts';
import type { BulkResults } from './bulk.ts';
import type { FormulaList, RerunPlan } from './formulas.ts';
import type { ErrorCode, Failure, Progress, SearchPlan } from './runs.ts';
import type {
  BuiltTemplate,
  CandidateColumn,
  EnrichPlan,
  NameList,
  RefreshPlan,
  Table,
  TemplateView,
} from './tables.ts';

export type * from '../../../shared/api/sidebar.ts';
export type * from '../../../shared/api/sidebar-orders.ts';
export type * from './bulk.ts';
export type * from './formulas.ts';
export type * from './runs.ts';
export type * from './tables.ts';

/** A tab of the sidebar. */
export type Tab = Payload<'setTab'>['tab'];

/** A call of the sidebar, as JSON. */
export interface MethodCall {
  method: Method;
  payload: unknown;
}

/** The reply, as JSON. `message` says the cause and the next step. */
export type Reply<T> = { ok: true; value: T } | ({ ok: false } & Failure);

/** Credit caps; null if not set. */
export interface Budget {
  day: number | null;
  month: number | null;
}

/** The state of this spreadsheet. */
export interface Status {
  /** Null if not connected. */
  connection: {
    /** Whose connection it is: this spreadsheet's, the current user's by link or Google account, or the company's. */
    for: Payload<'disconnect'>['for'];
    /** The person was connected without a click and has not seen who pays, and the data terms. */
    isNew?: true;
    team: string;
    /** `embedded` records are fictional. */
    mode: 'embedded' | 'remote';
    budget: Budget;
    spent: { day: number; month: number };
    saved: { day: number; month: number };
    /** Remaining credits; null without a cap. */
    remaining: number | null;
    /** False if the admin switched spending off for the team. */
    spending: boolean;
    /** Clicks above this price need a confirmation; null: none do. */
    confirmAbove: number | null;
    /** Scopes of the token; null is all. */
    scopes: { families: Family[] | null; operations: string[] | null };
    /** The gateway turns sentences into searches. */
    canAsk?: true;
  } | null;
  /** The gateway's troubleshooting page; absent without a connection, unless signing in failed. */
  helpUrl?: string;
  /** Why the connection can't be used at the moment: cause and next step. */
  failure?: { message: string; code?: ErrorCode };
  /** False: lookups in this spreadsheet return cached records only. */
  sheetSpending: boolean;
  /** Whether a connection can be stored for all editors. Without document properties it can't. */
  canConnectSheet: boolean;
  /** Whether the company has a connection, also if this spreadsheet does not use it. */
  hasCompanyConnection: boolean;
  /** Formulas here use the company's connection only if the person allows it: Google does not tell whose spreadsheet it is. */
  mustAllowFormulas?: true;
  /** Whether the person has disconnected from the Google account and may connect again. */
  canConnectAccount?: true;
  /** The tab that was last open in this sheet. */
  tab: Tab;
  /** The person’s last search in this spreadsheet, as JSON. */
  lastSearch?: string;
  /** The active sheet and its selection. */
  active: { sheet: string; range: string; rows: number };
  /** Number of unfinished runs that can be resumed. */
  unfinished: number;
}

/** What the team spent from a source. `late`: calls of the last minute, whose source is not known yet. */
export type Share = UsageResponse['total'] & { source: ReportedSource | 'late' };

/** The report of the last 30 days with the ledger's totals of today. Kinds of record and connections lack late calls. */
export interface AlignedUsage extends Omit<UsageResponse, 'sources' | 'today'> {
  sources: Share[];
}

/** The team's usage and history. */
export interface Activity {
  team: string;
  budget: Budget;
  spent: { day: number; month: number };
  saved: { day: number; month: number };
  remaining: number | null;
  /** Credits of open calls and orders, neither spent nor remaining. */
  reserved: number;
  /** The share of reused data in the price of all data used this month, 0 to 1; null before the first lookup. */
  hitRate: number | null;
  /** The last 30 days; absent if the gateway can't report them now. */
  usage?: AlignedUsage;
  /** Shares of the credits spent today, which add up to them; empty if the gateway can't report them now. */
  today: Share[];
  /** The part of today's shares that no run of the list shows. */
  others: Share[];
  /** The team's latest runs, newest first. */
  runs: Run[];
  /** Ids of the runs in this spreadsheet that the person can undo, the last one first. */
  undoable: string[];
  /** Ids of the runs that the person has undone. */
  undone: string[];
  /** Recent errors in this spreadsheet, newest first. */
  errors: { at: string; message: string; code?: ErrorCode }[];
}

/** Formulas that can be completed. */
export interface Pending {
  /** Formulas that show `#PENDING`; once there is budget again, also those that show `#BUDGET`. */
  formulas: number;
}

/** Formulas of single cells that fewer formulas of ranges can replace. */
export interface MergeOffer {
  sheetId: number;
  formulas: number;
  /** Number of formulas that replace them. */
  ranges: number;
  /** Letters of their columns. */
  columns: string[];
  /** The first new formula. */
  example: string;
  /** Credits for records that are not bought yet, or outdated. */
  credits: number;
  approval: Approval;
}

/** What the active sheet offers. */
export interface MergePlan {
  offer: MergeOffer | null;
}

/** The tables after a change, and the id that undoes it. */
interface UndoableChange {
  tables: Table[];
  runId: string;
}

/** What Undo has done. */
export interface Undone {
  /** Number of restored cells. */
  cells: number;
  /** The sheet of the first one. */
  sheet?: string;
  /** The run of the same table before, if it can be undone, too. */
  before?: string;
}

/** An empty result. */
export type Empty = Record<string, never>;

/**
 * The result of each method. Each is one call of google.script.run and may fail as `Reply` says. Methods that start a
 * run return at once. The page then calls `step`, 25 s at most each, until the state is `done`. To stop a run, the page
 * waits for the current call and then calls `stop`. An abandoned run stays in `unfinished`.
 */
interface Answers extends BulkResults {
  status: Status;
  /** The page's second script. */
  laterTabs: string;
  setTab: Empty;
  /** Stores the search for this person and spreadsheet. */
  saveDraft: Empty;
  /** Verifies the link and stores its connection. */
  connect: Status;
  /** Uses the company's connection in this spreadsheet again. */
  connectCompany: Status;
  /** Connects a person again by the Google account, after a disconnection. */
  connectAccount: Status;
  /** Remembers that the person has read which team pays, and the data terms. */
  confirmAccount: Status;
  disconnect: Status;
  /** Switches spending on or off for this spreadsheet. */
  setSpending: Status;

  /** Turns a sentence into a search form. Costs no credits. */
  ask: AskResponse;
  /** Counts matches; if nothing matches, also without each condition. Free. */
  count: { total: number; without: RelaxedCount[] };
  /** Counts the matches of at most five queries. Free. */
  counts: { totals: number[] };
  /** Values of up to three matches whose records the team already bought. Buys nothing. */
  sampleRows: { rows: string[][] };
  /** Fields of a record, and columns of a preview. */
  fields: { columns: Column[]; preview: Column[]; defaults: string[] };
  planSearch: SearchPlan;
  /** Starts a run; so far it creates only the sheet or the headings. */
  startSearch: Progress;

  /** Lists columns of the workbook with keys, those of the active sheet first. */
  columns: CandidateColumn[];
  planEnrich: EnrichPlan;
  startEnrich: Progress;
  /** Lists names that a person must decide, and the decided ones. Free. */
  uncertainNames: NameList;
  planChoices: EnrichPlan;
  /** Writes the rows of names with the chosen companies; only their records are bought. */
  startChoices: Progress;
  /** Forgets a decision: the next run compares the name again. */
  forgetChoice: NameList;

  /** Fetches and writes the next part of a run. */
  step: Progress;
  /**
   * Cancels the unsent provider calls of the current step. It does not wait for the step, which then returns early;
   * call `stop` after it.
   */
  cancelStep: Empty;
  stop: Progress;
  /** Undoes a run of the current user. */
  undo: Undone;
  /** Lists runs that can be resumed, newest first. */
  unfinished: Progress[];
  /** Discards an unfinished run. The written rows stay. */
  discardRun: Empty;

  tables: Table[];
  planRefresh: RefreshPlan;
  refreshTable: Progress;
  /** Keeps the values and ends the refreshing. The add-on's formulas in the table become values. */
  freezeTable: UndoableChange;
  /** Stops tracking the table. Its cells stay. */
  forgetTable: UndoableChange;
  /** Moves a table with a deleted sheet to a new sheet. The next refresh fills it. */
  moveTable: Table[];
  /** Tracks a copy of a table as a new one. */
  trackCopy: Table[];
  /** Gives the table another title. Its sheet keeps its name. */
  renameTable: Table[];
  /** Activates the table's range. */
  showTable: Empty;
  planRecords: EnrichPlan;
  /** Looks up whole records for rows of a table, by their ids. */
  startRecords: Progress;

  templates: TemplateView[];
  /** Builds the sheet of a template. Buys nothing. */
  buildTemplate: BuiltTemplate;

  activity: Activity;
  savedSearches: SavedSearch[];
  saveSearch: SavedSearch[];
  deleteSearch: SavedSearch[];
  /** Writes the search as a formula into the active cell. */
  insertFormula: { cell: string; formula: string };

  /** Counts formulas that can be completed. */
  pending: Pending;
  /** Reruns these formulas; bought records come from the cache. */
  completePending: { again: number; left: number };
  /** Lists the add-on's formulas of all sheets. Free. */
  formulas: FormulaList;
  /** Prices another run of failed formulas, or of all. Free. */
  planRerun: RerunPlan;
  rerunFormulas: { formulas: number };
  /** Replaces formulas by their values, unless they are loading or failed. `runId` undoes it. */
  freezeFormulas: { frozen: number; skipped: number; runId: string };
  /** Activates the cells of formulas. */
  showFormulas: Empty;
  /** Switches spending on or off for the formulas of a sheet. */
  setFormulaSpending: FormulaList;
  /** Looks for formulas of single cells: many in the active sheet, or any in the sheet that a person asks for. Free. */
  planMerge: MergePlan;
  /** Replaces them by formulas of ranges. `runId` undoes it. */
  mergeFormulas: { formulas: number; ranges: number; runId: string };
  /** Ends the offer for a sheet. */
  dismissMerge: Empty;
}

/** The result of a method. */
export type MethodResult<M extends Method> = Answers[M];
