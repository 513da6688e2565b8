// The Worker's entry, as it is deployed.
import { createApp } from './app.ts';
import type { Env } from './env.ts';
import { platformEdges } from './gateway/edges.ts';
import { workerOf } from './worker.ts';

export { Flight } from './gateway/flight/object.ts';
export { Gate } from './gateway/gate/object.ts';
export { Ledger } from './gateway/ledger/object.ts';
export { RequestWorkflow } from './requests/workflow.ts';

export default workerOf(createApp(platformEdges), platformEdges) satisfies ExportedHandler<Env>;
