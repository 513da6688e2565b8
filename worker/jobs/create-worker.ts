// What the platform calls: requests go to the app, messages and the clock to the data requests and to work that nobody waits for.
import type { Hono } from 'hono';
import { receiveBatch } from '../data-requests/provider-webhooks.ts';
import { sweep } from '../data-requests/workflow-instances.ts';
import type { Env } from '../env.ts';
import type { Platform } from '../gateway/platform.ts';
import { isWorkQueue, receiveWork, sweepWork, type WorkRooms } from './job-consumer.ts';
import { AFTER_START } from './startup.ts';

/**
 * Makes the Worker of an app.
 * @param platform - time, and the sandbox where there is one
 */
export function workerOf<E extends Env>(app: Hono<{ Bindings: E }>, platform: Platform<E>) {
  const createContext = (env: E, ctx: ExecutionContext): WorkRooms<E> => ({
    env,
    platform,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  return {
    fetch: app.fetch,
    request: app.request,
    queue: (batch: MessageBatch, env: E, ctx: ExecutionContext) =>
      isWorkQueue(batch.queue)
        ? receiveWork(batch, createContext(env, ctx))
        : receiveBatch(batch, env, platform.now),
    scheduled: async ({ cron }: ScheduledController, env: E, ctx: ExecutionContext) => {
      const isStart = cron === AFTER_START;
      await sweepWork(createContext(env, ctx), isStart);
      await sweep(env, isStart, platform);
    },
  };
}
