// Saved searches, and runs of the add-on. Times are milliseconds since 1970.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Query } from '../../shared/api/query.ts';
import type { Run } from '../../shared/api/saved-searches.ts';
import type { Family } from '../../shared/families/index.ts';
import type { SortField } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { teams, tokens } from './teams.ts';

/** Saved searches of a team or of one token. */
export const searches = sqliteTable(
  'searches',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    /** The owner; null if it belongs to the team. */
    tokenId: text('token_id').references(() => tokens.id),
    name: text().notNull(),
    /** The case-folded name, unique per owner. */
    foldedName: text('folded_name').notNull(),
    family: text().$type<Family>().notNull(),
    query: text({ mode: 'json' }).$type<Query>().notNull(),
    sort: text().$type<SortField>(),
    columns: text({ mode: 'json' }).$type<string[]>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('searches_by_owner').on(
      table.teamId,
      sql`CASE WHEN ${table.tokenId} IS NULL THEN '' ELSE ${table.tokenId} END`,
      table.foldedName,
    ),
  ],
);

/** Runs of the add-on in sheets. */
export const runs = sqliteTable(
  'runs',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    /** Chosen by the caller. */
    id: text().notNull(),
    kind: text().$type<Run['kind']>().notNull(),
    title: text().notNull(),
    family: text().$type<Family>().notNull(),
    rows: integer().notNull(),
    failed: integer().notNull(),
    credits: integer().notNull(),
    saved: integer().notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at').notNull(),
    state: text().$type<Run['state']>().notNull(),
    problem: text().$type<ProblemCode>(),
    /** When the Worker received it. */
    receivedAt: integer('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.id] }),
    index('runs_by_time').on(table.teamId, table.receivedAt),
  ],
);
