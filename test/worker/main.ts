// The Worker of the workerd suites: the development Worker, its objects under the tests' clock and with scripted providers.

import { embedded } from '../../worker/development.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { Flight as PlatformFlight } from '../../worker/gateway/flight/object.ts';
import { Gate as PlatformGate } from '../../worker/gateway/gate/object.ts';
import { Ledger as PlatformLedger } from '../../worker/gateway/ledger/object.ts';
import { scripted, testEdges, violations } from './edges.ts';
import { makeStrict } from './strict/index.ts';

export class Flight extends PlatformFlight<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    const [identity = ''] = (ctx.id.name ?? '').split(':');
    const test = scripted.get(identity);
    const state = test === undefined ? ctx : makeStrict(ctx, (violation) => violations.push(violation));
    super(state, test === undefined ? env : test.bindings(env), {
      ...testEdges,
      embedded: (own) => scripted.get(identity)?.upstream ?? embedded(own),
    });
  }
}

export class Gate extends PlatformGate {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, testEdges);
  }
}

export class Ledger extends PlatformLedger {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, testEdges);
  }
}

export { default, ProviderAccount, ProviderRequests, RequestWorkflow } from '../../worker/development.ts';
