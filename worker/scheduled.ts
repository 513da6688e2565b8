// What the Worker does by the clock.
import type { Env } from './env.ts';
import { forgetExpiredRows } from './gateway/remembered-rows.ts';

/**
 * Runs the work that is due.
 * @param now - milliseconds since 1970
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  await forgetExpiredRows(env.DB, now);
}
