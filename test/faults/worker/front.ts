// The deployed Worker. The local platform consumes one message of the queue after the other; a deployment consumes them
// concurrently.
import type { Env } from '../../../worker/env.ts';
import worker from '../../../worker/index.ts';

export * from '../../../worker/index.ts';

export default {
  ...worker,
  queue: async (batch, env, ctx) => ctx.waitUntil(worker.queue(batch, env, ctx)),
} satisfies ExportedHandler<Env>;
