// State of the deployment's operation. Times are milliseconds since 1970.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The last run of each cron: its heartbeat. */
export const cronRuns = sqliteTable('cron_runs', {
  /** `minute`. */
  name: text().primaryKey(),
  at: integer().notNull(),
  /** Sweeps that failed in this run, by name: since when they have been failing. */
  failing: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
});
export type CronRunRow = typeof cronRuns.$inferSelect;

/** Operator alerts, one row for each kind that was ever raised. */
export const operatorAlerts = sqliteTable('operator_alerts', {
  kind: text().primaryKey(),
  /** When it began; null after it has ended. */
  since: integer(),
  /** Time of the last message: its beginning, a reminder or its end. */
  notifiedAt: integer('notified_at').notNull(),
  /** How many objects, such as teams, it was about when the last message was sent. */
  level: integer().notNull().default(1),
  /** The undelivered text; null after delivery. */
  pending: text(),
  /** Why the last attempt failed; null if it did not. */
  lastError: text('last_error'),
  attempts: integer().notNull().default(0),
  /** Time of the next attempt; null if nothing is pending. */
  dueAt: integer('due_at'),
});
export type OperatorAlertRow = typeof operatorAlerts.$inferSelect;

/** Restores of this database to an earlier time, and how far what follows them is. */
export const restores = sqliteTable('restores', {
  /** Chosen by the command. */
  id: text().primaryKey(),
  /** The restored time, as far as it is known; entries of the journal before it are in the database. */
  since: integer().notNull(),
  startedAt: integer('started_at').notNull(),
  /** Name of the next step; null if all are complete. */
  step: text(),
  /** Cursor within the step. */
  after: text(),
  /** What the steps have done so far. */
  counts: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
});
export type RestoreRow = typeof restores.$inferSelect;
