// Schedules of registered tables. Times are milliseconds since 1970.
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Query } from '../../shared/api/query.ts';
import { automationState, type Interval, type Schedule } from '../../shared/api/schedules.ts';
import { intervals } from '../../shared/limits.ts';
import { isOneOf } from './columns.ts';
import type { StoredProblem } from './registered-tables.ts';
import { teams } from './teams.ts';

export const schedules = sqliteTable(
  'schedules',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    tableId: text('table_id').notNull(),
    /** Token that pays. */
    tokenId: text('token_id').notNull(),
    every: text().$type<Interval>().notNull(),
    /** Maximum credits per run. */
    maxCredits: integer('max_credits').notNull(),
    /** The query, if the source of the table is a data request. */
    query: text({ mode: 'json' }).$type<Query>(),
    state: text().$type<Schedule['state']>().notNull(),
    /** Why it was stopped automatically. */
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    /** Time of the next run, or of the current one; null if there is neither. */
    nextAt: integer('next_at'),
    /** The current run. */
    runId: text('run_id'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.tableId] }),
    check('schedules_every', isOneOf(table.every, intervals)),
    check('schedules_state', isOneOf(table.state, automationState.options)),
  ],
);
export type ScheduleRow = typeof schedules.$inferSelect;
