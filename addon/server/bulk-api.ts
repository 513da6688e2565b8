// What the sidebar's page asks of the script about bulk requests, tables that refresh by themselves, and alerts.
import type { RequestView } from '../../shared/api/data-requests.ts';
import type { Query } from '../../shared/api/query.ts';
import type { Alert, AlertBody, Schedule, ScheduleBody } from '../../shared/api/schedules.ts';
import type { PushView } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families.ts';
import type { Empty } from './api.ts';
import type { KeySort, Scope } from './tables-api.ts';
import type { Approval, Overwrite, Progress, Start, Target, WriteMode } from './writing-api.ts';

/** What names the records of a bulk request: a search, or the keys in a column. */
export type BulkSource =
  | { by: 'search'; query: Query; limit?: number }
  | { by: 'column'; sheet: string; column: number; sort: KeySort; scope: Scope };

/** A bulk request, and where its rows go. */
export interface BulkOrder {
  family: Family;
  source: BulkSource;
  /** Paths of a record's values, in the order in which they are written; `id` is put before them where it is missing. */
  columns: string[];
  where: Target;
  mode: WriteMode;
  /** What people call it. */
  title: string;
  /** The Worker also writes into the spreadsheet itself, which has to be shared with `pushAccount`. */
  push: boolean;
}

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
  each: number;
  /** Of a column: cells that can't be read as keys. */
  invalid: number;
  willOverwrite?: Overwrite;
  /** What to know before: one sentence each. */
  warnings: string[];
}

/** A bulk request, as this spreadsheet knows it. */
export interface BulkRequest extends RequestView {
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
  requests: BulkRequest[];
  /** The address that a spreadsheet is shared with so that rows arrive while it is closed; null where there is none. */
  pushAccount: string | null;
}

/** Rows that are ready for a table of this spreadsheet and are not in it. */
export interface Arrival {
  tableId: string;
  /** Of the table. */
  title: string;
  /** Id of the bulk request or of the schedule's run that brought them. */
  rowsId: string;
  kind: 'request' | 'table';
}

/** How a table refreshes by itself. */
export interface Upkeep {
  /** Null where it does not. */
  schedule: Schedule | null;
  push: boolean;
  /** Null where nothing was ever pushed. */
  pushed: PushView | null;
  pushAccount: string | null;
  /** Why it can't refresh by itself, where it can't: cause and next step. */
  cannot?: string;
}

/** The methods about bulk requests, schedules and alerts. Every one may be refused as `Reply` says. */
export interface BulkServer {
  planBulk(payload: BulkOrder): BulkPlan;
  /** Makes the sheet or heading and the request; its rows come later, through `arrivals`. */
  startBulk(payload: BulkOrder & Start): BulkList;
  bulkRequests(payload: Empty): BulkList;
  /** An address of server-sent events that opens once: data of each is a `RequestView`. */
  bulkEvents(payload: { id: string }): { url: string };
  /** Before it was sent the credits are given back; after it, nobody watches it any more. */
  stopBulk(payload: { id: string }): { message: string; list: BulkList };
  /** Writes the rows of a request that is ready, for free; the page then calls `step`. */
  writeBulk(payload: {
    id: string;
    where: Target;
    mode: WriteMode;
    columns?: string[];
    title: string;
    confirmed?: boolean;
  }): Progress;

  /** What became ready for tables of this spreadsheet. */
  arrivals(payload: Empty): { arrivals: Arrival[] };
  /**
   * Writes what became ready into its table, for free; the page then calls `step`. `confirm_first` where it would replace
   * rows that were changed by hand meanwhile: `writeBulk` does, once somebody has said so.
   */
  writeArrival(payload: Pick<Arrival, 'tableId' | 'rowsId' | 'kind'>): Progress;

  upkeep(payload: { tableId: string }): Upkeep;
  /** Has a table refresh by itself, or changes how it does; null ends it. */
  setUpkeep(payload: { tableId: string; schedule: ScheduleBody | null; push: boolean }): Upkeep;

  alerts(payload: Empty): { alerts: Alert[] };
  addAlert(payload: AlertBody): { alerts: Alert[] };
  /** Sends a test message; `last` of the address says whether it was taken. */
  testAlert(payload: { id: string }): { alerts: Alert[] };
  removeAlert(payload: { id: string }): { alerts: Alert[] };
}
