// Background jobs: queue consumers and the minute cron.
import { DeadLetterRepository } from '../data-requests/dead-letters.ts';
import { sweepDataRequests } from '../data-requests/sweep.ts';
import type { DeadLetterRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { logError } from '../http/log.ts';
import { type MetricsPoint, writeMetrics } from '../http/metrics.ts';
import { recordCronRun } from '../operations/cron-runs.ts';
import { sweepOperatorAlerts } from '../operations/operator-alerts.ts';
import { sweepErasures } from '../privacy/erase.ts';
import { runAlertJob } from '../tables/alerts/send-message.ts';
import { sweepAlerts } from '../tables/alerts/sweep.ts';
import { runEnrichment, sweepEnrichments } from '../tables/enrichments/run-enrichment.ts';
import { type JobKind, type JobMessage, jobMessageSchema } from '../tables/job-message.ts';
import { runPush } from '../tables/push/run-push.ts';
import { runSchedule } from '../tables/schedules/run-schedule.ts';
import { sweepSchedules } from '../tables/schedules/sweep.ts';
import { sweepTables } from '../tables/sweep.ts';
import { sweepExpiredRows } from './retention.ts';

/** Handles one kind of job. */
interface JobHandler {
  /** Runs the job of an id, unless it is done or another process runs it. */
  run: <E extends Env>(context: JobContext<E>, id: string) => Promise<void>;
  /** Kind of dead letter for a message that failed too often; absent if only sweeps repeat the job. */
  deadLetterKind?: DeadLetterRow['kind'];
}

const handlers: Readonly<Record<JobKind, JobHandler>> = {
  push: { run: runPush, deadLetterKind: 'push' },
  schedule: { run: runSchedule },
  alert: { run: runAlertJob },
  enrichment: { run: runEnrichment },
};

/** Sweeps of the folders: each enqueues its due work and deletes expired data. */
const sweeps: Readonly<
  Record<string, <E extends Env>(context: JobContext<E>, isStart: boolean) => Promise<void>>
> = {
  tables: sweepTables,
  schedules: sweepSchedules,
  enrichments: sweepEnrichments,
  alerts: sweepAlerts,
  retention: sweepExpiredRows,
  erasures: sweepErasures,
  operator_alerts: sweepOperatorAlerts,
  data_requests: ({ env, platform }, isStart) => sweepDataRequests(env, isStart, platform),
};

/** Names of the job queue and of dead-letter queues in wrangler.toml. */
const JOB_QUEUE = /-jobs(-dead)?$/;
const DEAD_QUEUE = /-dead$/;

/** Returns whether a queue is the job queue or its dead-letter queue. */
export const isJobQueue = (name: string): boolean => JOB_QUEUE.test(name);

/** Consumes a batch of the job queue or of its dead-letter queue; its messages run concurrently. */
export async function consumeJobs<E extends Env>(batch: MessageBatch, context: JobContext<E>): Promise<void> {
  const { env, platform } = context;
  const process = DEAD_QUEUE.test(batch.queue) ? deadLetter : runJob;
  const points: MetricsPoint[] = [];
  await Promise.all(
    batch.messages.map(async (message) => {
      const parsed = jobMessageSchema.safeParse(message.body);
      if (!parsed.success) return message.ack();
      const { kind } = parsed.data;
      const started = platform.now();
      const recordOutcome = (outcome: string): void => {
        points.push({ event: 'job', kind, outcome, ms: platform.now() - started });
      };
      try {
        await process(context, parsed.data, message.id);
        recordOutcome('done');
        message.ack();
      } catch (error) {
        recordOutcome('failed');
        logError('job_failed', error, { kind });
        message.retry();
      }
    }),
  );
  writeMetrics(env, points);
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
  const error = 'Processing failed too often.';
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
 * Runs all sweeps and records the run. Never throws: failures are logged, and the next minute repeats the sweep.
 * @param isStart - the instance has just started, so no job is in progress
 */
export async function runSweeps<E extends Env>(context: JobContext<E>, isStart = false): Promise<void> {
  const { env, platform } = context;
  const started = platform.now();
  const failed: string[] = [];
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.push(name);
      logError('sweep_failed', error, { sweep: name });
    }
  };
  await Promise.all(Object.entries(sweeps).map(([name, sweep]) => run(name, () => sweep(context, isStart))));
  await run('heartbeat', () => recordCronRun(env.DB, failed, platform.now()));
  const ms = platform.now() - started;
  const point = (outcome: string, kind = ''): MetricsPoint => ({ event: 'cron', outcome, kind, ms });
  writeMetrics(env, failed.length === 0 ? [point('done')] : failed.map((name) => point('failed', name)));
}
