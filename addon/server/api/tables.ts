// Columns to look up and tracked tables, as the sidebar sees them.

import type { Enrichment } from '../../../shared/api/enrichments.ts';
import type { MatchCandidate } from '../../../shared/api/match.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Schedule } from '../../../shared/api/schedules.ts';
import type {
  AccountsSource,
  Approval,
  ColumnKeyKind,
  StoredCondition,
  WriteMode,
} from '../../../shared/api/sidebar-orders.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { NotKeyCounts } from '../../../shared/keys/not-keys.ts';
import type { LastFill, TriggerView } from './bulk.ts';
import type { Overwrite } from './runs.ts';

export interface BesideColumn {
  column: number;
  letter: string;
  heading: string;
  /** An empty column separates it from the keys: it belongs to another list. */
  isFar?: true;
  hasFormulas?: true;
  /**
   * What a table writes into it; `isOwn`: only into empty cells. `path` is '' for its status and origin, and if the table
   * looks up another column.
   */
  field?: { family: Family; path: string; isOwn: boolean };
  /** Id of the table whose numbers of people or jobs it shows. */
  counts?: string;
}

/** A column with keys to look up. */
export interface CandidateColumn {
  sheet: string;
  /** Its number, starting with 1, and its letters. */
  column: number;
  letter: string;
  heading: string;
  /** The row of the heading; 0 if there is none. */
  headingRow: number;
  kind: ColumnKeyKind;
  /** Families with lookups by such keys, the likeliest first. */
  families: Family[];
  /** Number of keys and of distinct keys in the column. */
  keys: number;
  distinct: number;
  /** Number of filled cells, if some hold no key. */
  cells?: number;
  /** Sample keys. */
  examples: string[];
  /** The other columns with a heading, which may hold the places of names, or receive values. */
  beside?: BesideColumn[];
}

/** A name that several companies could have. */
export interface NameView {
  tableId: string;
  key: string;
  name: string;
  country?: string;
  city?: string;
  /** Most probable first. Of a decided name only the chosen one. */
  candidates: MatchCandidate[];
  /** Price of a record. */
  credits: number;
  /** Id of the chosen candidate; '' if it is none of them. */
  companyId?: string;
}

/** Names of this spreadsheet that are or were uncertain. */
export interface NameList {
  undecided: NameView[];
  decided: NameView[];
}

/** The result and price of an enrichment. */
export interface EnrichPlan {
  rows: number;
  /** Distinct valid keys. */
  distinct: number;
  /** Cached records, including stale ones. */
  cached: number;
  /** Cached records past their freshness. */
  stale: number;
  /** Records to buy. */
  toFetch: number;
  credits: number;
  isMaximum?: true;
  /** Why it is a maximum. */
  reason?: string;
  approval: Approval;
  /** Rows without a key, and what their cells are instead. */
  invalid: number;
  notKeys: NotKeyCounts;
  /** Columns that receive the values; `isOwn`: only in their empty cells. */
  columns: { heading: string; letter: string; isNew: boolean; isOwn?: true }[];
  willOverwrite?: Overwrite;
  warnings: string[];
}

/** Rows of a run by outcome. `updated` are new and changed ones, where these are not told apart. */
export type RunCounts = Partial<
  Record<'found' | 'notFound' | 'invalid' | 'failed' | 'changed' | 'added' | 'updated' | 'without', number>
> &
  Readonly<Record<string, number>>;

export interface LastRun {
  at: string;
  rows: number;
  credits: number;
  saved: number;
  /** Absent if only the gateway has written its rows. */
  counts?: RunCounts;
  /** It includes later decisions about its uncertain names. */
  decided?: true;
}

export interface Table {
  id: string;
  title: string;
  kind: 'search' | 'enrich' | 'records' | 'bulk' | 'count';
  /** The current name of its sheet; the last one if it is gone. */
  sheet: string;
  /** The range of its headings and rows, such as `B2:F20`; '' if it is gone. */
  range: string;
  family: Family;
  /** The query of a search, of a bulk order by search, or of a count. */
  query?: Query;
  /** The conditions of the query as entered in the form. */
  conditions?: StoredCondition[];
  pages?: number;
  /** The maximum number of records of its bulk order. */
  limit?: number;
  /** The rows are people or jobs at companies of this column. */
  accounts?: AccountsSource;
  /** The heading of the numbers that limit these companies. */
  limitHeading?: string;
  /** Field paths in the order of the columns. */
  columns: string[];
  mode: WriteMode;
  /** Its current rows; for a looked-up column only rows with values. */
  rows: number;
  /** The different records of these rows, for a looked-up column. */
  records?: number;
  lastRun: LastRun;
  /** Credits of runs and bulk orders that a person started, and of filling that was turned off. */
  credits: number;
  /** A frozen table is never refreshed. */
  frozen: boolean;
  /** It has an id column, so rows can be updated and whole records added. */
  hasIds: boolean;
  /** It looks up names, whose comparison costs credits, too. */
  hasNames?: true;
  /** Why it can't be found. */
  gone?: string;
  /** Its sheet was deleted; it can be moved to a new one. */
  sheetDeleted?: boolean;
  /** Sheets with a copy of it, which nobody tracks. */
  copies?: { sheetId: number; sheet: string }[];
  /** Id of its last run that this person can undo. */
  undo?: string;
  /** Id of the data request whose rows it shows or waits for. */
  request?: string;
  /** It waits for the rows of its data request. */
  isWaiting?: true;
  /** Its automatic refresh: interval, state, next run, most credits of a run, and credits of this month. */
  autoRefresh?: Pick<Schedule, 'every' | 'state'> & {
    nextAt: string | null;
    maxCredits: number;
    spent: number;
  };
  /** How new rows are filled: state, last fill, and credits of this month. */
  filling?: Pick<Enrichment, 'state' | 'month_spent'> & {
    last: LastFill | null;
    trigger: TriggerView['state'];
  };
  /** Why it can't be kept filled or refreshed on a schedule: cause and next step. */
  manualReason?: string;
  /** Updates of the closed sheet have stopped until somebody takes the table over. */
  pushStopped?: boolean;
}

/** A sheet with examples that the add-on can build. */
export interface TemplateView {
  id: string;
  title: string;
  summary: string;
  /** The most that its examples cost, once a person runs them. */
  credits: number;
  /** What they cost now, without what the team already bought; absent if it is not known. */
  now?: number;
}

/** The result and price of a refresh. */
export interface RefreshPlan {
  rows: number;
  credits: number;
  /** Why the price is a maximum; absent if it is exact. */
  reason?: string;
  approval: Approval;
  willOverwrite?: Overwrite;
  warnings: string[];
}
