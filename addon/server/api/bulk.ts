// Results of the sidebar's methods for bulk orders, automatic refreshes and alerts.

import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import type { Enrichment, TableReport } from '../../../shared/api/enrichments.ts';
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { Approval, DeliveryOrder } from '../../../shared/api/sidebar-orders.ts';
import type { PushView } from '../../../shared/api/tables.ts';
import type { NotKeyCounts } from '../../../shared/keys/not-keys.ts';
import type { ProblemSummary } from '../../../shared/problems.ts';
import type { Overwrite } from './runs.ts';

/** The result and price of a bulk order. */
export interface BulkPlan {
  /** Records in the result: at most 10,000. */
  records: number;
  /** Records that the team already bought; free. */
  cached: number;
  /** Maximum price of the others. */
  credits: number;
  approval: Approval;
  creditsPerRecord: number;
  /** Cells of the column that aren't valid keys. */
  invalid: number;
  willOverwrite?: Overwrite;
  /** Warnings before the order, one sentence each. */
  warnings: string[];
}

export interface BulkOrderStatus extends DataRequestView {
  /** The table's title; for orders from elsewhere a description. */
  title: string;
  /** The table of this spreadsheet that receives its rows. */
  tableId?: string;
  /** The current name of that table's sheet. */
  sheet?: string;
  /** Its rows are in that table. */
  written: boolean;
  /** That table waits for its rows: they are written automatically. */
  isAwaited?: true;
  /** The rows of a later order have updated that table. */
  updated?: true;
}

/** The team's bulk orders. */
export interface BulkList {
  /** Newest first. */
  requests: BulkOrderStatus[];
  /** The account to share a spreadsheet with for push; null without push. */
  pushAccount: string | null;
}

/** Finished rows for a table, with the table's title. */
export interface Delivery extends DeliveryOrder {
  title: string;
}

/** The automatic refresh of a table. */
export interface AutoRefresh {
  /** Null if it has none. */
  schedule: Schedule | null;
  push: boolean;
  /** Rows that a person has deleted stay away. */
  skipDeleted: boolean;
  /** What it reports; absent if it can't report. */
  report: TableReport;
  /** Null if nothing was pushed yet. */
  lastPush: PushView | null;
  /** Why nothing is written into the closed sheet until somebody takes the table over. */
  pushProblem?: ProblemSummary;
  pushAccount: string | null;
  /** Why the table can't refresh automatically: cause and next step. */
  obstacle?: string;
}

/** New rows that were filled without a click. */
export interface Fill {
  /** Id for `undo`. */
  runId: string;
  at: string;
  rows: number;
  /** Number of these rows without a record. */
  notFound: number;
  credits: number;
  tables: { id: string; title: string }[];
}

/** The last fill of a table, in the open or the closed sheet. */
export type LastFill = NonNullable<Enrichment['last']> & { notFound?: number; isUndone?: true };

/** How a looked-up table is kept filled. */
export interface EnrichmentState {
  /** Null if it is not. */
  enrichment: Enrichment | null;
  pushAccount: string | null;
  /** Distinct keys in the table, and the most that looking all of them up costs. */
  keys: { count: number; credits: number };
  /** Rows without values: left so, without a valid key, and those filled next with the most that this costs. */
  unfilled: { blank: number; notKeys: NotKeyCounts; waiting: number; credits: number };
  /** The last fill, if it can be undone. */
  undo?: Fill;
  /** The current user's triggers, which fill rows while the sidebar is closed. */
  trigger: TriggerView;
}

/**
 * The current user's triggers in this spreadsheet. `removed` and `denied`: they were switched on, and are gone or no longer
 * permitted. `stopped`: Google ended their last run before its end, as it does without a message if a permission is missing.
 */
export interface TriggerView {
  state: 'on' | 'off' | 'removed' | 'denied' | 'stopped';
  /** When they last ran to the end. */
  lastRun?: string;
}
