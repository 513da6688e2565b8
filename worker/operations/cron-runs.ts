// The heartbeat of the minute cron, one row in D1.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type CronRunRow, cronRuns } from '../db/schema.ts';

const NAME = 'minute';

/** A run of the cron is late after this time: two runs are missing. */
export const SILENT_AFTER_MS = 180_000;

/** Returns the last run of the cron; undefined before the first one. */
export function getCronRun(db: D1Database): Promise<CronRunRow | undefined> {
  return drizzle(db).select().from(cronRuns).where(eq(cronRuns.name, NAME)).get();
}

/**
 * Records a run of the cron.
 * @param failed - names of the sweeps that failed
 */
export async function recordCronRun(db: D1Database, failed: readonly string[], at: number): Promise<void> {
  const earlier = failed.length === 0 ? {} : ((await getCronRun(db))?.failing ?? {});
  const failing = Object.fromEntries(failed.map((name) => [name, earlier[name] ?? at]));
  await drizzle(db)
    .insert(cronRuns)
    .values({ name: NAME, at, failing })
    .onConflictDoUpdate({ target: cronRuns.name, set: { at, failing } });
}
