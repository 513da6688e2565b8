// A request service on a Durable Object's storage and a real bucket, with fake records, account, clock and receivers.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Family } from '../../../../shared/families/index.ts';
import {
  type RequestContext,
  type RequestInput,
  type RequestQuery,
  SandboxRequests,
} from '../../../../worker/sandbox/requests/requests-object.ts';

/** A request service under test, and its dependencies. */
export interface RequestHarness {
  service: SandboxRequests;
  /** Milliseconds since 1970. `offset` is added to the provider's clock. */
  clock: { now: number; offset: number; runMs: number };
  /** Records by family and id, and ids by shorthand name. */
  records: Map<Family, Map<string, string>>;
  names: Map<string, string>;
  /** Number of ids in each read of records. */
  pageSizes: number[];
  account: { balance: number; charges: Map<string, number>; calls: number };
  /** The result of queries, and the queries so far. */
  query: { ids: string[]; total: number; calls: { query: RequestQuery; limit: number }[] };
  /** Webhooks sent so far, and the receiver's behaviour. */
  webhooks: { sent: { at: number; request: Request; body: unknown }[]; respond: () => Promise<Response> };
  /** Keys of written objects; `before` runs before each write and may fail. */
  puts: { keys: string[]; before: () => Promise<void> };
  /** The time of the next alarm. */
  alarm: { at: number | undefined };
  countRows: () => number;
  /** Opens a new service on the same storage, as after a restart. */
  restart: () => SandboxRequests;
  /** Advances the clock to a time and runs all alarms until then. */
  runUntil: (time: number) => Promise<void>;
  /** Advances the clock by a duration. */
  advance: (ms: number) => Promise<void>;
}

let harnesses = 0;

/** Runs a test with a new request service. */
export async function withRequests(test: (harness: RequestHarness) => Promise<void>): Promise<void> {
  const number = harnesses++;
  const stub = env.SANDBOX_REQUESTS.getByName(crypto.randomUUID());
  await runInDurableObject(stub, async (_instance, state) => {
    let ids = 0;
    const harness: Omit<RequestHarness, 'service'> & { service?: SandboxRequests } = {
      clock: { now: Date.UTC(2026, 8, 1), offset: 0, runMs: 2_000 },
      records: new Map(),
      names: new Map(),
      pageSizes: [],
      account: { balance: 1_000_000, charges: new Map(), calls: 0 },
      query: { ids: [], total: 0, calls: [] },
      webhooks: { sent: [], respond: async () => new Response(null, { status: 204 }) },
      puts: { keys: [], before: async () => {} },
      alarm: { at: undefined },
      countRows: () =>
        state.storage.sql
          .exec<{ rows: number }>(
            `SELECT (SELECT count(*) FROM requests) + (SELECT count(*) FROM requested_keys)
               + (SELECT count(*) FROM parts) AS rows`,
          )
          .one().rows,
      restart: () => new SandboxRequests(state, env, context),
      runUntil: async (time) => {
        while (alarm.at !== undefined && alarm.at <= time) {
          clock.now = Math.max(clock.now, alarm.at);
          alarm.at = undefined;
          await harness.service?.alarm();
          await harness.service?.whenIdle();
        }
        clock.now = time;
      },
      advance: (ms) => harness.runUntil(clock.now + ms),
    };
    const { clock, account, query, webhooks, puts, alarm, names, pageSizes } = harness;
    const getRecords = (family: Family) => harness.records.get(family) ?? new Map<string, string>();
    const context: RequestContext = {
      platform: {
        now: () => clock.now,
        newId: () => `id-${number}-${ids++}`,
        fetch: async (request) => {
          webhooks.sent.push({ at: clock.now, request, body: await request.clone().json() });
          return webhooks.respond();
        },
      },
      store: {
        findByIds: async (family, wanted) => {
          pageSizes.push(wanted.length);
          const found = wanted.map((id) => [id, { id, data: getRecords(family).get(id) ?? '' }] as const);
          return new Map(found.filter(([, { data }]) => data !== ''));
        },
        findExistingIds: async (family, wanted) =>
          new Map(wanted.filter((id) => getRecords(family).has(id)).map((id) => [id, id])),
        findIdsByName: async (_family, wanted) =>
          new Map(wanted.flatMap((name) => (names.has(name) ? [[name, names.get(name) ?? '']] : []))),
      },
      bucket: {
        put: async (key, value) => {
          await puts.before();
          puts.keys.push(key);
          return env.SANDBOX_FILES.put(key, value);
        },
        createMultipartUpload: (key) => env.SANDBOX_FILES.createMultipartUpload(key),
        delete: (keys) => env.SANDBOX_FILES.delete(keys),
      },
      account: {
        getClock: async () => ({ now: clock.now + clock.offset, runMs: clock.runMs }),
        charge: async (credits, name) => {
          account.calls += 1;
          const paid = account.charges.has(name) || account.balance >= credits;
          if (paid && !account.charges.has(name)) {
            account.balance -= credits;
            account.charges.set(name, credits);
          }
          return { paid, balance: account.balance };
        },
      },
      selectIds: async (requestQuery, limit) => {
        query.calls.push({ query: requestQuery, limit });
        return { ids: query.ids.slice(0, limit), total: query.total };
      },
      setAlarm: async (at) => {
        alarm.at = at;
      },
    };
    await test(Object.assign(harness, { service: harness.restart() }));
  });
}

/** Adds records `{"id": n}` to clean companies. */
export function addRecords(harness: RequestHarness, ids: readonly string[]): void {
  harness.records.set('company_clean', new Map(ids.map((id) => [id, JSON.stringify({ id: Number(id) })])));
}

/** Runs a test with a new request service and some clean companies. */
export function withRecords(
  ids: readonly string[],
  test: (harness: RequestHarness) => Promise<void>,
): Promise<void> {
  return withRequests((harness) => {
    addRecords(harness, ids);
    return test(harness);
  });
}

/** Lists the ids from 1. */
export function firstIds(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** Builds an order of clean companies by id. */
export function buildOrder(keys: string[], changes: Partial<RequestInput> = {}): RequestInput {
  const selection = { keys: { kind: 'id' as const, keys } };
  return {
    family: 'company_clean',
    price: 10,
    selection,
    identity: undefined,
    webhook: undefined,
    ...changes,
  };
}

/** Creates a request that must be accepted. */
export async function create(harness: RequestHarness, order: RequestInput): Promise<string> {
  const id = await harness.service.create(order);
  if (id === undefined) throw new Error('an identical request is running');
  return id;
}

/** Creates a request and runs it until its run time has passed. */
export async function createAndRun(harness: RequestHarness, order: RequestInput): Promise<string> {
  const id = await create(harness, order);
  await harness.advance(2_000);
  return id;
}

/** Reads the kind of a request's state. */
export async function readState(harness: RequestHarness, id: string): Promise<string> {
  return (await harness.service.getFiles(id)).kind;
}

/** Parses the lines of a gzipped file. */
export async function readLines(body: ReadableStream<Uint8Array> | null): Promise<unknown[]> {
  const text = await new Response(body?.pipeThrough(new DecompressionStream('gzip'))).text();
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Reads the records of each file of a request. */
export async function readFiles(harness: RequestHarness, id: string): Promise<unknown[][]> {
  const result = await harness.service.getFiles(id);
  if (result.kind !== 'ready') throw new Error(`the request is ${result.kind}`);
  return Promise.all(
    result.files.map(async (name) => {
      const key = await harness.service.findFile(id, name);
      return readLines((await env.SANDBOX_FILES.get(key ?? ''))?.body ?? null);
    }),
  );
}
