// Searches for a person by name, company and e-mail address. Times are milliseconds since 1970.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Searches of admins in all stored data. A job deletes each some hours after its start. */
export const personSearches = sqliteTable('person_searches', {
  id: text().primaryKey(),
  createdAt: integer('created_at').notNull(),
  /** Entries that were read. */
  searched: integer().notNull().default(0),
  /** Entries that there are; null until they are counted. */
  total: integer(),
  endedAt: integer('ended_at'),
  /** Whether an admin stopped it before its end. */
  isStopped: integer('is_stopped', { mode: 'boolean' }).notNull().default(false),
  /** The terms, the cursor and the people found, as encrypted JSON. */
  state: text().notNull(),
});
export type PersonSearchRow = typeof personSearches.$inferSelect;
