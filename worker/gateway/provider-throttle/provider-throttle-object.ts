// The Durable Object that stands before the provider.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { configuredRate } from './pace.ts';
import { Gatekeeper } from './provider-throttle.ts';
import { GateStore } from './store.ts';
import type { Acquire, GateState, Permit, Report, Reported, ReservationName } from './types.ts';

/** The gate, as others call it. See {@link Gatekeeper} for what the calls do. */
export class Gate extends DurableObject<Env> {
  readonly #gatekeeper: Gatekeeper;

  constructor(ctx: DurableObjectState, env: Env, platform: Platform = systemPlatform) {
    super(ctx, env);
    this.#gatekeeper = new Gatekeeper(platform, new GateStore(ctx.storage), configuredRate(env));
  }

  acquire(acquire: Acquire): Promise<Permit> {
    return this.#gatekeeper.acquire(acquire);
  }

  report(reports: Report[]): Reported {
    return this.#gatekeeper.report(reports);
  }

  acknowledge(names: ReservationName[]): void {
    this.#gatekeeper.acknowledge(names);
  }

  state(): GateState {
    return this.#gatekeeper.state();
  }
}

/** The gate of a provider, by the provider's identity. */
export function gateOf(env: Env, identity: string): DurableObjectStub<Gate> {
  return env.GATE.getByName(identity);
}
