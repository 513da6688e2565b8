// The clock of an instance: the local platform keeps no schedules, so somebody has to call them.
import { setTimeout as sleep } from 'node:timers/promises';
import { STARTUP_CRON } from '../../jobs/startup.ts';

const MINUTE_MS = 60_000;
const PATIENCE_MS = 30_000;

async function ring(url: string, cron: string): Promise<void> {
  try {
    const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
  } catch {
    // What is missed now is done in a minute.
  }
}

/**
 * Calls the schedule at once, saying that nothing is being worked on yet, then each minute.
 * @param url - of the instance
 * @param signal - stops it
 */
export async function keepTime(url: string, signal: AbortSignal): Promise<void> {
  await ring(url, STARTUP_CRON);
  while (!signal.aborted) {
    await sleep(MINUTE_MS, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await ring(url, '* * * * *');
  }
}
