// Registered tables, changes, pushes and runs of schedules. Times are milliseconds since 1970.
import { isNotNull, isNull } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import type { ArrivalMode, NamedColumn, PushView, TableSource } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { isOneOf } from './columns.ts';
import { teams } from './teams.ts';

/** A problem, with its own texts if the general ones are too vague. */
export interface StoredProblem {
  problem: ProblemCode;
  detail?: string;
  fix?: string;
}

const arrivalModes = ['append', 'update'] as const satisfies readonly ArrivalMode[];

export const tables = sqliteTable(
  'tables',
  {
    id: text().notNull(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    tokenId: text('token_id').notNull(),
    title: text().notNull(),
    family: text().$type<Family>().notNull(),
    spreadsheetId: text('spreadsheet_id').notNull(),
    sheetId: integer('sheet_id').notNull(),
    columns: text({ mode: 'json' }).$type<NamedColumn[]>().notNull(),
    source: text({ mode: 'json' }).$type<TableSource>().notNull(),
    /** Data request that is its source, if it is one. */
    requestId: text('request_id'),
    mode: text().$type<ArrivalMode>().notNull(),
    push: integer({ mode: 'boolean' }).notNull(),
    /** Whether the first push writes the headings into the empty sheet. */
    awaitsHeadings: integer('awaits_headings', { mode: 'boolean' }).notNull(),
    /** The table contains all changes up to this time. */
    asOf: integer('as_of').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.id] }),
    check('tables_mode', isOneOf(table.mode, arrivalModes)),
    index('tables_by_request').on(table.requestId).where(isNotNull(table.requestId)),
  ],
);
export type TableRow = typeof tables.$inferSelect;

const changeKinds = ['request', 'table'] as const;

/** Rows that became ready, in order. */
export const changes = sqliteTable(
  'changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    kind: text({ enum: changeKinds }).notNull(),
    /** Id of the data request or the table. */
    subject: text().notNull(),
    /** Id of the table's run; '' for a data request. */
    run: text().notNull().default(''),
    at: integer().notNull(),
  },
  (table) => [
    check('changes_kind', isOneOf(table.kind, changeKinds)),
    unique().on(table.teamId, table.kind, table.subject, table.run),
    index('changes_by_team').on(table.teamId, table.number),
  ],
);
export type ChangeRow = typeof changes.$inferSelect;

const pushStates = ['waiting', 'done', 'failed'] as const satisfies readonly PushView['state'][];

/** Deliveries of rows that the Worker writes into a spreadsheet. */
export const pushes = sqliteTable(
  'pushes',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    tableId: text('table_id').notNull(),
    /** Id of the data request or table run that stores the rows. */
    rowsId: text('rows_id').notNull(),
    state: text().$type<PushView['state']>().notNull(),
    /** Cursor after the last written rows. */
    after: text(),
    /** Number of written rows. */
    rowsWritten: integer('rows_written').notNull().default(0),
    /** Attempts without progress. */
    attempts: integer().notNull().default(0),
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    check('pushes_state', isOneOf(table.state, pushStates)),
    unique().on(table.teamId, table.tableId, table.rowsId),
  ],
);
export type PushRow = typeof pushes.$inferSelect;

const tableRunStates = ['running', 'done', 'failed'] as const;

/** Runs of schedules. Their rows are stored under their ids, like those of data requests. */
export const tableRuns = sqliteTable(
  'table_runs',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    tableId: text('table_id').notNull(),
    state: text({ enum: tableRunStates }).notNull(),
    /** The run requests records that are new or changed since then. Equal to `startedAt`: it has rows of an assistant instead. */
    since: integer().notNull(),
    /** The data request that delivers the rows, if there is one. */
    requestId: text('request_id'),
    /** Number of pages; null until it is known. */
    pages: integer(),
    /** The last stored page. */
    page: integer().notNull().default(0),
    snapshot: text(),
    rows: integer().notNull().default(0),
    credits: integer().notNull().default(0),
    /** Why it failed or, while it is running, why it waits. */
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    /** When its rows were deleted. */
    clearedAt: integer('cleared_at'),
    /** When a pull or push delivered its rows. */
    deliveredAt: integer('delivered_at'),
  },
  (table) => [
    check('table_runs_state', isOneOf(table.state, tableRunStates)),
    index('table_runs_by_table').on(table.teamId, table.tableId, table.startedAt),
    index('table_runs_by_request').on(table.requestId).where(isNotNull(table.requestId)),
    index('table_runs_with_rows').on(table.startedAt).where(isNull(table.clearedAt)),
    index('table_runs_cleared').on(table.clearedAt).where(isNotNull(table.clearedAt)),
  ],
);
export type TableRunRow = typeof tableRuns.$inferSelect;

/** Names of spreadsheets, as the sidebar last reported them. */
export const spreadsheets = sqliteTable(
  'spreadsheets',
  {
    teamId: text('team_id').notNull(),
    /** Google's id. */
    id: text().notNull(),
    name: text().notNull(),
    seenAt: integer('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.id] })],
);
