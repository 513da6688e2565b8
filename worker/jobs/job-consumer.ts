// Who does the work that nobody waits for: what a message of the queue names, and what is found due each minute.

import { DeadLetterRepository } from '../data-requests/dead-letters.ts';
import type { DeadLetterRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { logError } from '../http/log.ts';
import { runAlertJob } from '../tables/alerts/send-message.ts';
import { sweepAlerts } from '../tables/alerts/sweep.ts';
import { type JobKind, type JobMessage, jobMessageSchema } from '../tables/job-message.ts';
import { runPush } from '../tables/push/run-push.ts';
import { runSchedule } from '../tables/schedules/run-schedule.ts';
import { sweepSchedules } from '../tables/schedules/sweep.ts';
import { sweepTables } from '../tables/sweep.ts';
import { sweepExpiredRows } from './retention.ts';

/** A kind of work. */
interface JobHandler {
  /** Does what there is to do for an id: nothing where that was done, or somebody else is at it. */
  run: <E extends Env>(context: JobContext<E>, id: string) => Promise<void>;
  /** As what the admin finds a message that could not be worked on; absent where the sweep alone goes on with it. */
  deadLetterKind?: DeadLetterRow['kind'];
}

/** Who does what a message names. */
const handlers: Readonly<Record<JobKind, JobHandler>> = {
  push: { run: runPush, deadLetterKind: 'push' },
  schedule: { run: runSchedule },
  alert: { run: runAlertJob },
};

/** Each finds what is due of its own, and tidies up. */
const sweeps: readonly (<E extends Env>(context: JobContext<E>, isStart: boolean) => Promise<void>)[] = [
  sweepTables,
  sweepSchedules,
  sweepAlerts,
  sweepExpiredRows,
];

/** The names under which the platform calls this Worker for the queue, and for what failed too often there; wrangler.toml has them. */
const JOB_QUEUE = /-jobs(-dead)?$/;
const DEAD_QUEUE = /-dead$/;

/** Is this the queue of work, or of what failed there? */
export const isJobQueue = (name: string): boolean => JOB_QUEUE.test(name);

/** Takes a batch of the queue, its messages side by side, or of what failed too often there. */
export async function consumeJobs<E extends Env>(batch: MessageBatch, context: JobContext<E>): Promise<void> {
  const take = DEAD_QUEUE.test(batch.queue) ? deadLetter : runJob;
  await Promise.all(
    batch.messages.map(async (message) => {
      const read = jobMessageSchema.safeParse(message.body);
      if (!read.success) return message.ack();
      try {
        await take(context, read.data, message.id);
        message.ack();
      } catch (error) {
        logError('job_failed', error, { kind: read.data.kind });
        message.retry();
      }
    }),
  );
}

function runJob<E extends Env>(context: JobContext<E>, { kind, id }: JobMessage): Promise<void> {
  return handlers[kind].run(context, id);
}

async function deadLetter<E extends Env>(
  { env, platform }: JobContext<E>,
  { kind, id: requestId }: JobMessage,
  id: string,
): Promise<void> {
  const { deadLetterKind } = handlers[kind];
  if (deadLetterKind === undefined) return;
  const error = 'It could not be worked on.';
  await new DeadLetterRepository(env.DB).insert({
    id,
    at: platform.now(),
    kind: deadLetterKind,
    requestId,
    body: '',
    error,
    replayedAt: null,
  });
}

/**
 * Finds all work that is due. Never throws: what fails is logged, and due again in a minute.
 * @param isStart - an instance has just started: nobody works on anything yet
 */
export async function runSweeps<E extends Env>(context: JobContext<E>, isStart = false): Promise<void> {
  const done = await Promise.allSettled(sweeps.map((sweep) => sweep(context, isStart)));
  for (const result of done) {
    if (result.status === 'rejected') logError('sweep_failed', result.reason);
  }
}
