// Registered tables and what arrives in them: changes, pushes and runs of schedules. Times are milliseconds since 1970.
import { isNotNull, isNull } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import type { ArrivalMode, NamedColumn, PushView, TableSource } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { isOneOf } from './columns.ts';
import { teams } from './teams.ts';

/** Why something did not go on: in words of its own where the problem's are not enough. */
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
    /** The token that registered it. */
    tokenId: text('token_id').notNull(),
    title: text().notNull(),
    family: text().$type<Family>().notNull(),
    spreadsheetId: text('spreadsheet_id').notNull(),
    sheetId: integer('sheet_id').notNull(),
    headingRow: integer('heading_row').notNull(),
    columns: text({ mode: 'json' }).$type<NamedColumn[]>().notNull(),
    source: text({ mode: 'json' }).$type<TableSource>().notNull(),
    /** Of its source, where that is a data request. */
    requestId: text('request_id'),
    mode: text().$type<ArrivalMode>().notNull(),
    push: integer({ mode: 'boolean' }).notNull(),
    /** Until then what is new is in the table. */
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

/** What became ready, in the order in which it did. */
export const changes = sqliteTable(
  'changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    kind: text({ enum: changeKinds }).notNull(),
    /** Id of the request or the table. */
    subject: text().notNull(),
    /** Of a table the id of its run; '' of a request. */
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

/** Rows on their way into a spreadsheet, written by the Worker. */
export const pushes = sqliteTable(
  'pushes',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    tableId: text('table_id').notNull(),
    /** Under which the rows are kept: id of the data request or of the table's run. */
    rowsId: text('rows_id').notNull(),
    state: text().$type<PushView['state']>().notNull(),
    /** Cursor behind the last rows that landed. */
    after: text(),
    /** Rows that landed. */
    landed: integer().notNull().default(0),
    tries: integer().notNull().default(0),
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** By then somebody is to look after it; null where it has ended. */
    dueAt: integer('due_at'),
  },
  (table) => [
    check('pushes_state', isOneOf(table.state, pushStates)),
    unique().on(table.teamId, table.tableId, table.rowsId),
    index('pushes_due').on(table.dueAt).where(isNotNull(table.dueAt)),
  ],
);
export type PushRow = typeof pushes.$inferSelect;

const tableRunStates = ['running', 'done', 'failed'] as const;

/** Runs of schedules; the rows that they brought are kept under their ids, as those of data requests are. */
export const tableRuns = sqliteTable(
  'table_runs',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    tableId: text('table_id').notNull(),
    state: text({ enum: tableRunStates }).notNull(),
    /** What is new or changed since then was asked for. */
    since: integer().notNull(),
    /** The data request that brings the rows, where one does. */
    requestId: text('request_id'),
    /** How many pages there are; null until they are counted. */
    pages: integer(),
    /** The last page that is in. */
    page: integer().notNull().default(0),
    snapshot: text(),
    rows: integer().notNull().default(0),
    credits: integer().notNull().default(0),
    /** Why it failed; while it is running, what it waits for. */
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    /** When its rows were deleted. */
    clearedAt: integer('cleared_at'),
    /** When a spreadsheet picked up its rows, or a push delivered them. */
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
