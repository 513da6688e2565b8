// Clients, grants and tokens of assistants that connect by OAuth. Times are milliseconds since 1970.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Entries of the authorization server, which contain only hashes of its codes and tokens. */
export const oauthEntries = sqliteTable(
  'oauth_entries',
  {
    key: text().primaryKey(),
    value: text().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('oauth_entries_by_expiry').on(table.expiresAt)],
);
