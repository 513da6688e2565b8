// The Durable Object that holds the account of the sandbox's key.
import { DurableObject } from 'cloudflare:workers';
import type { SandboxBindings } from '../bindings.ts';
import { sandboxPlatform } from '../platform.ts';
import { Account, type Admission, type Charge } from './account.ts';
import type { ControlChange, ControlState } from './control.ts';
import type { Call } from './faults.ts';

/** The account, as others call it. See {@link Account} for what the calls do. */
export class SandboxAccount extends DurableObject<SandboxBindings> {
  readonly #account: Account;

  constructor(ctx: DurableObjectState, env: SandboxBindings) {
    super(ctx, env);
    this.#account = new Account(ctx.storage, sandboxPlatform.now);
  }

  state(): ControlState {
    return this.#account.state();
  }

  control(change: ControlChange): ControlState {
    return this.#account.control(change);
  }

  clock(): { now: number; runMs: number } {
    return this.#account.clock();
  }

  admit(call: Call): Admission {
    return this.#account.admit(call);
  }

  charge(credits: number, name?: string): Charge {
    return this.#account.charge(credits, name);
  }
}

/**
 * The one account that a sandbox has.
 */
export function accountOf(env: SandboxBindings): DurableObjectStub<SandboxAccount> {
  return env.SANDBOX_ACCOUNT.getByName('account');
}
