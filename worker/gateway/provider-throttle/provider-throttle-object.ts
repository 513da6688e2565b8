// The Durable Object that stands before the provider.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { readConfiguredRate } from './pace.ts';
import { ProviderThrottle } from './provider-throttle.ts';
import { ThrottleStore } from './store.ts';
import type { Permit, PermitRequest, Report, ReportResult, ReservationRef, ThrottleState } from './types.ts';

/** The gate, as others call it. See {@link ProviderThrottle} for what the calls do. */
export class ProviderThrottleObject extends DurableObject<Env> {
  readonly #gatekeeper: ProviderThrottle;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#gatekeeper = new ProviderThrottle(
      platform,
      new ThrottleStore(ctx.storage),
      readConfiguredRate(env),
    );
  }

  acquire(acquire: PermitRequest): Promise<Permit> {
    return this.#gatekeeper.acquire(acquire);
  }

  report(reports: Report[]): ReportResult {
    return this.#gatekeeper.report(reports);
  }

  acknowledge(names: ReservationRef[]): void {
    this.#gatekeeper.acknowledge(names);
  }

  getState(): ThrottleState {
    return this.#gatekeeper.getState();
  }
}

/** The gate of a provider, by the provider's identity. */
export function getProviderThrottle(env: Env, identity: string): DurableObjectStub<ProviderThrottleObject> {
  return env.PROVIDER_THROTTLE.getByName(identity);
}
