// Entry point of the deployed Worker.
import { createApp } from './app.ts';
import type { Env } from './env.ts';
import { createWorker } from './jobs/run-jobs.ts';
import { systemClock } from './lib/clock.ts';

export { LedgerObject } from './gateway/ledger/ledger-object.ts';
export { ProviderThrottleObject } from './gateway/provider-throttle/provider-throttle-object.ts';
export { SingleFlightObject } from './gateway/single-flight/single-flight-object.ts';

export default createWorker(createApp(systemClock), systemClock) satisfies ExportedHandler<Env>;
