// Deletes expired rows of D1. Each folder exports retention rules for its tables.

import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DAY_MS } from '../../shared/lib/durations.ts';

const ROWS_PER_RUN = 1000;

/** Defines which rows of a table expire. */
export interface RetentionRule {
  table: SQLiteTable;
  key: readonly SQLiteColumn[];
  /** Builds the condition of rows that are older than a time. */
  isExpired: (before: number) => SQL | undefined;
  days: number;
}

/** Deletes expired rows in one batch. Rules of dependent rows must come first. */
export async function deleteExpiredRows(
  db: D1Database,
  rules: readonly RetentionRule[],
  now: number,
): Promise<void> {
  const orm = drizzle(db);
  const [first, ...rest] = rules.map(({ table, key, isExpired, days }) => {
    const columns = sql.join([...key], sql`, `);
    // D1 has no DELETE with LIMIT, and drizzle has no tuple comparison.
    const expired = sql`SELECT ${columns} FROM ${table} WHERE ${isExpired(now - days * DAY_MS)} LIMIT ${ROWS_PER_RUN}`;
    return orm.delete(table).where(sql`(${columns}) IN (${expired})`);
  });
  if (first !== undefined) await orm.batch([first, ...rest]);
}
