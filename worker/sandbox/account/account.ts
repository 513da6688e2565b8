// The account of a key: what it may spend, how fast it may call, and what has been set for it.
import { type ControlChange, type ControlState, controlDefaults } from './control.ts';
import { type Call, type CountedFault, consumeFault, type Fault, faultList } from './faults.ts';

/** Why a call is not let in. */
export type Refusal = 'rate' | 'credits';

/** What a call is let in with. */
export interface Admission {
  /** Calls in this second of the provider's clock: how many are answered, and how many are left. */
  rate: { limit: number; remaining: number };
  /** Credits that are there. */
  balance: number;
  /** Milliseconds by which the provider's clock is ahead of this machine's. */
  clockOffsetMs: number;
  refusal: Refusal | undefined;
  /** What is to go wrong with this call. */
  fault: Fault | undefined;
}

/** What came of charging. */
export interface Charge {
  /** False if the balance was too low; then nothing was taken. */
  paid: boolean;
  /** Credits that are left. */
  balance: number;
}

/** What a Durable Object's storage gives an account. */
export type AccountStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

type SettingsRow = {
  balance: number;
  rate_per_s: number;
  run_ms: number;
  clock_offset_s: number;
};

const TABLES = `
  CREATE TABLE IF NOT EXISTS settings (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    balance INTEGER NOT NULL CHECK (balance >= 0),
    rate_per_s INTEGER NOT NULL,
    run_ms INTEGER NOT NULL,
    clock_offset_s REAL NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS faults (position INTEGER PRIMARY KEY, fault TEXT NOT NULL, seen INTEGER NOT NULL) STRICT;
  -- Charges that carry a name, so that none is made twice.
  CREATE TABLE IF NOT EXISTS charges (name TEXT PRIMARY KEY, credits INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** An account; all its decisions are made without a pause, so that calls at the same time can't overtake each other. */
export class Account {
  readonly #storage: AccountStorage;
  readonly #now: () => number;
  /** As they stand in the table. */
  #faults: readonly CountedFault[];
  /** The second by the provider's clock in which calls were last let in, and how many. Forgotten with the object. */
  #window = { second: 0, calls: 0 };

  /**
   * @param now - milliseconds since 1970, by this machine's clock
   */
  constructor(storage: AccountStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    const { balance, rate_per_s, run_ms, clock_offset_s } = controlDefaults;
    storage.sql.exec(TABLES);
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

  #settings(): SettingsRow {
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

  /** What is set, with the balance as it is and the faults that are left. */
  getState(): ControlState {
    return { ...this.#settings(), faults: this.#faults.map(({ fault }) => fault) };
  }

  /**
   * Sets what is named and leaves the rest.
   * @returns what is set afterwards
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

  /** The provider's clock, milliseconds since 1970, and how long data requests run. */
  getClock(): { now: number; runMs: number } {
    const { clock_offset_s, run_ms } = this.#settings();
    return { now: this.#now() + toMilliseconds(clock_offset_s), runMs: run_ms };
  }

  /**
   * Lets a call in or not. A refused call counts for nothing and runs into no fault.
   */
  admit(call: Call): Admission {
    const { balance, rate_per_s: limit, clock_offset_s } = this.#settings();
    const clockOffsetMs = toMilliseconds(clock_offset_s);
    const second = Math.floor((this.#now() + clockOffsetMs) / 1000);
    if (second !== this.#window.second) this.#window = { second, calls: 0 };
    const refused = this.#window.calls >= limit;
    if (!refused) this.#window.calls += 1;
    const admission = {
      rate: { limit, remaining: Math.max(limit - this.#window.calls, 0) },
      balance,
      clockOffsetMs,
      fault: undefined,
    };
    if (refused) return { ...admission, refusal: 'rate' };
    if (balance < call.credits) return { ...admission, refusal: 'credits' };
    return { ...admission, refusal: undefined, fault: this.#nextFault(call) };
  }

  #nextFault(call: Call): Fault | undefined {
    if (this.#faults.length === 0) return undefined;
    const { taken, left } = consumeFault(this.#faults, call);
    this.#saveFaults(left);
    return taken;
  }

  /**
   * Takes credits, if there are enough: check and charge are one step.
   * @param name - a charge of the same name is made once, however often it is asked for
   */
  charge(credits: number, name?: string): Charge {
    const { sql } = this.#storage;
    return this.#storage.transactionSync(() => {
      const known =
        name !== undefined && sql.exec('SELECT 1 FROM charges WHERE name = ?', name).toArray().length > 0;
      const taken =
        known ||
        sql
          .exec('UPDATE settings SET balance = balance - ?1 WHERE balance >= ?1 RETURNING balance', credits)
          .toArray().length > 0;
      if (taken && !known && name !== undefined) {
        sql.exec('INSERT INTO charges (name, credits) VALUES (?, ?)', name, credits);
      }
      return { paid: taken, balance: this.#settings().balance };
    });
  }
}
