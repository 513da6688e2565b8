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
