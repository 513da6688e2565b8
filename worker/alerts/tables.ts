// The tables of alerts; worker/migrations/0007_tables_and_schedules.sql makes them. Times are milliseconds since 1970.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AlertKind } from '../../shared/schedules-api.ts';

export const alerts = sqliteTable('alerts', {
  id: text().primaryKey(),
  teamId: text('team_id').notNull(),
  url: text().notNull(),
  kinds: text({ mode: 'json' }).$type<AlertKind[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  lastAt: integer('last_at'),
  lastDelivered: integer('last_delivered', { mode: 'boolean' }),
});
export type AlertRow = typeof alerts.$inferSelect;

/** Words on their way to an address; the same subject is told once. */
export const alertMessages = sqliteTable('alert_messages', {
  id: text().primaryKey(),
  alertId: text('alert_id').notNull(),
  /** What it is about: `request:<id>`, `run:<id>`, `push:<id>`, `budget:day:2026-11-22:80`. */
  subject: text().notNull(),
  body: text().notNull(),
  tries: integer().notNull().default(0),
  createdAt: integer('created_at').notNull(),
  /** By then it is to be tried; null where it was taken or given up. */
  dueAt: integer('due_at'),
});
export type AlertMessageRow = typeof alertMessages.$inferSelect;
