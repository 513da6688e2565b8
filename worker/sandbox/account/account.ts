// The account of the API key: balance, rate limit, settings and faults.

import { DurableObject } from 'cloudflare:workers';
import { getObject } from '../../lib/objects.ts';
import { sandboxPlatform } from '../platform.ts';
import { type ControlChange, type ControlState, controlDefaults } from './control.ts';
import { type Call, type CountedFault, consumeFault, type Fault, faultList } from './faults.ts';

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

/** The part of a Durable Object's storage that an account uses. */
export type AccountStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

type SettingsRow = {
  balance: number;
  rate_per_s: number;
  run_ms: number;
  clock_offset_s: number;
};

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    balance INTEGER NOT NULL CHECK (balance >= 0),
    rate_per_s INTEGER NOT NULL,
    run_ms INTEGER NOT NULL,
    clock_offset_s REAL NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS faults (position INTEGER PRIMARY KEY, fault TEXT NOT NULL, seen INTEGER NOT NULL) STRICT;
  -- Named charges: each name is charged once.
  CREATE TABLE IF NOT EXISTS charges (name TEXT PRIMARY KEY, credits INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** An account. Its methods are synchronous, so that concurrent calls can't interleave. */
export class Account {
  readonly #storage: AccountStorage;
  readonly #now: () => number;
  /** The contents of the table. */
  #faults: readonly CountedFault[];
  /** The current second of the provider's clock and its admitted calls. Lost when the object is evicted. */
  #window = { second: 0, calls: 0 };

  /**
   * @param now - milliseconds since 1970, by this machine's clock
   */
  constructor(storage: AccountStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    const { balance, rate_per_s, run_ms, clock_offset_s } = controlDefaults;
    storage.sql.exec(SCHEMA);
    storage.sql.exec(
      'INSERT OR IGNORE INTO settings (only, balance, rate_per_s, run_ms, clock_offset_s) VALUES (1, ?, ?, ?, ?)',
      balance,
      rate_per_s,
      run_ms,
      clock_offset_s,
    );
    const rows = storage.sql
      .exec<{ fault: string; seen: number }>('SELECT fault, seen FROM faults ORDER BY position')
      .toArray();
    const faults = faultList.parse(rows.map(({ fault }) => JSON.parse(fault)));
    this.#faults = faults.map((fault, index) => ({ fault, seen: rows[index]?.seen ?? 0 }));
  }

  #readSettings(): SettingsRow {
    return this.#storage.sql
      .exec<SettingsRow>('SELECT balance, rate_per_s, run_ms, clock_offset_s FROM settings')
      .one();
  }

  #saveFaults(faults: readonly CountedFault[]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('DELETE FROM faults');
      faults.forEach(({ fault, seen }, position) => {
        sql.exec(
          'INSERT INTO faults (position, fault, seen) VALUES (?, ?, ?)',
          position,
          JSON.stringify(fault),
          seen,
        );
      });
    });
    this.#faults = faults;
  }

  /** Returns the settings, the current balance and the remaining faults. */
  getState(): ControlState {
    return { ...this.#readSettings(), faults: this.#faults.map(({ fault }) => fault) };
  }

  /**
   * Changes the given settings and keeps the others.
   * @returns all settings after the change
   */
  applyControl({ faults, balance, rate_per_s, run_ms, clock_offset_s }: ControlChange): ControlState {
    this.#storage.sql.exec(
      `UPDATE settings SET balance = coalesce(?, balance), rate_per_s = coalesce(?, rate_per_s),
         run_ms = coalesce(?, run_ms), clock_offset_s = coalesce(?, clock_offset_s)`,
      balance ?? null,
      rate_per_s ?? null,
      run_ms ?? null,
      clock_offset_s ?? null,
    );
    if (faults !== undefined) this.#saveFaults(faults.map((fault) => ({ fault, seen: 0 })));
    return this.getState();
  }

  /** Returns the provider's clock in milliseconds since 1970, and how long data requests run. */
  getClock(): { now: number; runMs: number } {
    const { clock_offset_s, run_ms } = this.#readSettings();
    return { now: this.#now() + toMilliseconds(clock_offset_s), runMs: run_ms };
  }

  /**
   * Admits or rejects a call. A rejected call doesn't count towards the rate limit and triggers no fault.
   */
  admit(call: Call): Admission {
    const { balance, rate_per_s: limit, clock_offset_s } = this.#readSettings();
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
   * Charges credits if the balance covers them; check and charge are one transaction.
   * @param name - an idempotency key: a name is charged once
   */
  charge(credits: number, name?: string): Charge {
    const { sql } = this.#storage;
    return this.#storage.transactionSync(() => {
      const isDuplicate =
        name !== undefined && sql.exec('SELECT 1 FROM charges WHERE name = ?', name).toArray().length > 0;
      const paid =
        isDuplicate ||
        sql
          .exec('UPDATE settings SET balance = balance - ?1 WHERE balance >= ?1 RETURNING balance', credits)
          .toArray().length > 0;
      if (paid && !isDuplicate && name !== undefined) {
        sql.exec('INSERT INTO charges (name, credits) VALUES (?, ?)', name, credits);
      }
      return { paid, balance: this.#readSettings().balance };
    });
  }
}

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
  JURISDICTION?: string;
}

export function getAccount(env: AccountBinding): DurableObjectStub<SandboxAccount> {
  return getObject(env, env.SANDBOX_ACCOUNT, 'account');
}
