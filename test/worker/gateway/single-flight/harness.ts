// A flight on a Durable Object's real storage, in a world of the test's making: clock, chance, provider, gate, ledger and KV.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Family, KeyKind } from '../../../../shared/families/index.ts';
import { findRecordOperation } from '../../../../shared/operations.ts';
import { readLifetimePolicy } from '../../../../worker/gateway/cache/freshness.ts';
import type { Payer } from '../../../../worker/gateway/provider-call.ts';
import { buildRecordCall } from '../../../../worker/gateway/record-call.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';
import { Outbox } from '../../../../worker/gateway/single-flight/outbox.ts';
import { SingleFlight } from '../../../../worker/gateway/single-flight/single-flight.ts';
import type { StoredAnswer } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';
import type { SingleFlightStorage } from '../../../../worker/gateway/single-flight/storage/schema.ts';
import { SingleFlightStore } from '../../../../worker/gateway/single-flight/storage/store.ts';
import type {
  CallRequest,
  CallResult,
  SingleFlightRequest,
} from '../../../../worker/gateway/single-flight/types.ts';
import { Clock } from './clock.ts';
import { FakeKv, FakeLedgers, FakeProvider, FakeThrottle } from './fakes.ts';

export { START } from './clock.ts';

export const IDENTITY = 'scripted';

/** The object from one start to its end. */
interface Instance {
  over: boolean;
  flight: SingleFlight;
  store: SingleFlightStore;
  outbox: Outbox;
}

/** A flight and what surrounds it. */
export class SingleFlightHarness {
  readonly clock = new Clock();
  readonly provider = new FakeProvider();
  readonly ledgers = new FakeLedgers();
  readonly gate = new FakeThrottle();
  readonly kv = new FakeKv();
  readonly publications: { name: string; answer: StoredAnswer }[] = [];
  /** What failed behind everybody's back. */
  readonly errors: unknown[] = [];
  random = 0;
  /** What D1 does. */
  d1: 'up' | 'down' = 'up';
  refused: string[] = [];
  settings: { FRESH_FOR?: string; KEEP_FOR?: string } = {};
  /** When the alarm is set to ring. */
  alarm: number | undefined;
  identity = IDENTITY;
  #upstream = IDENTITY;
  readonly #storage: DurableObjectStorage;
  #life: Instance;
  #ids = 0;
  /** Counts everything that happens at the edges. */
  #events = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#life = this.#open();
  }

  get flight(): SingleFlight {
    return this.#life.flight;
  }

  get store(): SingleFlightStore {
    return this.#life.store;
  }

  get outbox(): Outbox {
    return this.#life.outbox;
  }

  get sql(): SqlStorage {
    return this.#storage.sql;
  }

  /** The provider in use becomes another one. */
  replaceProvider(identity: string): void {
    this.#upstream = identity;
  }

  /** The object ends without a word, and is made anew over what it wrote down. Its alarm is kept. */
  kill(): void {
    this.#life.over = true;
    this.gate.out = 0;
    this.clock.clear();
    for (const sent of [...this.provider.open]) sent.fail(new Error('nobody listens'));
    this.#life = this.#open();
    if (this.store.hasPendingWork()) this.alarm = this.clock.now;
  }

  #open(): Instance {
    const life = { over: false };
    /** Whatever a dead object waits for never comes, and it does nothing any more. */
    const alive = async <T>(work: () => Promise<T> | T): Promise<T> => {
      this.#events += 1;
      if (life.over) return new Promise(() => {});
      try {
        const result = await work();
        if (life.over) return new Promise(() => {});
        return result;
      } catch (error) {
        if (life.over) return new Promise(() => {});
        throw error;
      } finally {
        this.#events += 1;
      }
    };
    const fence = (): void => {
      if (life.over) throw new Error('a dead object writes');
    };
    const storage: SingleFlightStorage = {
      sql: new Proxy(this.#storage.sql, {
        get: (target, name) => {
          fence();
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function'
            ? (...args: unknown[]) => Reflect.apply(value, target, args)
            : value;
        },
      }),
      transactionSync: (work) => {
        fence();
        return this.#storage.transactionSync(work);
      },
    };
    const background = (work: Promise<void>): void => {
      void work.catch((error: unknown) => {
        if (!life.over) this.errors.push(error);
      });
    };
    const after = (ms: number, signal?: AbortSignal) => alive(() => this.clock.after(ms, signal));
    let pseudonyms: Pseudonyms | undefined;
    const store = new SingleFlightStore(storage);
    store.identity = this.identity;
    const outbox = new Outbox(store, {
      settle: (_team, settlements) => alive(() => this.ledgers.settle(settlements)),
      report: (reports) => alive(() => this.gate.report(reports)),
      writeToKv: (write) => alive(() => this.kv.write(write)),
      publish: (_identity, name, answer) => alive(() => void this.publications.push({ name, answer })),
      runInBackground: background,
      after,
      retryLater: () => this.#wake(this.clock.now + 5000),
    });
    const flight = new SingleFlight(store, outbox, {
      now: () => this.clock.now,
      after,
      random: () => this.random,
      newId: () => `reservation-${this.#ids++}`,
      getUpstream: async () => ({
        identity: this.#upstream,
        baseUrl: 'http://provider.example/cdapi',
        apiKey: 'not-a-key',
        fetch: (request) => alive(() => this.#fetch(request)),
      }),
      acquirePermits: (acquire) => alive(() => this.gate.acquire(acquire, this.clock.now)),
      reserve: (team, reservations) =>
        alive(async () => {
          const { settlements, confirm } = outbox.getPendingSettlements(team);
          const reserved = await this.ledgers.reserve(team, reservations, settlements);
          confirm();
          return reserved;
        }),
      getPseudonyms: () =>
        alive(async () => {
          pseudonyms ??= await this.#d1(() => Pseudonyms.load(env.DB));
          return pseudonyms;
        }),
      listErasedKeys: () => alive(() => this.#d1(() => this.refused)),
      lifetime: readLifetimePolicy(this.settings),
      runInBackground: background,
      scheduleAlarm: (at) => this.#wake(at),
    });
    return Object.assign(life, { flight, store, outbox });
  }

  #wake(at: number): void {
    const soonest = Math.max(at, this.clock.now + 1000);
    this.alarm = Math.min(this.alarm ?? Number.POSITIVE_INFINITY, soonest);
  }

  /** What the strict provider refuses must not be taken for a broken connection. */
  #fetch(request: Request): Promise<Response> {
    try {
      return this.provider.fetch(request, this.clock.now);
    } catch (error) {
      this.errors.push(error);
      throw error;
    }
  }

  #d1<T>(work: () => T): T {
    if (this.d1 === 'down') throw new Error('D1 is down');
    return work();
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const before = this.#events;
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#events !== before) quiet = -1;
    }
  }

  /** Lets time pass; the alarm rings when it is due. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now + ms;
    for (;;) {
      await this.settle();
      const ringing = this.alarm !== undefined && this.alarm <= end ? this.alarm : undefined;
      const next = Math.min(this.clock.next ?? Number.POSITIVE_INFINITY, ringing ?? end, end);
      this.clock.moveTo(Math.max(this.clock.now, next));
      if (ringing !== undefined && this.clock.now >= ringing) {
        this.alarm = undefined;
        void this.flight.resume(60_000).then((again) => {
          if (again !== undefined) this.#wake(again);
        });
      }
      await this.settle();
      const over = this.clock.now >= end;
      if (over && (this.alarm ?? Number.POSITIVE_INFINITY) > end) return;
    }
  }

  /** Asks, as one who waits 25 seconds in the formula lane for team `team`, if nothing else is said. */
  ask(calls: CallRequest[], more: Partial<SingleFlightRequest> = {}): PendingResponse {
    const asking: PendingResponse = { rows: undefined };
    void this.flight
      .fetchCalls({
        identity: this.identity,
        calls,
        payer: payer('team'),
        lane: 'formula',
        waitMs: 25_000,
        background: false,
        ...more,
      })
      .then(
        ({ rows }) => {
          asking.rows = rows;
        },
        (error: unknown) => {
          asking.error = error;
        },
      );
    return asking;
  }

  /** Asks, lets it happen, and answers the rows, which must be there by then. */
  async rows(calls: CallRequest[], more: Partial<SingleFlightRequest> = {}): Promise<CallResult[]> {
    const asking = this.ask(calls, more);
    await this.settle();
    if (asking.error !== undefined) throw asking.error;
    if (asking.rows === undefined) throw new Error('no answer yet');
    return asking.rows;
  }
}

/** A question and, when it is there, its answer. */
export interface PendingResponse {
  rows: CallResult[] | undefined;
  error?: unknown;
}

export function payer(team: string, token = `token of ${team}`): Payer {
  return { team, token };
}

/** A call for a record by one of its keys. */
export function call(family: Family, kind: KeyKind, value: string, since = 0): CallRequest {
  const operation = findRecordOperation(family, kind);
  if (operation === undefined) throw new Error(`${family} has no ${kind}`);
  return buildRecordCall(operation, { family, kind, value }, value, since);
}

/** A call for a company by its website: 10 credits. */
export function enrich(website: string, since = 0): CallRequest {
  return call('company_clean', 'website', website, since);
}

/** A company as the provider has it. */
export function company(website: string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    id: Number.parseInt(website.replace(/\D/g, '') || '1', 10),
    name: website,
    websites_main: website,
    ...more,
  });
}

export const missing = (): Response => Response.json({ detail: 'Company not found' }, { status: 404 });

/** Runs a test in a world of its own, in which nothing may fail unheard. */
export async function withHarness(test: (world: SingleFlightHarness) => Promise<void>): Promise<void> {
  const stub = env.SINGLE_FLIGHT.getByName(`world-${crypto.randomUUID()}:0`);
  await runInDurableObject(stub, async (_instance, { storage }) => {
    const world = new SingleFlightHarness(storage);
    await test(world);
    if (world.errors.length > 0) throw world.errors[0];
  });
}
