// The Worker of the workerd suites: the development Worker, its objects under the tests' clock and with scripted providers.

import { createDevelopment } from '../../worker/development.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { LedgerObject as PlatformLedger } from '../../worker/gateway/ledger/ledger-object.ts';
import { ProviderThrottleObject as PlatformThrottle } from '../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { SingleFlightObject as BaseSingleFlightObject } from '../../worker/gateway/single-flight/single-flight-object.ts';
import { DataRequestWorkflow as PlatformWorkflow } from '../../worker/jobs/data-request-workflow.ts';
import { SandboxAccount as PlatformAccount } from '../../worker/sandbox/account/account-object.ts';
import { SandboxRequests as PlatformRequests } from '../../worker/sandbox/requests/requests-object.ts';
import {
  currentSuite,
  interceptCalls,
  recordViolation,
  scriptedProviders,
  testPlatform,
} from './platform.ts';
import { makeStrict } from './strict/index.ts';

/** The Worker of one suite. It knows nothing of the suites before, whose storage has gone. */
interface Own {
  suite: number;
  development: ReturnType<typeof createDevelopment>;
  /** The provider remembers by its binding what is in a database: each suite has one of its own. */
  database: D1Database;
}

let known: Own | undefined;

function own(env: DevelopmentEnv): Own {
  if (known?.suite !== currentSuite.number) {
    const database = interceptCalls(env.SANDBOX_DB, () => {});
    known = { suite: currentSuite.number, development: createDevelopment(), database };
  }
  return known;
}

const bindingsOf = (env: DevelopmentEnv): DevelopmentEnv => ({ ...env, SANDBOX_DB: own(env).database });

export class SingleFlightObject extends BaseSingleFlightObject<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    const [identity = ''] = (ctx.id.name ?? '').split(':');
    const test = scriptedProviders.get(identity);
    const state = test === undefined ? ctx : makeStrict(ctx, recordViolation);
    super(state, test === undefined ? bindingsOf(env) : test.bindings(env), {
      ...testPlatform,
      sandbox: (bindings) =>
        scriptedProviders.get(identity)?.upstream ?? own(env).development.sandboxUpstream(bindings),
    });
  }
}

export class ProviderThrottleObject extends PlatformThrottle {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, testPlatform);
  }
}

export class LedgerObject extends PlatformLedger {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, testPlatform);
  }
}

export class SandboxAccount extends PlatformAccount {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, bindingsOf(env));
  }
}

export class SandboxRequests extends PlatformRequests {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, bindingsOf(env));
  }
}

export class DataRequestWorkflow extends PlatformWorkflow<DevelopmentEnv> {
  constructor(ctx: ExecutionContext, env: DevelopmentEnv) {
    super(ctx, bindingsOf(env), own(env).development.platform);
  }
}

export default {
  fetch: (request, env, ctx) => own(env).development.worker.fetch(request, bindingsOf(env), ctx),
  queue: (batch, env, ctx) => own(env).development.worker.queue(batch, bindingsOf(env), ctx),
  scheduled: (event, env, ctx) => own(env).development.worker.scheduled(event, bindingsOf(env), ctx),
} satisfies ExportedHandler<DevelopmentEnv>;
