// The Worker that holds the objects: the real classes, each with a way to end it in the middle of its work and to look into
// what it stored.

import { LedgerObject as RealLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { ProviderThrottleObject as RealProviderThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { SingleFlightObject as BaseSingleFlightObject } from '../../../worker/gateway/single-flight/single-flight-object.ts';
import type { FaultsEnv } from './env.ts';
import { dumpStorage, recordStart } from './living.ts';
import { EVICTED } from './probe.ts';

export class SingleFlightObject extends BaseSingleFlightObject {
  constructor(ctx: DurableObjectState, env: FaultsEnv) {
    super(ctx, env);
    recordStart('SINGLE_FLIGHT', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  stored(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export class ProviderThrottleObject extends RealProviderThrottle {
  constructor(ctx: DurableObjectState, env: FaultsEnv) {
    super(ctx, env);
    recordStart('PROVIDER_THROTTLE', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  stored(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export class LedgerObject extends RealLedger {
  constructor(ctx: DurableObjectState, env: FaultsEnv) {
    super(ctx, env);
    recordStart('LEDGER', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  stored(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export { DataRequestWorkflow } from '../../../worker/jobs/data-request-workflow.ts';
export { default } from './control.ts';
export { Probe } from './probe.ts';
