// Connects the handlers of the Worker: requests, queue messages and the cron.
import type { Hono } from 'hono';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import type { Platform } from '../gateway/platform.ts';
import { isInMaintenance, RETRY_AFTER_S } from '../http/maintenance.ts';
import { consumeJobs, runCron } from './run-jobs.ts';
import { STARTUP_CRON } from './startup.ts';

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
