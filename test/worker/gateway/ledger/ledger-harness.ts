// A ledger on the storage of a real Durable Object and a real D1, with simulated time and alarm.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { it } from 'vitest';
import type { ArchiveBucket } from '../../../../worker/gateway/ledger/archive.ts';
import { Entries } from '../../../../worker/gateway/ledger/entries.ts';
import { LedgerObject } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { openTables } from '../../../../worker/gateway/ledger/schema.ts';
import type {
  Caps,
  Entry,
  Reservation,
  ReserveOutcome,
  Settlement,
  Usage,
} from '../../../../worker/gateway/ledger/types.ts';
import { createUsage } from '../../../../worker/gateway/ledger/usage-buffer.ts';
import type { Clock } from '../../../../worker/lib/clock.ts';

/** A ledger with its simulated environment. */
export interface LedgerBench {
  ledger: LedgerObject;
  team: string;
  /** Milliseconds since 1970. */
  clock: { now: number };
  /** Time of the alarm. */
  alarm: { at: number | undefined };
  /** Timer function of the ledger. */
  sleep: Clock['sleep'];
  /** Pending timers. */
  timers: { ms: number; fire: () => void }[];
  /** Advances the clock, and runs the alarm whenever it is due. */
  advance: (ms: number) => Promise<void>;
  /** Restarts the ledger on the same storage, as after an eviction. The alarm survives. */
  restart: (db?: D1Database) => LedgerObject;
  sql: SqlStorage;
  /** Where the ledger archives entries. */
  bucket: ArchiveBucket;
}

/** A time in the middle of a day and a month. */
export const NOON = Date.UTC(2026, 8, 15, 12);

/** Runs a test on a new ledger. */
export async function withLedger(test: (bench: LedgerBench) => void | Promise<void>): Promise<void> {
  const team = `ledger-${crypto.randomUUID()}`;
  await runInDurableObject(env.LEDGER.getByName(team), async (_instance, state) => {
    await test(createLedgerBench(state));
  });
}

/** Defines a test on a new ledger. */
export function ledgerTest(name: string, test: (bench: LedgerBench) => void | Promise<void>): void {
  it(name, () => withLedger(test));
}

/** Replaces some members of an object. */
function replace<T extends object>(object: T, members: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in members ? members : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A ledger that stores settlements at once. */
class PromptLedger extends LedgerObject {
  override settleMany(settlements: readonly Settlement[]): Promise<void> {
    const stored = super.settleMany(settlements);
    this.countRecords();
    return stored;
  }
}

/** Creates a bench of an open ledger in an object. */
export function createLedgerBench(state: DurableObjectState): LedgerBench {
  const { storage } = state;
  const team = state.id.name ?? '';
  openTables(storage, team);
  const clock = { now: NOON };
  const alarm: LedgerBench['alarm'] = { at: undefined };
  const timers: LedgerBench['timers'] = [];
  const sleep = (ms: number, until?: Promise<unknown>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = { ms, fire: resolve };
    timers.push(timer);
    const end = (): void => {
      const at = timers.indexOf(timer);
      if (at >= 0) timers.splice(at, 1);
    };
    until?.then(() => resolve(), resolve);
    return promise.then(end);
  };
  const setAlarm = (at: number): void => {
    alarm.at = at;
  };
  const deleteAlarm = (): void => {
    alarm.at = undefined;
  };
  // The platform does not accept a proxy of the state itself.
  const value = replace(storage, { setAlarm, deleteAlarm });
  Object.defineProperty(state, 'storage', { value, configurable: true });
  const create = (db: D1Database): LedgerObject =>
    new PromptLedger(
      state,
      { ...env, DB: db, ROWS: replace(env.ROWS, bucket) },
      { now: () => clock.now, sleep },
    );
  const bucket: ArchiveBucket = {
    get: (key) => env.ROWS.get(key),
    put: (key, value) => env.ROWS.put(key, value),
    list: (options) => env.ROWS.list(options),
    delete: (keys) => env.ROWS.delete(keys),
  };
  const bench: LedgerBench = {
    ledger: create(env.DB),
    bucket,
    team,
    clock,
    alarm,
    sleep,
    timers,
    sql: storage.sql,
    restart: (db = env.DB) => {
      bench.ledger = create(db);
      return bench.ledger;
    },
    advance: async (ms) => {
      const end = clock.now + ms;
      while (alarm.at !== undefined && alarm.at <= end) {
        clock.now = Math.max(clock.now, alarm.at);
        alarm.at = undefined;
        await bench.ledger.alarm();
      }
      clock.now = end;
    },
  };
  return bench;
}

/** Creates a D1 whose batches the test controls. */
export function createDatabase(batch: (send: () => Promise<unknown>) => Promise<unknown>): D1Database {
  return new Proxy(env.DB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const send = () => Reflect.apply(value, target, args);
        return name === 'batch' ? batch(send) : send();
      };
    },
  });
}

let ids = 0;

/** Creates a reservation with a unique id. */
export function call(credits: number, token = 'token', id = `call-${ids++}`): Reservation {
  return { id, token, operation: 'enrich', family: 'company_clean', subject: 'hmac-of-a', credits };
}

/** Reserves without waiting. */
export async function reserve(
  { ledger }: Pick<LedgerBench, 'ledger'>,
  ...reservations: Reservation[]
): Promise<ReserveOutcome[]> {
  return (await ledger.reserveMany(reservations, 0)).outcomes;
}

/** Reserves one price, which must succeed. @returns the reservation's id */
export async function reserveOne(
  { ledger }: Pick<LedgerBench, 'ledger'>,
  reservation: Reservation,
): Promise<string> {
  const { outcomes } = await ledger.reserveMany([reservation], 0);
  if (outcomes[0] !== 'reserved') throw new Error(`The outcome is ${outcomes[0]}.`);
  return reservation.id;
}

/** Sets the caps of the team. */
export function setCaps({ ledger }: Pick<LedgerBench, 'ledger'>, caps: Partial<Caps>): void {
  ledger.setBudget({ caps: { day: null, month: null, ...caps } });
}

/** Lists the entries that are not archived, optionally of one kind. */
export function listEntries({ sql }: Pick<LedgerBench, 'sql'>, kind?: Entry['kind']): Entry[] {
  const entries = new Entries(sql).list(0, 10_000);
  return entries.filter((entry) => kind === undefined || entry.kind === kind);
}

/** Creates the usage of cache hits. */
export function hits(count: number, saved = count * 10, token = 'token'): Usage {
  return createUsage(token, {
    family: 'company_clean',
    operation: 'enrich',
    outcomes: { hit: count },
    saved,
    latencyMs: count * 2,
  });
}
