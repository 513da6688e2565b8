// Erasures and the keys that they refuse. Times are milliseconds since 1970.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Proof that somebody was erased. */
export const erasures = sqliteTable(
  'erasures',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** `company`, `employee`, `job` or `post`. */
    subject: text().notNull(),
    /** What was removed where, as counts. */
    removed: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
    /** When nothing is left anywhere; null until all is removed. */
    goneBy: integer('gone_by'),
  },
  (table) => [index('erasures_by_gone').on(table.goneBy)],
);

/** Keys that are refused from then on, as HMACs. */
export const erasedKeys = sqliteTable('erased_keys', {
  pseudonym: text().primaryKey(),
  erasureId: text('erasure_id')
    .notNull()
    .references(() => erasures.id),
});
