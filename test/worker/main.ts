// The Worker of the workerd suites: the development Worker with the tests' clock and scripted providers.
import { createDevelopment } from '../../worker/development.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { LedgerObject as BaseLedgerObject } from '../../worker/gateway/ledger/ledger-object.ts';
import { ProviderThrottleObject as BaseProviderThrottleObject } from '../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { SingleFlightObject as BaseSingleFlightObject } from '../../worker/gateway/single-flight/single-flight-object.ts';
import { SandboxAccount as BaseSandboxAccount } from '../../worker/sandbox/account/account.ts';
import { SandboxRequests as BaseSandboxRequests } from '../../worker/sandbox/requests/requests-object.ts';
import { checkProblem } from './listed-problems.ts';
import {
  consumedJobs,
  countBackgroundWork,
  currentSuite,
  interceptCalls,
  metering,
  metricsDataset,
  recordViolation,
  scriptedProviders,
  testPlatform,
} from './platform.ts';
import { makeStrict } from './strict/index.ts';

/** The Worker of one test file, without state of earlier files. */
interface SuiteWorker {
  suite: number;
  development: ReturnType<typeof createDevelopment>;
  /** The sandbox caches by database binding, so each file has its own wrapper. */
  database: D1Database;
}

let current: SuiteWorker | undefined;

function getSuiteWorker(env: DevelopmentEnv): SuiteWorker {
  if (current?.suite !== currentSuite.number) {
    const database = interceptCalls(env.SANDBOX_DB, () => {});
    current = { suite: currentSuite.number, development: createDevelopment(), database };
  }
  return current;
}

const withSuiteDatabase = (env: DevelopmentEnv): DevelopmentEnv => ({
  ...env,
  SANDBOX_DB: getSuiteWorker(env).database,
});

export class SingleFlightObject extends BaseSingleFlightObject<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    const [identity = ''] = (ctx.id.name ?? '').split(':');
    const provider = scriptedProviders.get(identity);
    const state = provider === undefined ? ctx : makeStrict(ctx, recordViolation, metering.current);
    super(state, provider === undefined ? withSuiteDatabase(env) : provider.wrapBindings(env), {
      ...testPlatform,
      sandbox: (bindings) =>
        scriptedProviders.get(identity)?.upstream ??
        getSuiteWorker(env).development.sandboxUpstream(bindings),
    });
  }
}

/** Makes an object strict while a test measures what it uses. */
const measured = (ctx: DurableObjectState): DurableObjectState =>
  metering.current === undefined ? ctx : makeStrict(ctx, recordViolation, metering.current);

export class ProviderThrottleObject extends BaseProviderThrottleObject {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(measured(ctx), { ...env, METRICS: metricsDataset }, testPlatform);
  }
}

export class LedgerObject extends BaseLedgerObject {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(measured(ctx), env, testPlatform);
  }
}

export class SandboxAccount extends BaseSandboxAccount {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, withSuiteDatabase(env));
  }
}

export class SandboxRequests extends BaseSandboxRequests {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, withSuiteDatabase(env));
  }
}

export default {
  fetch: async (request, env, ctx) => {
    const { worker } = getSuiteWorker(env).development;
    const response = await worker.fetch(request, withSuiteDatabase(env), countBackgroundWork(ctx));
    const { pathname } = new URL(request.url);
    await checkProblem(request.method, pathname, response);
    return response;
  },
  queue: async (batch, env, ctx) => {
    // A job that continued would settle its credits in the ledgers of the next file.
    if (!consumedJobs.mayStart) return;
    const { worker } = getSuiteWorker(env).development;
    await worker.queue(batch, withSuiteDatabase(env), countBackgroundWork(ctx));
  },
  scheduled: (event, env, ctx) =>
    getSuiteWorker(env).development.worker.scheduled(event, withSuiteDatabase(env), countBackgroundWork(ctx)),
} satisfies ExportedHandler<DevelopmentEnv>;
