// The minute sweep: wakes overdue data requests and deletes expired rows.
import type { Env } from '../env.ts';
import type { Platform } from '../gateway/platform.ts';
import { systemClock } from '../lib/clock.ts';
import { DataRequestRepository } from './repository.ts';
import { createDataRequestService } from './workflow.ts';
import { wakeWorkflow } from './workflow-instances.ts';

/**
 * Data requests that one sweep wakes; each takes at most five calls. All sweeps of a minute are one invocation, which may make a
 * thousand: docs/limits.md.
 */
const WAKES_PER_SWEEP = 60;

/**
 * Wakes overdue data requests, and deletes expired rows.
 * @param all - wakes unfinished data requests that are not due, because a restart has ended all Workflow instances
 */
export async function sweepDataRequests<E extends Env>(
  env: E,
  all: boolean,
  platform: Platform<E> = systemClock,
): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  const due = await store.listDue(all ? undefined : platform.now(), WAKES_PER_SWEEP);
  for (const row of due) await wakeWorkflow(env, row);
  await createDataRequestService(env, platform).deleteExpired();
}
