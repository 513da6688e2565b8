// What is said below /sheets/v1 about tables that rows arrive in by themselves, and about what became ready for them.
import type { Family } from './families.ts';
import type { Reason } from './problems.ts';
import type { Query } from './sheets-api.ts';

/** The most registered tables of a team. */
export const maxTables = 200;

/** The most characters of a table's title, and of a heading. */
export const maxTableTitleLength = 200;

/** Where the rows of a registered table come from. */
export type TableSource =
  /** The previews of a search. */
  | { kind: 'search'; query: Query }
  /** The rows of a data request. */
  | { kind: 'request'; request: string };

/** How rows that arrive meet what is there: after it, or into the rows of the same id. */
export type ArrivalMode = 'append' | 'update';

/** A column of a registered table. */
export interface NamedColumn {
  /** Path of the value, such as `name` or `funding_rounds[0].last_round_type`. */
  path: string;
  /** What stands in the heading row; the column is known again by it. */
  heading: string;
}

/** Body of `PUT /sheets/v1/tables/{id}`; the id is a UUID of the caller's making. */
export interface TableBody {
  /** At most {@link maxTableTitleLength} characters. */
  title: string;
  family: Family;
  spreadsheet: {
    /** As in the spreadsheet's address. */
    id: string;
    /** Of the sheet that the table is on, as its address has it behind `gid=`. */
    sheet_id: number;
    /** Where the heading row was seen last, from 1. */
    row: number;
  };
  /** One of them, with the path `id`, tells the rows apart. */
  columns: NamedColumn[];
  source: TableSource;
  mode: ArrivalMode;
  /** The Worker writes into the spreadsheet itself, which has to be shared with `push_account`. */
  push: boolean;
  /** ISO 8601, UTC: until then what is new is in the table. */
  as_of: string;
}

/** What came of the last push into a spreadsheet. */
export interface PushView {
  /** `waiting`: it has not ended. */
  state: 'waiting' | 'done' | 'failed';
  /** ISO 8601, UTC. */
  at: string;
  /** Rows that landed. */
  rows: number;
  problem?: Reason;
}

/** A registered table. */
export interface TableView extends TableBody {
  id: string;
  /** Null where nothing was ever pushed. */
  pushed: PushView | null;
  /** ISO 8601, UTC. */
  created_at: string;
  updated_at: string;
}

/** Answer of `GET /sheets/v1/tables`, the newest first. */
export interface TableList {
  tables: TableView[];
  /** The address that a spreadsheet is shared with so that the Worker can write into it; null where it can't. */
  push_account: string | null;
}

/**
 * Something that became ready. `request`: a data request has ended; its rows are below `requests/{id}/rows`. `table`: a
 * schedule brought rows for a table; they are below `tables/{id}/runs/{run}/rows`.
 */
export type Change =
  | { kind: 'request'; id: string; at: string }
  | { kind: 'table'; id: string; run: string; at: string };

/** The most changes of one answer. */
export const maxChanges = 200;

/** Answer of `GET /sheets/v1/changes?since`, in the order in which they happened; of the last 30 days without `since`. */
export interface ChangeList {
  changes: Change[];
  /** Send it as `since` the next time. */
  cursor: string;
  /** There are more. */
  more: boolean;
}
