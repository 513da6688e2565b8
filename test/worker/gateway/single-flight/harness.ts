// Runs a single flight on the real storage of a Durable Object; everything else is a fake or the test's clock.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { readLifetimePolicy } from '../../../../worker/gateway/cache/freshness.ts';
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
import { buildPayer, IDENTITY } from './builders.ts';
import { Clock } from './clock.ts';
import { FakeKv, FakeLedgers, FakeProvider, FakeThrottle } from './fakes.ts';

export { START } from './clock.ts';

/** The object between a start and its end. */
interface Instance {
  hasEnded: boolean;
  singleFlight: SingleFlight;
  store: SingleFlightStore;
  outbox: Outbox;
}

/** A single flight and its fakes. */
export class SingleFlightHarness {
  readonly clock = new Clock();
  readonly provider = new FakeProvider();
  readonly ledgers = new FakeLedgers();
  readonly throttle = new FakeThrottle();
  readonly kv = new FakeKv();
  /** Answers sent to other objects. */
  readonly publications: { name: string; answer: StoredAnswer }[] = [];
  /** Errors of background work. */
  readonly errors: unknown[] = [];
  random = 0;
  isD1Down = false;
  /** Keys that D1 lists as erased. */
  erasedKeys: string[] = [];
  settings: { FRESH_FOR?: string } = {};
  alarm: number | undefined;
  /** Identity of the provider in use. */
  upstreamIdentity = IDENTITY;
  /** Whether the refusal of linked keys never ends. */
  keepsRefusing = false;
  readonly #storage: DurableObjectStorage;
  #instance: Instance;
  #nextId = 0;
  /** Counts the calls of fakes and their responses. */
  #events = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#instance = this.#start();
  }

  get singleFlight(): SingleFlight {
    return this.#instance.singleFlight;
  }

  get store(): SingleFlightStore {
    return this.#instance.store;
  }

  get outbox(): Outbox {
    return this.#instance.outbox;
  }

  get sql(): SqlStorage {
    return this.#storage.sql;
  }

  /** Ends the object at once and starts a new one with its storage and alarm. */
  crash(): void {
    this.#instance.hasEnded = true;
    this.throttle.openPermits = 0;
    this.clock.clear();
    for (const sent of [...this.provider.open]) sent.fail(new Error('the object has ended'));
    this.#instance = this.#start();
    if (this.store.hasPendingWork()) this.alarm = this.clock.now;
  }

  #start(): Instance {
    const lifetime = { hasEnded: false };
    /** Calls a fake. An ended object never gets a response. */
    const call = async <T>(work: () => Promise<T> | T): Promise<T> => {
      this.#events += 1;
      const never = new Promise<T>(() => {});
      if (lifetime.hasEnded) return never;
      try {
        const result = await work();
        return lifetime.hasEnded ? never : result;
      } catch (error) {
        if (lifetime.hasEnded) return never;
        throw error;
      } finally {
        this.#events += 1;
      }
    };
    const runInBackground = (work: Promise<void>): void => {
      void work.catch((error: unknown) => {
        if (!lifetime.hasEnded) this.errors.push(error);
      });
    };
    const sleep = (ms: number, until?: Promise<unknown>) => call(() => this.clock.after(ms, until));
    let pseudonyms: Pseudonyms | undefined;
    const store = new SingleFlightStore(this.#guardStorage(lifetime));
    store.identity = IDENTITY;
    const outbox = new Outbox(store, {
      settle: (_team, settlements) => call(() => this.ledgers.settle(settlements)),
      report: (reports) => call(() => this.throttle.report(reports)),
      writeToKv: (write) => call(() => this.kv.write(write)),
      publish: (_identity, name, answer) => call(() => void this.publications.push({ name, answer })),
      runInBackground,
      sleep,
      retryLater: () => this.#scheduleAlarm(this.clock.now + 5000),
    });
    const singleFlight = new SingleFlight(store, outbox, {
      now: () => this.clock.now,
      sleep,
      random: () => this.random,
      newId: () => `reservation-${this.#nextId++}`,
      getUpstream: async () => ({
        identity: this.upstreamIdentity,
        baseUrl: 'http://provider.example/cdapi',
        apiKey: 'not-a-key',
        fetch: (request) => call(() => this.#fetch(request)),
      }),
      acquirePermits: (request) => call(() => this.throttle.acquire(request, this.clock.now)),
      reserve: (team, reservations) =>
        call(async () => {
          const { settlements, confirm } = outbox.getPendingSettlements(team);
          const result = await this.ledgers.reserve(team, reservations, settlements);
          confirm();
          return result;
        }),
      getPseudonyms: () =>
        call(async () => {
          pseudonyms ??= await this.#readD1(() => Pseudonyms.load(env));
          return pseudonyms;
        }),
      listErasedKeys: () => this.#listErasedKeys(call),
      refuseLinked: () => (this.keepsRefusing ? call(() => new Promise<void>(() => {})) : Promise.resolve()),
      lifetime: readLifetimePolicy(this.settings),
      runInBackground,
      scheduleAlarm: (at) => this.#scheduleAlarm(at),
    });
    return Object.assign(lifetime, { singleFlight, store, outbox });
  }

  async *#listErasedKeys(
    call: <T>(work: () => T | Promise<T>) => Promise<T>,
  ): AsyncGenerator<readonly string[]> {
    yield await call(() => this.#readD1(() => this.erasedKeys));
  }

  /** Storage that throws once its object has ended. */
  #guardStorage(lifetime: { hasEnded: boolean }): SingleFlightStorage {
    const check = (): void => {
      if (lifetime.hasEnded) throw new Error('an ended object uses its storage');
    };
    return {
      sql: new Proxy(this.#storage.sql, {
        get: (target, name) => {
          check();
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function'
            ? (...args: unknown[]) => Reflect.apply(value, target, args)
            : value;
        },
      }),
      transactionSync: (work) => {
        check();
        return this.#storage.transactionSync(work);
      },
    };
  }

  #scheduleAlarm(at: number): void {
    const earliest = Math.max(at, this.clock.now + 1000);
    this.alarm = Math.min(this.alarm ?? earliest, earliest);
  }

  /** Records errors of the fake provider, which the single flight would take for a broken connection. */
  #fetch(request: Request): Promise<Response> {
    try {
      return this.provider.fetch(request);
    } catch (error) {
      this.errors.push(error);
      throw error;
    }
  }

  #readD1<T>(read: () => T): T {
    if (this.isD1Down) throw new Error('D1 is down');
    return read();
  }

  /** Runs until nothing happens any more without the clock. */
  async flush(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const before = this.#events;
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#events !== before) quiet = -1;
    }
  }

  /** Moves the clock and runs the alarms that are due. */
  async advance(ms: number): Promise<void> {
    const end = this.clock.now + ms;
    for (;;) {
      await this.flush();
      const alarm = this.alarm !== undefined && this.alarm <= end ? this.alarm : undefined;
      const next = Math.min(this.clock.next ?? Number.POSITIVE_INFINITY, alarm ?? end, end);
      this.clock.moveTo(Math.max(this.clock.now, next));
      if (alarm !== undefined && this.clock.now >= alarm) {
        this.alarm = undefined;
        void this.singleFlight.resume(60_000).then((resumeAt) => {
          if (resumeAt !== undefined) this.#scheduleAlarm(resumeAt);
        });
      }
      await this.flush();
      if (this.clock.now >= end && (this.alarm ?? Number.POSITIVE_INFINITY) > end) return;
    }
  }

  /** Sends a request: by default of team `team`, in the formula lane, with a deadline of 25 seconds. */
  request(calls: CallRequest[], options: Partial<SingleFlightRequest> = {}): PendingResponse {
    const pending: PendingResponse = { rows: undefined };
    void this.singleFlight
      .fetchCalls({
        identity: IDENTITY,
        calls,
        payer: buildPayer('team'),
        lane: 'formula',
        waitMs: 25_000,
        background: false,
        ...options,
      })
      .then(
        ({ rows }) => {
          pending.rows = rows;
        },
        (error: unknown) => {
          pending.error = error;
        },
      );
    return pending;
  }

  /** Sends a request and returns its results, which must not take any time. */
  async fetch(calls: CallRequest[], options: Partial<SingleFlightRequest> = {}): Promise<CallResult[]> {
    const pending = this.request(calls, options);
    await this.flush();
    if (pending.error !== undefined) throw pending.error;
    if (pending.rows === undefined) throw new Error('no response yet');
    return pending.rows;
  }

  /** Expects, after a few seconds, that so many credits are charged and no reservation, permit or work is left. */
  async expectSettled(spent: number): Promise<void> {
    await this.advance(6000);
    expect({
      spent: this.ledgers.spent,
      unsettled: this.ledgers.unsettled,
      openPermits: this.throttle.openPermits,
      hasPendingWork: this.store.hasPendingWork(),
    }).toEqual({ spent, unsettled: 0, openPermits: 0, hasPendingWork: false });
  }
}

/** A response; undefined until it comes. */
export interface PendingResponse {
  rows: CallResult[] | undefined;
  error?: unknown;
}

/** Runs a test with a new harness and fails it for errors in the background. */
export async function withHarness(test: (harness: SingleFlightHarness) => Promise<void>): Promise<void> {
  const stub = env.SINGLE_FLIGHT.getByName(`harness-${crypto.randomUUID()}:0`);
  await runInDurableObject(stub, async (_instance, { storage }) => {
    const harness = new SingleFlightHarness(storage);
    await test(harness);
    if (harness.errors.length > 0) throw harness.errors[0];
  });
}
