// Erasures and erased keys. Times are milliseconds since 1970.
import { isNotNull } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Proofs of erasure. */
export const erasures = sqliteTable(
  'erasures',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** `company`, `employee`, `job` or `post`. */
    subject: text().notNull(),
    /** Reference and requester as JSON, encrypted; null without both. */
    request: text(),
    /** Counts of deleted entries by store. */
    removed: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
    /** When the deletion is visible everywhere; null until it is complete. */
    completeAt: integer('complete_at'),
    /** When the company was allowed again; null while it is refused. */
    allowedAt: integer('allowed_at'),
    /** State of an unfinished erasure, as JSON; null when it is complete, because it contains keys. */
    work: text(),
  },
  (table) => [
    index('erasures_by_completion').on(table.completeAt),
    index('erasures_unfinished').on(table.at).where(isNotNull(table.work)),
  ],
);

/** Permanently refused keys, as HMACs. */
export const erasedKeys = sqliteTable('erased_keys', {
  pseudonym: text().primaryKey(),
  erasureId: text('erasure_id')
    .notNull()
    .references(() => erasures.id),
});
