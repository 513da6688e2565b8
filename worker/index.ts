// The Worker's entry, as it is deployed.
import { createApp } from './app.ts';
import type { Env } from './env.ts';
import { platformEdges } from './gateway/edges.ts';
import { runScheduled } from './scheduled.ts';

export { Flight } from './gateway/flight/object.ts';
export { Gate } from './gateway/gate/object.ts';
export { Ledger } from './gateway/ledger/object.ts';

const app = createApp(platformEdges);

export default {
  fetch: app.fetch,
  scheduled: (_event, env) => runScheduled(env, platformEdges.now()),
} satisfies ExportedHandler<Env>;
