// Schedules of registered tables. Times are milliseconds since 1970.
import { isNotNull } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Query } from '../../shared/api/query.ts';
import type { Interval, Schedule } from '../../shared/api/schedules.ts';
import { intervals } from '../../shared/limits.ts';
import { isOneOf } from './columns.ts';
import type { StoredProblem } from './registered-tables.ts';
import { teams } from './teams.ts';

const scheduleStates = ['on', 'paused', 'stopped'] as const satisfies readonly Schedule['state'][];

export const schedules = sqliteTable(
  'schedules',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    tableId: text('table_id').notNull(),
    /** The token that pays. */
    tokenId: text('token_id').notNull(),
    every: text().$type<Interval>().notNull(),
    /** Credits that one run may cost. */
    maxCredits: integer('max_credits').notNull(),
    /** Of a table whose rows a data request brought: what that asked for. */
    query: text({ mode: 'json' }).$type<Query>(),
    state: text().$type<Schedule['state']>().notNull(),
    /** Why it stopped by itself. */
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    /** When it runs next, or was to run where a run is under way; null where neither is. */
    nextAt: integer('next_at'),
    /** The run that is under way. */
    runId: text('run_id'),
    /** Until then somebody works on it. */
    leasedUntil: integer('leased_until'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.tableId] }),
    check('schedules_every', isOneOf(table.every, intervals)),
    check('schedules_state', isOneOf(table.state, scheduleStates)),
    index('schedules_due').on(table.nextAt).where(isNotNull(table.nextAt)),
  ],
);
export type ScheduleRow = typeof schedules.$inferSelect;
