// Results of the sidebar's methods for bulk orders, automatic refreshes and alerts.

import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import type { Enrichment, TableReport } from '../../../shared/api/lists.ts';
import type { Alert, Schedule } from '../../../shared/api/schedules.ts';
import type { Approval, DeliveryOrder } from '../../../shared/api/sidebar-orders.ts';
import type { AssistantCode } from '../../../shared/api/sign-in.ts';
import type { PushView } from '../../../shared/api/tables.ts';
import type { NotKeyCounts } from '../../../shared/keys/not-keys.ts';
import type { ProblemSummary } from '../../../shared/problems.ts';
import type { Overwrite, Progress } from './runs.ts';

/** The result and price of a bulk order. */
export interface BulkPlan {
  /** Records in the result: at most 10,000. */
  records: number;
  /** Records that the team already bought; free. */
  cached: number;
  /** Maximum price of the others. */
  credits: number;
  approval: Approval;
  /** Price of one record in credits. */
  creditsPerRecord: number;
  /** Cells of the column that aren't valid keys. */
  invalid: number;
  willOverwrite?: Overwrite;
  /** Warnings before the order, one sentence each. */
  warnings: string[];
}

/** A bulk order with its table in this spreadsheet. */
export interface BulkOrderStatus extends DataRequestView {
  /** The table's title; for orders from elsewhere a description. */
  title: string;
  /** The table of this spreadsheet that receives its rows. */
  tableId?: string;
  /** The current name of that table's sheet. */
  sheet?: string;
  /** Its rows are in that table. */
  written: boolean;
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
  /** What it reports; absent if it can't report. */
  report: TableReport;
  /** Null if nothing was pushed yet. */
  pushed: PushView | null;
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
  /** Credits charged. */
  credits: number;
  tables: { id: string; title: string }[];
}

/** The last fill of a table, in the open or the closed sheet. */
export type LastFill = NonNullable<Enrichment['last']> & { notFound?: number; isUndone?: true };

/** How a looked-up table is kept filled. */
export interface AutoEnrich {
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

/** Results of the methods for bulk orders, schedules and alerts. Each may fail as `Reply` says. */
export interface BulkResults {
  planBulk: BulkPlan;
  /** Creates the headings and the data request. Its rows come later, as a delivery. */
  startBulk: BulkList;
  bulkRequests: BulkList;
  /** Returns the URL of a server-sent event stream, which opens once. Each event is a `RequestView`. */
  bulkEvents: { url: string };
  /** Stops an order. Before it is sent, its credits are released; afterwards it is no longer watched. */
  stopBulk: { message: string; list: BulkList };
  /** Starts a run that writes the rows of a finished order, for free. The page then calls `step`. */
  writeBulk: Progress;

  /** Lists finished rows for tables of this spreadsheet, and the last fill if it is new and can be undone. */
  deliveries: { deliveries: Delivery[]; filled?: Fill; digest?: string };
  /**
   * Starts a run that writes finished rows into their table, for free. The page then calls `step`. Fails with
   * `confirm_first` if it would replace manual changes; `writeBulk` can confirm that.
   */
  writeDelivery: Progress;

  autoRefresh: AutoRefresh;
  /** Creates, changes or, with a null schedule, ends the automatic refresh of a table. */
  setAutoRefresh: AutoRefresh;

  autoEnrich: AutoEnrich;
  /** Keeps looked-up columns filled, changes how or, with null settings, ends it. */
  setAutoEnrich: AutoEnrich;
  /** Switches the triggers on again. */
  repairTriggers: AutoEnrich;

  /** Creates a code that connects an assistant. */
  assistantCode: AssistantCode;

  alerts: { alerts: Alert[] };
  addAlert: { alerts: Alert[] };
  /** Sends a test message; `last` of the address says whether it was accepted. */
  testAlert: { alerts: Alert[] };
  removeAlert: { alerts: Alert[] };
}
