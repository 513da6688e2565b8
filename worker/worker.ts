// What the platform calls: requests go to the app, messages and the clock to the data requests.
import type { Hono } from 'hono';
import type { Env } from './env.ts';
import type { Edges } from './gateway/edges.ts';
import { AFTER_START } from './requests/after-start.ts';
import { receiveBatch } from './requests/hooks.ts';
import { sweep } from './requests/wake.ts';

/**
 * Makes the Worker of an app.
 * @param edges - time, and the embedded provider where there is one
 */
export function workerOf<E extends Env>(app: Hono<{ Bindings: E }>, edges: Edges<E>) {
  return {
    fetch: app.fetch,
    request: app.request,
    queue: (batch: MessageBatch, env: E) => receiveBatch(batch, env, edges.now),
    scheduled: ({ cron }: ScheduledController, env: E) => sweep(env, cron === AFTER_START, edges),
  };
}
