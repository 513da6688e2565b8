// Counts data requests whose outcome is unclear.
import { and, count, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { requests } from '../db/schema.ts';

/** Counts data requests that have become unclear after a time. @param after - milliseconds since 1970 */
export async function countUnclearRequests(db: D1Database, after: number): Promise<number> {
  const row = await drizzle(db)
    .select({ count: count() })
    .from(requests)
    // Spelt as in the index.
    .where(and(sql`phase = 'unclear'`, gt(requests.endedAt, after)))
    .get();
  return row?.count ?? 0;
}
