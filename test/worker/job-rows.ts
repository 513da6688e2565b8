// Jobs as tests read and plan them.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type JobKey, type JobKind, type JobRow, jobs } from '../../worker/db/schema.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { putJob, sweepJobs } from '../../worker/queue/jobs.ts';

/** Returns a job; undefined if it has ended. */
export const readJob = (kind: JobKind, id: string): Promise<JobRow | undefined> =>
  drizzle(env.DB)
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, kind), eq(jobs.id, id)))
    .get();

/** Plans a job, or changes its time. */
export async function planJob(kind: JobKind, id: string, dueAt: number | null): Promise<void> {
  await putJob(drizzle(env.DB), { kind, id, dueAt, createdAt: 0 });
}

/** Creates a queue of jobs. @param onMessage - handles a message when it is sent */
export function createQueue(onMessage: (key: JobKey) => unknown): DevelopmentEnv['JOBS'] {
  const sent = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  return {
    ...env.JOBS,
    send: async (body) => {
      await onMessage(body);
      return sent;
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) await onMessage(body);
      return sent;
    },
  };
}

/** Returns the ids of the jobs of a kind that the cron would enqueue, in order. */
export async function listDueJobs(kind: JobKind, now: number, isStart = false): Promise<string[]> {
  const enqueued: string[] = [];
  const JOBS = createQueue((key) => key.kind === kind && enqueued.push(key.id));
  await sweepJobs({ env: { DB: env.DB, JOBS }, platform: { now: () => now } }, isStart);
  return enqueued;
}
