// The Durable Object that holds the account of the sandbox's API key.
import { DurableObject } from 'cloudflare:workers';
import { getObject } from '../../lib/objects.ts';
import { sandboxPlatform } from '../platform.ts';
import { Account, type Admission, type Charge } from './account.ts';
import type { ControlChange, ControlState } from './control.ts';
import type { Call } from './faults.ts';

/** Exposes an {@link Account} over RPC. */
export class SandboxAccount extends DurableObject<unknown> {
  readonly #account: Account;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#account = new Account(ctx.storage, sandboxPlatform.now);
  }

  getState(): ControlState {
    return this.#account.getState();
  }

  applyControl(change: ControlChange): ControlState {
    return this.#account.applyControl(change);
  }

  getClock(): { now: number; runMs: number } {
    return this.#account.getClock();
  }

  admit(call: Call): Admission {
    return this.#account.admit(call);
  }

  charge(credits: number, name?: string): Charge {
    return this.#account.charge(credits, name);
  }
}

export interface AccountBinding {
  SANDBOX_ACCOUNT: DurableObjectNamespace<SandboxAccount>;
  REGION?: string;
}

/** Returns the only account of the sandbox. */
export function getAccount(env: AccountBinding): DurableObjectStub<SandboxAccount> {
  return getObject(env, env.SANDBOX_ACCOUNT, 'account');
}
