// A ledger on a Durable Object's real storage and a real D1, with time and the alarm in the test's hands.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { TeamLedger } from '../../../../worker/gateway/ledger/ledger.ts';
import type {
  Caps,
  Entry,
  Reservation,
  ReserveOutcome,
  Usage,
} from '../../../../worker/gateway/ledger/types.ts';
import type { Platform } from '../../../../worker/gateway/platform.ts';

/** A ledger under test, and what surrounds it. */
export interface Books {
  ledger: TeamLedger;
  team: string;
  /** Milliseconds since 1970. */
  clock: { now: number };
  /** What the alarm is set to. */
  alarm: { at: number | undefined };
  /** The pauses of the ledger, and of others in the same time. */
  after: Platform['after'];
  /** Timers that have not rung, by how long they run. */
  timers: { ms: number; ring: () => void }[];
  /** Moves the clock and lets the alarm ring at each time for which it is set. */
  pass: (ms: number) => Promise<void>;
  /** Opens the same storage anew, as after a kill: nothing in memory is left, the alarm is. */
  open: (db?: D1Database) => TeamLedger;
  sql: SqlStorage;
}

/** A moment in the middle of a day and a month. */
export const NOON = Date.UTC(2026, 8, 15, 12);

/** Runs a test on a ledger of its own. */
export async function withLedger(test: (books: Books) => void | Promise<void>): Promise<void> {
  const team = `ledger-${crypto.randomUUID()}`;
  await runInDurableObject(env.LEDGER.getByName(team), async (_instance, state) => {
    await test(openBooks(state.storage, team));
  });
}

/** Makes books over a storage. */
export function openBooks(storage: DurableObjectStorage, team: string): Books {
  const clock = { now: NOON };
  const alarm: Books['alarm'] = { at: undefined };
  const timers: Books['timers'] = [];
  const after = (ms: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = { ms, ring: resolve };
    timers.push(timer);
    const end = (): void => {
      const at = timers.indexOf(timer);
      if (at >= 0) timers.splice(at, 1);
    };
    signal?.addEventListener('abort', () => {
      end();
      resolve();
    });
    return promise.then(end);
  };
  const make = (db: D1Database): TeamLedger =>
    new TeamLedger(storage, team, {
      platform: { now: () => clock.now, after },
      db,
      setAlarm: (at) => {
        alarm.at = at;
      },
    });
  const books: Books = {
    ledger: make(env.DB),
    team,
    clock,
    alarm,
    after,
    timers,
    sql: storage.sql,
    open: (db = env.DB) => {
      books.ledger = make(db);
      return books.ledger;
    },
    pass: async (ms) => {
      const end = clock.now + ms;
      while (alarm.at !== undefined && alarm.at <= end) {
        clock.now = Math.max(clock.now, alarm.at);
        alarm.at = undefined;
        await books.ledger.alarm();
      }
      clock.now = end;
    },
  };
  return books;
}

let ids = 0;

/** A reservation with an id of its own. */
export function call(credits: number, token = 'token', id = `call-${ids++}`): Reservation {
  return { id, token, operation: 'enrich', family: 'company_clean', subject: 'hmac-of-a', credits };
}

/** So many reservations of one credit. */
export function calls(count: number, token?: string): Reservation[] {
  return Array.from({ length: count }, () => call(1, token));
}

/** What comes of reservations at once. */
export async function reserve(
  { ledger }: Pick<Books, 'ledger'>,
  ...reservations: Reservation[]
): Promise<ReserveOutcome[]> {
  return (await ledger.reserveMany(reservations, 0)).outcomes;
}

/** Holds a price, which must be possible. @returns the reservation's id */
export async function hold({ ledger }: Pick<Books, 'ledger'>, reservation: Reservation): Promise<string> {
  const { outcomes } = await ledger.reserveMany([reservation], 0);
  if (outcomes[0] !== 'held') throw new Error(`It is ${outcomes[0]}.`);
  return reservation.id;
}

/** Sets caps of the team. */
export function setCaps({ ledger }: Pick<Books, 'ledger'>, caps: Partial<Caps>): void {
  ledger.setBudget({ caps: { day: null, month: null, ...caps } });
}

/** All lines of a kind, or all. */
export function lines({ ledger }: Pick<Books, 'ledger'>, kind?: Entry['kind']): Entry[] {
  return ledger.listEntries({ limit: 10_000 }).filter((entry) => kind === undefined || entry.kind === kind);
}

/** Hits of a token on one kind of call. */
export function hits(count: number, saved = count * 10, token = 'token'): Usage {
  return {
    token,
    family: 'company_clean',
    operation: 'enrich',
    outcomes: { hit: count },
    saved,
    latencyMs: count * 2,
  };
}
