// What the platform calls: requests go to the app, messages and the clock to the data requests and to work that nobody waits for.
import type { Hono } from 'hono';
import { receiveBatch } from '../data-requests/provider-webhooks.ts';
import { sweep } from '../data-requests/workflow-instances.ts';
import type { Env } from '../env.ts';
import type { Edges } from '../gateway/platform.ts';
import { isWorkQueue, receiveWork, sweepWork, type WorkRooms } from './job-consumer.ts';
import { AFTER_START } from './startup.ts';

/**
 * Makes the Worker of an app.
 * @param edges - time, and the embedded provider where there is one
 */
export function workerOf<E extends Env>(app: Hono<{ Bindings: E }>, edges: Edges<E>) {
  const roomsOf = (env: E, ctx: ExecutionContext): WorkRooms<E> => ({
    env,
    edges,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  return {
    fetch: app.fetch,
    request: app.request,
    queue: (batch: MessageBatch, env: E, ctx: ExecutionContext) =>
      isWorkQueue(batch.queue) ? receiveWork(batch, roomsOf(env, ctx)) : receiveBatch(batch, env, edges.now),
    scheduled: async ({ cron }: ScheduledController, env: E, ctx: ExecutionContext) => {
      const isStart = cron === AFTER_START;
      await sweepWork(roomsOf(env, ctx), isStart);
      await sweep(env, isStart, edges);
    },
  };
}
