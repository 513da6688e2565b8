// Data requests on a Durable Object's real storage and a real bucket, with records, account, clock and receivers of
// webhooks in the test's hands.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Family } from '../../../../shared/families/index.ts';
import type { RequestQuery } from '../../../../worker/sandbox/requests/query-service.ts';
import {
  type RequestContext,
  type RequestInput,
  RequestService,
} from '../../../../worker/sandbox/requests/request-service.ts';

/** Data requests under test, and what surrounds them. */
export interface Desk {
  requests: RequestService;
  /** Milliseconds since 1970. The provider's clock is ahead by so much. */
  clock: { now: number; offset: number; runMs: number };
  /** Records by family and id; names by which they go. */
  records: Map<Family, Map<string, string>>;
  names: Map<string, string>;
  /** Ids in one reading of records. */
  pages: number[];
  account: { balance: number; charges: Map<string, number>; asked: number };
  /** What a query is answered, and what was asked. */
  query: { ids: string[]; total: number; asked: { query: RequestQuery; limit: number }[] };
  /** Webhooks that were sent, and when; `answer` says what the receiver does. */
  webhooks: { sent: { at: number; request: Request; body: unknown }[]; answer: () => Promise<Response> };
  /** Keys that were put; `before` is called before each and may break it. */
  puts: { keys: string[]; before: () => Promise<void> };
  /** The last time that a wake was asked for. */
  wake: { at: number | undefined };
  /** How many rows the storage holds. */
  rows: () => number;
  /** Opens the same storage anew, as after a restart. */
  open: () => RequestService;
  /** Moves the clock to each wake in turn until there is none before a time, and does what is due. */
  until: (time: number) => Promise<void>;
}

let desks = 0;

/** Runs a test on data requests of their own. */
export async function withDesk(test: (desk: Desk) => Promise<void>): Promise<void> {
  const number = desks++;
  const stub = env.SANDBOX_REQUESTS.getByName(crypto.randomUUID());
  await runInDurableObject(stub, async (_instance, state) => {
    const clock = { now: Date.UTC(2026, 8, 1), offset: 0, runMs: 2_000 };
    const account = { balance: 1_000_000, charges: new Map<string, number>(), asked: 0 };
    const query: Desk['query'] = { ids: [], total: 0, asked: [] };
    const webhooks: Desk['webhooks'] = { sent: [], answer: async () => new Response(null, { status: 204 }) };
    const puts: Desk['puts'] = { keys: [], before: async () => {} };
    const wake: Desk['wake'] = { at: undefined };
    const records: Desk['records'] = new Map();
    const names = new Map<string, string>();
    const pages: number[] = [];
    const of = (family: Family) => records.get(family) ?? new Map<string, string>();
    let ids = 0;
    const context: RequestContext = {
      platform: {
        now: () => clock.now,
        newId: () => `id-${number}-${ids++}`,
        fetch: async (request) => {
          webhooks.sent.push({ at: clock.now, request, body: await request.clone().json() });
          return webhooks.answer();
        },
      },
      store: {
        findByIds: async (family, wanted) => {
          pages.push(wanted.length);
          const found = wanted.flatMap((id) => {
            const data = of(family).get(id);
            return data === undefined ? [] : [[id, { id, data }] as const];
          });
          return new Map(found);
        },
        findExistingIds: async (family, wanted) =>
          new Map(wanted.filter((id) => of(family).has(id)).map((id) => [id, id])),
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
          account.asked += 1;
          const paid = account.charges.has(name) || account.balance >= credits;
          if (paid && !account.charges.has(name)) {
            account.balance -= credits;
            account.charges.set(name, credits);
          }
          return { paid, balance: account.balance };
        },
      },
      selectIds: async (asked, limit) => {
        query.asked.push({ query: asked, limit });
        return { ids: query.ids.slice(0, limit), total: query.total };
      },
      setAlarm: async (at) => {
        wake.at = at;
      },
    };
    const desk: Desk = {
      requests: new RequestService(state.storage, context),
      clock,
      records,
      names,
      pages,
      account,
      query,
      webhooks,
      puts,
      wake,
      rows: () =>
        state.storage.sql
          .exec<{ rows: number }>(
            `SELECT (SELECT count(*) FROM requests) + (SELECT count(*) FROM asked)
               + (SELECT count(*) FROM parts) AS rows`,
          )
          .one().rows,
      open: () => new RequestService(state.storage, context),
      until: async (time) => {
        while (wake.at !== undefined && wake.at <= time) {
          clock.now = Math.max(clock.now, wake.at);
          wake.at = undefined;
          await desk.requests.run();
          await desk.requests.whenIdle();
        }
        clock.now = time;
      },
    };
    await test(desk);
  });
}

/** Puts records in, `{"id": n}` each. */
export function addRecords(desk: Desk, family: Family, ids: readonly string[]): void {
  desk.records.set(family, new Map(ids.map((id) => [id, JSON.stringify({ id: Number(id) })])));
}

/** Whole numbers from 1, as ids. */
export function firstIds(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** An order of records by id. */
export function orderOf(keys: string[], more: Partial<RequestInput> = {}): RequestInput {
  return {
    family: 'company_clean',
    price: 10,
    selection: { keys: { kind: 'id', keys } },
    identity: undefined,
    webhook: undefined,
    ...more,
  };
}

/** Makes a request that must be accepted. */
export async function create(desk: Desk, order: RequestInput): Promise<string> {
  const id = await desk.requests.create(order);
  if (id === undefined) throw new Error('an identical request is running');
  return id;
}

/** The lines of a gzipped file, parsed. */
export async function readLines(body: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const text = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The records of every file of a request, file by file. */
export async function readFiles(desk: Desk, id: string): Promise<unknown[][]> {
  const answer = await desk.requests.getFiles(id);
  if (answer.kind !== 'ready') throw new Error(`the request is ${answer.kind}`);
  return Promise.all(
    answer.files.map(async (name) => {
      const key = await desk.requests.findFile(id, name);
      const object = key === undefined ? null : await env.SANDBOX_FILES.get(key);
      if (object === null) throw new Error(`${name} is not there`);
      return readLines(object.body);
    }),
  );
}
