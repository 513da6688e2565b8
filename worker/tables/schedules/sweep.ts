// Each minute: finds schedules that are due and that nobody works on, and forgets runs of long ago.
import type { Env } from '../../env.ts';
import type { JobContext } from '../../jobs/job-consumer.ts';
import { enqueue } from '../job-queue.ts';
import { toJobId } from './run-schedule.ts';
import { RunStore } from './run-store.ts';
import { ScheduleStore } from './store.ts';

/** A run is history for so long after its rows are gone. */
const HISTORY_MS = 60 * 86_400_000;

/**
 * Has somebody work on each schedule that is due.
 * @param isStart - an instance has just started: whoever held a schedule before is gone
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
