// Admins and their sessions of the console. Times are milliseconds since 1970.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AdminRole } from '../../shared/api/admin-roles.ts';

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

/** Admin tokens besides the deployment's ADMIN_TOKEN. The audit log names them, so rows stay. */
export const adminTokens = sqliteTable('admin_tokens', {
  /** Public: the audit log and screens show it. */
  id: text().primaryKey(),
  /** SHA-256 of the token, hexadecimal. */
  hash: text().notNull().unique(),
  name: text().notNull(),
  role: text().$type<AdminRole>().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
});
export type AdminTokenRow = typeof adminTokens.$inferSelect;
