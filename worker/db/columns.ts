// Shared parts of column definitions.
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * Builds the condition of a CHECK: the column has one of some values.
 * @param values - plain words; they become literals, because a CHECK takes no parameters
 */
export function isOneOf(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} IN (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

/** The provider may be working on a data request. Literals, as in the index: SQLite matches no parameters with it. */
export const isRunning = sql`phase IN ('reserved', 'sending', 'submitted', 'running')`;
