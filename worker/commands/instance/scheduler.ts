// Triggers the cron schedule of an instance: the local platform has no scheduler.
import { setTimeout as sleep } from 'node:timers/promises';
import { STARTUP_CRON } from '../../jobs/startup.ts';

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 30_000;

async function triggerSchedule(url: string, cron: string): Promise<void> {
  try {
    const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
  } catch {
    // The next run, a minute later, catches up.
  }
}

/**
 * Triggers the start-up cron once, then the minute cron.
 * @param url - the instance's address
 * @param signal - stops the scheduler
 */
export async function runScheduler(url: string, signal: AbortSignal): Promise<void> {
  await triggerSchedule(url, STARTUP_CRON);
  while (!signal.aborted) {
    await sleep(MINUTE_MS, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await triggerSchedule(url, '* * * * *');
  }
}
