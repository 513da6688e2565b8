// Runs the cron triggers of a Worker: the local platform has no scheduler.
import { setTimeout as sleep } from 'node:timers/promises';
import { STARTUP_CRON } from '../../jobs/startup.ts';

const MINUTE_MS = 60_000;

/**
 * Runs the start-up cron once, then the cron triggers each minute, until the process ends.
 * @param crons - of the wrangler configuration
 * @param trigger - runs the Worker's handler of a cron
 */
export async function runScheduler(
  crons: readonly string[],
  trigger: (cron: string) => Promise<unknown>,
): Promise<void> {
  if (crons.length === 0) return;
  for (let due: readonly string[] = [STARTUP_CRON]; ; due = crons) {
    // The next run, a minute later, repeats a failed one.
    for (const cron of due) void trigger(cron).catch(() => {});
    await sleep(MINUTE_MS, undefined, { ref: false });
  }
}
