// The spreadsheet's formulas, as the sidebar sees them.
import type { Approval } from '../../../shared/api/sidebar-orders.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { NotKeyCounts } from '../../../shared/keys/not-keys.ts';

/** Distinct keys of lookups by what their cells show, and the age of the records. */
export interface LookupState {
  found: number;
  notFound: number;
  /** Keys that the team has not bought. */
  toBuy: number;
  /** What the other texts are that are no keys. */
  notKeys?: NotKeyCounts;
  /** When the oldest record was bought, of those that this spreadsheet fetched in the last six hours. */
  oldest?: string;
}

export interface FormulaEntry {
  name: string;
  column: number;
  /** What its columns hold: their headings, or the fields of the formula; empty if neither is known. */
  fills: string[];
  /** The cells that they fill, such as `B2:C1001`. */
  range: string;
  formulas: number;
  loading: number;
  pending: number;
  /** Number of formulas that can show more after another run. */
  failed: number;
  /** Number of cells by error, as the cells show it. */
  errors: Record<string, number>;
  /** What another run of all would spend; null if it can't be found out before they run. */
  credits: number | null;
  /** The most that it may spend, if `credits` is not known. */
  most?: number;
  /** Absent if the formulas look up no records, or not only by cells, or if it could not be found out. */
  lookup?: LookupState;
  /** The data set of the lookups. A record that the team bought in another one is bought again. */
  family?: Family;
}

export interface FormulaSheet {
  sheetId: number;
  sheet: string;
  /** Whether its formulas may spend credits. */
  spending: boolean;
  /** Number of formulas that look up one cell each. */
  single: number;
  entries: FormulaEntry[];
}

/** The formulas of the spreadsheet, those of the active sheet first. */
export interface FormulaList {
  sheets: FormulaSheet[];
  /** Number of sheets that were not read. */
  unread: number;
  /** The last failed call of a formula or the sidebar, within six hours. */
  lastError?: { at: string; message: string };
}

/** What another run of formulas would spend. */
export interface RerunPlan {
  formulas: number;
  /** The highest price; null if it can't be found out before they run, and one has no `max_credits`. */
  credits: number | null;
  approval: Approval;
}
