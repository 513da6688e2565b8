// Jobs as tests read and plan them.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type JobKind, type JobRow, jobs } from '../../worker/db/schema.ts';
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

/** Returns the ids of the jobs of a kind that the cron would enqueue, in order. */
export async function listDueJobs(kind: JobKind, now: number, isStart = false): Promise<string[]> {
  const enqueued: string[] = [];
  const JOBS: typeof env.JOBS = new Proxy(env.JOBS, {
    get: () => async (messages: readonly { body: { kind: JobKind; id: string } }[]) => {
      for (const { body } of messages) if (body.kind === kind) enqueued.push(body.id);
    },
  });
  await sweepJobs({ env: { DB: env.DB, JOBS }, platform: { now: () => now } }, isStart);
  return enqueued;
}
