// The Worker of the workerd suites: the development Worker, its objects under the tests' clock and with scripted providers.

import { embedded } from '../../worker/development.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { Flight as PlatformFlight } from '../../worker/gateway/flight/object.ts';
import { Gate as PlatformGate } from '../../worker/gateway/gate/object.ts';
import { Ledger as PlatformLedger } from '../../worker/gateway/ledger/object.ts';
import { scripted, testEdges, watchedKv } from './edges.ts';

export class Flight extends PlatformFlight<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    const [identity = ''] = (ctx.id.name ?? '').split(':');
    const test = scripted.get(identity);
    const watching = test === undefined ? env : { ...env, RECORDS: watchedKv(env.RECORDS, test.kv) };
    super(ctx, watching, {
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

export { default, ProviderAccount, ProviderRequests } from '../../worker/development.ts';
