// Columns that are looked up and tables that were written, as the sidebar's page and the script say it.
import type { Query } from '../../../shared/api/query.ts';
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { Approval, KeySort, WriteMode } from '../../../shared/api/sidebar-orders.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { Overwrite } from './runs.ts';

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

/** What an enrichment would do and cost. */
export interface EnrichPlan {
  /** Rows with a key in the scope. */
  rows: number;
  /** Keys that are different and can be read. */
  distinct: number;
  /** Remembered, stale ones included. */
  cached: number;
  /** Remembered, but past their freshness. */
  stale: number;
  /** To be bought. */
  toFetch: number;
  credits: number;
  approval: Approval;
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
  kind: 'search' | 'enrich' | 'records' | 'bulk';
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
  /** Rows that it has now; of a column that is looked up, those that were looked up. */
  rows: number;
  lastRun: { at: string; rows: number; credits: number; saved: number };
  /** Credits that people's runs and bulk requests have cost. */
  credits: number;
  ageDays: number;
  /** A frozen table is plain values: nothing refreshes it. */
  frozen: boolean;
  /** It has a column of ids: rows can be updated, and whole records be added. */
  hasIds: boolean;
  /** It can't be found any more: why. */
  gone?: string;
  /** Its sheet was deleted; it can be moved to a new one. */
  sheetDeleted?: boolean;
  /** Id of the bulk request whose rows it shows or waits for. */
  request?: string;
  /** It refreshes by itself: how often, whether that goes on, and the credits that it has cost this month. */
  autoRefresh?: Pick<Schedule, 'every' | 'state'> & { spent: number };
}

/** What a refresh would do and cost. */
export interface RefreshPlan {
  rows: number;
  /** At most. */
  credits: number;
  approval: Approval;
  willOverwrite?: Overwrite;
  warnings: string[];
}
