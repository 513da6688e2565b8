// The Durable Object of the API key's account: balance, rate limit, settings and faults.

import { DurableObject } from 'cloudflare:workers';
import { defined } from '../../../shared/lib/defined.ts';
import { getObject } from '../../lib/objects.ts';
import { sandboxPlatform } from '../platform.ts';
import { type ControlChange, type ControlState, controlDefaults } from './control.ts';
import { type Call, type CountedFault, consumeFault, type Fault, MAX_FAULTS } from './faults.ts';

/** Why the account rejects a call. */
export type Refusal = 'rate' | 'credits';

/** The account's decision about a call. */
export interface Admission {
  /** The rate limit of the current second of the provider's clock, and the calls that are left in it. */
  rate: { limit: number; remaining: number };
  balance: number;
  /** Milliseconds by which the provider's clock is ahead of this machine's. */
  clockOffsetMs: number;
  refusal: Refusal | undefined;
  /** The fault that applies to this call. */
  fault: Fault | undefined;
}

export interface Charge {
  /** False if the balance was too low; then nothing was charged. */
  paid: boolean;
  /** Available credits after the charge. */
  balance: number;
}

type Settings = Omit<ControlState, 'faults'>;

/** Keys of the storage. A fault has its position, a charge its name. */
const SETTINGS = 'settings';
const FAULT = 'fault ';
const CHARGE = 'charge ';

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** The account. Its methods are synchronous, so that concurrent calls can't interleave. */
export class SandboxAccount extends DurableObject<unknown> {
  readonly #now: () => number;
  /** As stored. */
  #settings: Settings;
  #faults: readonly CountedFault[];
  /** The current second of the provider's clock and its admitted calls. Lost when the object is evicted. */
  #window = { second: 0, calls: 0 };

  /** @param now - milliseconds since 1970, by this machine's clock */
  constructor(ctx: DurableObjectState, env: unknown, now = sandboxPlatform.now) {
    super(ctx, env);
    this.#now = now;
    const { faults: _, ...defaults } = controlDefaults;
    this.#settings = ctx.storage.kv.get<Settings>(SETTINGS) ?? defaults;
    this.#faults = Array.from(ctx.storage.kv.list<CountedFault>({ prefix: FAULT }), ([, fault]) => fault);
  }

  #saveSettings(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    this.ctx.storage.kv.put(SETTINGS, this.#settings);
  }

  #saveFaults(faults: readonly CountedFault[]): void {
    const { kv } = this.ctx.storage;
    for (const [key] of [...kv.list({ prefix: FAULT })]) kv.delete(key);
    for (const [position, fault] of faults.entries()) {
      kv.put(FAULT + String(position).padStart(MAX_FAULTS.toString().length, '0'), fault);
    }
    this.#faults = faults;
  }

  /** Returns the settings, the current balance and the remaining faults. */
  getState(): ControlState {
    return { ...this.#settings, faults: this.#faults.map(({ fault }) => fault) };
  }

  /**
   * Changes the given settings and keeps the others.
   * @returns all settings after the change
   */
  applyControl({ faults, ...settings }: ControlChange): ControlState {
    this.#saveSettings(defined(settings));
    if (faults !== undefined) this.#saveFaults(faults.map((fault) => ({ fault, seen: 0 })));
    return this.getState();
  }

  /** Returns the provider's clock in milliseconds since 1970, and how long data requests run. */
  getClock(): { now: number; runMs: number } {
    const { clock_offset_s, run_ms } = this.#settings;
    return { now: this.#now() + toMilliseconds(clock_offset_s), runMs: run_ms };
  }

  /**
   * Admits or rejects a call. A rejected call doesn't count towards the rate limit and triggers no fault.
   */
  admit(call: Call): Admission {
    const { balance, rate_per_s: limit, clock_offset_s } = this.#settings;
    const clockOffsetMs = toMilliseconds(clock_offset_s);
    const second = Math.floor((this.#now() + clockOffsetMs) / 1000);
    if (second !== this.#window.second) this.#window = { second, calls: 0 };
    const isOverLimit = this.#window.calls >= limit;
    if (!isOverLimit) this.#window.calls += 1;
    const admission = {
      rate: { limit, remaining: Math.max(limit - this.#window.calls, 0) },
      balance,
      clockOffsetMs,
      fault: undefined,
    };
    if (isOverLimit) return { ...admission, refusal: 'rate' };
    if (balance < call.credits) return { ...admission, refusal: 'credits' };
    return { ...admission, refusal: undefined, fault: this.#nextFault(call) };
  }

  #nextFault(call: Call): Fault | undefined {
    if (this.#faults.length === 0) return undefined;
    const { match, remaining } = consumeFault(this.#faults, call);
    this.#saveFaults(remaining);
    return match;
  }

  /**
   * Charges credits if the balance covers them. All writes of a charge are stored together.
   * @param name - an idempotency key: a name is charged once
   */
  charge(credits: number, name?: string): Charge {
    const { kv } = this.ctx.storage;
    const isDuplicate = name !== undefined && kv.get(CHARGE + name) !== undefined;
    const paid = isDuplicate || this.#settings.balance >= credits;
    if (paid && !isDuplicate) {
      this.#saveSettings({ balance: this.#settings.balance - credits });
      if (name !== undefined) kv.put(CHARGE + name, credits);
    }
    return { paid, balance: this.#settings.balance };
  }
}

export interface AccountBinding {
  SANDBOX_ACCOUNT: DurableObjectNamespace<SandboxAccount>;
  REGION?: string;
  JURISDICTION?: string;
}

export function getAccount(env: AccountBinding): DurableObjectStub<SandboxAccount> {
  return getObject(env, env.SANDBOX_ACCOUNT, 'account');
}
