// Alert addresses and alert messages. Times are milliseconds since 1970.
import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import type { AlertKind } from '../../shared/api/schedules.ts';
import { defaultBudgetPercents } from '../../shared/limits.ts';
import { teams } from './teams.ts';

export const alerts = sqliteTable(
  'alerts',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    /** Encrypted: tables/alerts/address.ts. */
    url: text().notNull(),
    kinds: text({ mode: 'json' }).$type<AlertKind[]>().notNull(),
    /** Shares of a budget, in percent, at which it is alerted. */
    budgetPercents: text('budget_percents', { mode: 'json' })
      .$type<number[]>()
      .notNull()
      .default([...defaultBudgetPercents]),
    createdAt: integer('created_at').notNull(),
    lastAt: integer('last_at'),
    /** Why the last message was not delivered; null if it was. */
    lastError: text('last_error'),
  },
  (table) => [index('alerts_by_team').on(table.teamId)],
);
export type AlertRow = typeof alerts.$inferSelect;

/** Alert messages. An address gets one message per subject. */
export const alertMessages = sqliteTable(
  'alert_messages',
  {
    id: text().primaryKey(),
    alertId: text('alert_id').notNull(),
    /** Subject: `request:<id>`, `run:<id>`, `push:<id>`, `budget:day:2026-11-22:80`. */
    subject: text().notNull(),
    body: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [unique().on(table.alertId, table.subject)],
);
export type AlertMessageRow = typeof alertMessages.$inferSelect;
