// Minute sweep of schedules: enqueues due schedules and deletes old runs.
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { enqueue } from '../job-queue.ts';
import { toJobId } from './run-schedule.ts';
import { RunStore } from './run-store.ts';
import { ScheduleStore } from './store.ts';

/** How long a run is kept after its rows were deleted. */
const HISTORY_MS = 60 * 86_400_000;

/**
 * Runs the sweep.
 * @param isStart - whether the instance has just started: all leases are stale
 */
export async function sweepSchedules<E extends Env>(
  { env, platform }: JobContext<E>,
  isStart: boolean,
): Promise<void> {
  const now = platform.now();
  const store = new ScheduleStore(env.DB);
  if (isStart) await store.releaseAllLeases();
  const due = await store.listDue(now);
  await enqueue(
    env,
    due.map((row) => ({ kind: 'schedule', id: toJobId(row) })),
  );
  await new RunStore(env.DB).deleteClearedBefore(now - HISTORY_MS);
}
