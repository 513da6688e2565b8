// The Worker with the objects: the real classes, extended by methods that abort an object and dump its storage.
import type { Env } from '../../../worker/env.ts';
import { LedgerObject as RealLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { ProviderThrottleObject as RealThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { SingleFlightObject as RealSingleFlight } from '../../../worker/gateway/single-flight/single-flight-object.ts';
import { dumpStorage, recordStart } from './live-objects.ts';

const EVICTED = 'evicted by the test';

export class SingleFlightObject extends RealSingleFlight {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    recordStart('SINGLE_FLIGHT', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  dump(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export class ProviderThrottleObject extends RealThrottle {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    recordStart('PROVIDER_THROTTLE', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  dump(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export class LedgerObject extends RealLedger {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    recordStart('LEDGER', ctx);
  }

  evict(): void {
    this.ctx.abort(EVICTED);
  }

  dump(): string {
    return dumpStorage(this.ctx.storage);
  }
}

export { default } from './control.ts';
