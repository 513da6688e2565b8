// Data requests whose charge an admin must decide about: unclear and disputed ones.
import { and, count, eq, gt, notInArray, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { requests } from '../db/schema.ts';
import { selectTeamsDeletedBefore } from '../gateway/auth/team-repository.ts';

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

/** Sums the disputed credits of the data requests of all teams. */
export async function sumDisputedCredits(db: D1Database, now: number): Promise<number> {
  const row = await drizzle(db)
    .select({ credits: sql<number>`coalesce(sum(${requests.disputed}), 0)` })
    .from(requests)
    .where(and(sql`disputed > 0`, notInArray(requests.teamId, selectTeamsDeletedBefore(now))))
    .get();
  return row?.credits ?? 0;
}

/** Records the decision about the disputed credits of a data request. Does nothing for other references. Idempotent. */
export async function settleDisputedRequest(
  db: D1Database,
  { team, reference, accepted }: { team: string; reference: string; accepted: boolean },
): Promise<void> {
  await drizzle(db)
    .update(requests)
    .set({ disputed: 0, ...(accepted ? { charged: sql`${requests.charged} + ${requests.disputed}` } : {}) })
    .where(and(eq(requests.id, reference), eq(requests.teamId, team)));
}
