// What the script answers the sidebar's page about bulk requests, tables that refresh by themselves, and alerts.
import type { RequestView } from '../../../shared/api/data-requests.ts';
import type { Alert, Schedule } from '../../../shared/api/schedules.ts';
import type { Approval, ArrivalOrder } from '../../../shared/api/sidebar-orders.ts';
import type { PushView } from '../../../shared/api/tables.ts';
import type { Overwrite, Progress } from './runs.ts';

/** What a bulk request would bring and cost. */
export interface BulkPlan {
  /** Records that are asked for: at most 10,000. */
  records: number;
  /** Of these: records that the team already bought; free. */
  cached: number;
  /** What the others cost at most. */
  credits: number;
  approval: Approval;
  /** Credits of one record. */
  creditsPerRecord: number;
  /** Of a column: cells that can't be read as keys. */
  invalid: number;
  willOverwrite?: Overwrite;
  /** What to know before: one sentence each. */
  warnings: string[];
}

/** A bulk request, as this spreadsheet knows it. */
export interface BulkOrderStatus extends RequestView {
  /** What people call it; of one that was made elsewhere, what it is. */
  title: string;
  /** The table of this spreadsheet that its rows go to. */
  tableId?: string;
  /** The sheet of that table, as it is called now. */
  sheet?: string;
  /** Its rows are in that table. */
  written: boolean;
}

/** The team's bulk requests. */
export interface BulkList {
  /** The newest first. */
  requests: BulkOrderStatus[];
  /** The address that a spreadsheet is shared with so that rows arrive while it is closed; null where there is none. */
  pushAccount: string | null;
}

/** Rows that are ready, with the title of their table. */
export interface Delivery extends ArrivalOrder {
  title: string;
}

/** How a table refreshes by itself. */
export interface AutoRefresh {
  /** Null where it does not. */
  schedule: Schedule | null;
  push: boolean;
  /** Null where nothing was ever pushed. */
  pushed: PushView | null;
  pushAccount: string | null;
  /** Why it can't refresh by itself, where it can't: cause and next step. */
  obstacle?: string;
}

/** What the methods about bulk requests, schedules and alerts answer. Every one may be refused as `Reply` says. */
export interface BulkResults {
  planBulk: BulkPlan;
  /** Makes the sheet or heading and the request; its rows come later, through `arrivals`. */
  startBulk: BulkList;
  bulkRequests: BulkList;
  /** An address of server-sent events that opens once: data of each is a `RequestView`. */
  bulkEvents: { url: string };
  /** Before it was sent the credits are given back; after it, nobody watches it any more. */
  stopBulk: { message: string; list: BulkList };
  /** Writes the rows of a request that is ready, for free; the page then calls `step`. */
  writeBulk: Progress;

  /** What became ready for tables of this spreadsheet. */
  arrivals: { arrivals: Delivery[] };
  /**
   * Writes what became ready into its table, for free; the page then calls `step`. `confirm_first` where it would replace
   * rows that were changed by hand meanwhile: `writeBulk` does, once somebody has said so.
   */
  writeArrival: Progress;

  upkeep: AutoRefresh;
  /** Makes a table refresh by itself, or changes how it does; a schedule of null ends it. */
  setUpkeep: AutoRefresh;

  alerts: { alerts: Alert[] };
  addAlert: { alerts: Alert[] };
  /** Sends a test message; `last` of the address says whether it was taken. */
  testAlert: { alerts: Alert[] };
  removeAlert: { alerts: Alert[] };
}
