// Deletes rows of D1 that have been kept long enough. Each folder exports the rules of its own tables.
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

const DAY_MS = 86_400_000;
/** Rows that one run deletes by a rule. */
const ROWS_PER_RUN = 1000;

/** Says which rows of a table are deleted. */
export interface RetentionRule {
  table: SQLiteTable;
  /** The columns of the primary key. */
  key: readonly SQLiteColumn[];
  /** Holds for rows that a time, in milliseconds since 1970, makes too old. */
  isExpired: (before: number) => SQL | undefined;
  /** Days before now of that time. */
  days: number;
}

/**
 * Deletes expired rows in one batch. The order of the rules matters: dependent rows go first.
 * @param now - milliseconds since 1970
 */
export async function deleteExpiredRows(
  db: D1Database,
  rules: readonly RetentionRule[],
  now: number,
): Promise<void> {
  const orm = drizzle(db);
  const [first, ...rest] = rules.map(({ table, key, isExpired, days }) => {
    const columns = sql.join([...key], sql`, `);
    // D1 deletes without LIMIT, and drizzle compares no tuples.
    const expired = sql`SELECT ${columns} FROM ${table} WHERE ${isExpired(now - days * DAY_MS)} LIMIT ${ROWS_PER_RUN}`;
    return orm.delete(table).where(sql`(${columns}) IN (${expired})`);
  });
  if (first !== undefined) await orm.batch([first, ...rest]);
}
