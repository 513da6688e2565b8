// The deployed Worker, which consumes messages concurrently: locally, a consumer returns before its job has ended.
import type { Env } from '../../../worker/env.ts';
import worker from '../../../worker/index.ts';

export * from '../../../worker/index.ts';

export default {
  ...worker,
  queue: async (batch, env, ctx) => ctx.waitUntil(worker.queue(batch, env, ctx)),
} satisfies ExportedHandler<Env>;
