// The gateway with nothing in memory, far from everything: each request gets a new app, and each call of a binding takes longer.
import { createApp } from '../../../../worker/app.ts';
import type { Env } from '../../../../worker/env.ts';
import { createWorker } from '../../../../worker/jobs/run-jobs.ts';
import { systemClock } from '../../../../worker/lib/clock.ts';

export {
  LedgerObject,
  ProviderThrottleObject,
  SingleFlightObject,
} from '../../../../worker/index.ts';

interface ColdEnv extends Env {
  /** Milliseconds that each call takes longer. */
  DISTANCE_MS: string;
}

/** A new isolate leases a share of the minute's calls, so that few of them would use up the limit. */
const leaseOneCall = ([token, request]: unknown[]): unknown[] => [
  token,
  Object.assign({}, request, { calls: 1 }),
];

/** Delays the results of a binding's methods, also of the objects that they return. */
function delay<T extends object>(binding: T, ms: number): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, name === 'lease' ? leaseOneCall(args) : args);
        if (typeof result !== 'object' && typeof result !== 'function') return result;
        if (result === null) return result;
        if (!('then' in result)) return delay(result, ms);
        return scheduler.wait(ms).then(() => result);
      };
    },
  });
}

export default {
  ...createWorker(createApp(systemClock), systemClock),
  fetch: (request, { DB, RECORDS, LEDGER, ...env }, ctx) => {
    const ms = Number(env.DISTANCE_MS);
    const bindings = { DB: delay(DB, ms), RECORDS: delay(RECORDS, ms), LEDGER: delay(LEDGER, ms) };
    return createApp(systemClock).fetch(request, { ...env, ...bindings }, ctx);
  },
} satisfies ExportedHandler<ColdEnv>;
