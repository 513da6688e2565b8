// The gateway's relational data, as tables; worker/migrations makes them.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A department that spends from one budget. */
export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Milliseconds since 1970. */
  createdAt: integer('created_at').notNull(),
});

/** What a caller shows in place of the provider's key. Only its hash is kept. */
export const tokens = sqliteTable('tokens', {
  id: text().primaryKey(),
  teamId: text('team_id')
    .notNull()
    .references(() => teams.id),
  /** SHA-256 of the token, hexadecimal. */
  hash: text().notNull().unique(),
  /** Its first characters, by which people tell tokens apart. */
  prefix: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
});
