// The spreadsheet's formulas, as the sidebar sees them.
import type { Approval } from '../../../shared/api/sidebar-orders.ts';

/** What lookups would buy now, and the age of their records. */
export interface LookupState {
  /** Number of distinct keys. */
  distinct: number;
  /** Keys whose answer the team has already, also if it is outdated. */
  bought: number;
  /** What another run of all these formulas would spend. */
  credits: number;
  /** When the oldest record was bought, of those that this spreadsheet fetched in the last six hours. */
  oldest?: string;
}

/** Formulas of one function in a column. */
export interface FormulaEntry {
  name: string;
  column: number;
  /** From the first to the last cell, such as `B2:B1001`. */
  range: string;
  formulas: number;
  loading: number;
  pending: number;
  /** Number of formulas that can show more after another run. */
  failed: number;
  /** Number of cells by error, as the cells show it. */
  errors: Record<string, number>;
  /** Absent if the formulas look up no records, or not only by cells, or if it could not be found out. */
  lookup?: LookupState;
}

/** The formulas of a sheet. */
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

/** What another run of the failed formulas would spend. */
export interface RerunPlan {
  formulas: number;
  /** Null if it can't be found out before they run. */
  credits: number | null;
  approval: Approval;
}
