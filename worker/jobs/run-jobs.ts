// Background jobs: the queue consumer and the minute cron. A message names a job; its handler leases it and runs the next part.

import type { Hono } from 'hono';
import { createDataRequestService, runDataRequest } from '../data-requests/run-request.ts';
import type { JobKind } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import type { Platform } from '../gateway/platform.ts';
import { logError } from '../http/log.ts';
import { isInMaintenance, RETRY_AFTER_S } from '../http/maintenance.ts';
import { type MetricsPoint, writeMetrics } from '../http/metrics.ts';
import { recordCronRun } from '../operations/cron-runs.ts';
import { sweepOperatorAlerts } from '../operations/operator-alerts.ts';
import { runErasureOfJob } from '../privacy/erase.ts';
import { jobKeySchema, requireNoFailingJobs, sweepJobs } from '../queue/jobs.ts';
import { sendMessage } from '../tables/alerts/send-message.ts';
import { checkBudgets } from '../tables/alerts/team-checks.ts';
import { dataRequestListener } from '../tables/data-request-listener.ts';
import { runEnrichment } from '../tables/enrichments/run-enrichment.ts';
import { runPush } from '../tables/push/run-push.ts';
import { runSchedule } from '../tables/schedules/run-schedule.ts';
import { keepHouse, planHousekeeping } from './retention.ts';
import { STARTUP_CRON } from './startup.ts';

/** Runs the job of an id, unless it is done, not due, or another process runs it. */
type Handler = <E extends Env>(context: JobContext<E>, id: string) => Promise<unknown>;

const handlers: Readonly<Record<JobKind, Handler>> = {
  data_request: (context, id) => {
    const service = createDataRequestService(context.env, context.platform);
    return runDataRequest(context, service, id, dataRequestListener);
  },
  schedule: runSchedule,
  enrichment: runEnrichment,
  push: runPush,
  alert: sendMessage,
  erasure: runErasureOfJob,
  housekeeping: keepHouse,
};

/**
 * What the cron does each minute: it enqueues due jobs, and compares totals that anything may have changed. A check is one step
 * without a state, so it is no job.
 */
const checks: Readonly<
  Record<string, <E extends Env>(context: JobContext<E>, isStart: boolean) => Promise<void>>
> = {
  jobs: async (context, isStart) => {
    await planHousekeeping(context);
    await sweepJobs(context, isStart);
  },
  failing_jobs: ({ env }) => requireNoFailingJobs(env.DB),
  budgets: checkBudgets,
  operator_alerts: sweepOperatorAlerts,
};

/**
 * Runs the jobs that a batch of messages names, concurrently. A message is never repeated: the cron enqueues a job again that has
 * not run.
 */
export async function consumeJobs<E extends Env>(batch: MessageBatch, context: JobContext<E>): Promise<void> {
  const { env, platform } = context;
  const points: MetricsPoint[] = [];
  await Promise.all(
    batch.messages.map(async ({ body }) => {
      const parsed = jobKeySchema.safeParse(body);
      if (!parsed.success) return;
      const { kind, id } = parsed.data;
      const started = platform.now();
      let outcome = 'done';
      try {
        await handlers[kind](context, id);
      } catch (error) {
        outcome = 'failed';
        logError('job_failed', error, { kind });
      }
      points.push({ event: 'job', kind, outcome, ms: platform.now() - started });
    }),
  );
  writeMetrics(env, points);
}

/**
 * Runs the checks of the cron and records the run. Never throws: failures are logged, and the next minute repeats the check.
 * @param isStart - the instance has just started, so no job is in progress
 */
export async function runCron<E extends Env>(context: JobContext<E>, isStart = false): Promise<void> {
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
  await Promise.all(Object.entries(checks).map(([name, check]) => run(name, () => check(context, isStart))));
  await run('heartbeat', () => recordCronRun(env.DB, failed, platform.now()));
  const ms = platform.now() - started;
  const point = (outcome: string, kind = ''): MetricsPoint => ({ event: 'cron', outcome, kind, ms });
  writeMetrics(env, failed.length === 0 ? [point('done')] : failed.map((name) => point('failed', name)));
}

/**
 * Creates the handlers of a Worker.
 * @param platform - clock, timers, randomness, and the sandbox in development
 */
export function createWorker<E extends Env>(app: Hono<{ Bindings: E }>, platform: Platform<E>) {
  const createContext = (env: E, ctx: ExecutionContext): JobContext<E> => ({
    env,
    platform,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  return {
    fetch: app.fetch,
    request: app.request,
    queue: async (batch: MessageBatch, env: E, ctx: ExecutionContext) => {
      if (isInMaintenance(env)) batch.retryAll({ delaySeconds: RETRY_AFTER_S });
      else await consumeJobs(batch, createContext(env, ctx));
    },
    scheduled: async ({ cron }: ScheduledController, env: E, ctx: ExecutionContext) => {
      if (isInMaintenance(env)) return;
      await runCron(createContext(env, ctx), cron === STARTUP_CRON);
    },
  };
}
