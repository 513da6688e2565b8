// Sessions of the admin console. Times are milliseconds since 1970.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Sessions of the console. The audit log names them, so rows stay. */
export const consoleSessions = sqliteTable('console_sessions', {
  /** Public: the audit log and screens show it. */
  id: text().primaryKey(),
  /** SHA-256 of the cookie's secret, hexadecimal. */
  hash: text().notNull().unique(),
  /** E-mail address from Cloudflare Access, encrypted; null if the admin token opened the session. */
  email: text(),
  /** Fingerprint of the admin token or the Access application. The session ends when it is replaced. */
  credential: text().notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at').notNull(),
  endedAt: integer('ended_at'),
});
export type ConsoleSessionRow = typeof consoleSessions.$inferSelect;
