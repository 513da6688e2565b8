// Bulk requests and kill -9: at every step everything is ended at once and started again. Each row arrives once, each credit
// is right, and in the one moment when nobody can know whether the provider was told, nobody tells it again.
// Each case has a team and keys of its own, so that one restart kills many requests, each at another place.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type {
  DataRequestEstimate,
  DataRequestRows,
  DataRequestView,
} from '../../shared/api/data-requests.ts';
import { type BulkProvider, type Place, RECORDS, startBulkProvider } from './bulk-provider.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Restarts, and what a busy machine takes longer. */
const PATIENCE_MS = 90_000;
const CREDITS = 10;
const HALF = RECORDS / 2;
const THIRD = RECORDS / 3;

let provider: BulkProvider;
let gateway: Gateway;

beforeAll(async () => {
  provider = await startBulkProvider();
  gateway = await startGateway({ vars: { CDAPI_BASE_URL: provider.baseUrl, PROVIDER_RATE_PER_S: '1000' } });
});
afterAll(async () => {
  await gateway?.close();
  await provider?.close();
});

/** A team that orders records which nobody else orders. */
interface Customer {
  team: string;
  token: string;
  ids: number[];
}

let customers = 0;

async function newCustomer(day: number | null = null): Promise<Customer> {
  customers += 1;
  const team = `customer-${customers}`;
  const first = customers * 2 * RECORDS;
  const ids = Array.from({ length: RECORDS }, (_, at) => first + at);
  return { team, token: await gateway.addTeam(team, { day, month: null }), ids };
}

async function call<T>({ token }: Customer, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${gateway.cluster.url('one')}/sheets/v1/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

const selection = (ids: readonly number[]) => ({
  family: 'company_clean',
  kind: 'ids',
  keys: ids.map(String),
});

/** Orders records. @throws Error that begins with the status */
const order = (customer: Customer, ids = customer.ids): Promise<DataRequestView> =>
  call(customer, 'requests', selection(ids));

const counted = z.tuple([z.object({ count: z.int() })]);

/** Counts rows of the gateway's database. @param from - a table, and a condition where there is one */
async function countOf(from: string): Promise<number> {
  const statement = `SELECT count(*) AS count FROM ${from}`;
  const [{ count }] = counted.parse(await gateway.cluster.run({ run: 'sql', statement }));
  return count;
}

/** Waits until every request has ended or was removed, and all that follows is done. */
async function allEnded(): Promise<void> {
  await vi.waitFor(
    async () => {
      // The schedule of a minute, faster.
      await gateway.cluster.run({ run: 'sweep', after_start: false });
      expect(await countOf('requests WHERE due_at IS NOT NULL')).toBe(0);
    },
    { timeout: PATIENCE_MS, interval: 250 },
  );
}

/** Kills everything and starts it again, as `npm start` does: the first thing is a sweep. */
async function restart(beforeSweep: () => Promise<void> = async () => {}): Promise<void> {
  await gateway.cluster.kill();
  const killedAt = Date.now();
  provider.release();
  await gateway.cluster.start();
  await beforeSweep();
  // Others leave a request alone for half a minute whose maker or sender may be alive: here it was killed.
  await gateway.cluster.run({
    run: 'sql',
    statement: "UPDATE requests SET due_at = 0 WHERE phase IN ('reserving', 'sending') AND updated_at <= ?",
    values: [killedAt],
  });
  await gateway.cluster.run({ run: 'sweep', after_start: true });
}

/** Ids of a request's rows, in numerical order. */
async function rowsOf(customer: Customer, id: string): Promise<number[]> {
  const ids: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: DataRequestRows = await call(customer, `requests/${id}/rows?limit=100&columns=id${cursor}`);
    ids.push(...page.rows.map(([own]) => Number(own)));
    after = page.after;
  }
  return ids.toSorted((one, other) => one - other);
}

/** Waits until a team has spent so many credits and holds none. */
async function expectSpent({ team }: Customer, records: number, unclear = 0): Promise<void> {
  const budget = async () => {
    const view = await gateway.budget(team);
    return { spent: view.spent.day, unclear: view.unclear, held: view.held };
  };
  const credits = { spent: records * CREDITS, unclear: unclear * CREDITS, held: 0 };
  await expect.poll(budget, { timeout: PATIENCE_MS }).toEqual(credits);
}

/** Has customers buy the first half of their records, so that it is cached. */
async function buyHalf(all: readonly Customer[]): Promise<void> {
  await Promise.all(all.map((customer) => order(customer, customer.ids.slice(0, HALF))));
  await allEnded();
  for (const customer of all) {
    const body = selection(customer.ids);
    await vi.waitFor(
      async () => {
        const { cached } = await call<DataRequestEstimate>(customer, 'estimate/data-request', body);
        expect(cached).toBe(HALF);
      },
      { timeout: PATIENCE_MS },
    );
  }
}

describe('killed at a step', () => {
  /** A request that is held up at a place. */
  interface Killed {
    name: string;
    place: Place;
    isHalfCached: boolean;
    ends: 'ready' | 'unclear';
  }
  const whole = (name: string, place: Place, ends: Killed['ends'] = 'ready'): Killed => ({
    name,
    place,
    isHalfCached: false,
    ends,
  });
  const killed: readonly Killed[] = [
    whole('while it runs at the provider', 'running'),
    whole('while its files are listed', 'list'),
    whole('as its first file is asked for', 'file'),
    whole('in the middle of a file', 'middle_of_file'),
    whole('between two files', 'second_file'),
    whole('as the provider is about to hear it', 'before_make', 'unclear'),
    whole('when the provider has it and nobody has heard its id', 'after_make', 'unclear'),
    // "order only the keys that are not cached and fresh"
    { ...whole('half cached, while it runs at the provider', 'running'), isHalfCached: true },
    { ...whole('half cached, in the middle of a file', 'middle_of_file'), isHalfCached: true },
  ];
  const made = new Map<Killed, { customer: Customer; first: DataRequestView }>();
  let answered: { customer: Customer; first: DataRequestView };
  /** Who is killed between the claim of keys and the reservation, and how many keys are claimed then and in the end. */
  let claiming: Customer;
  const claimed = () =>
    countOf("keys_on_order WHERE request_id IN (SELECT id FROM requests WHERE phase = 'reserving')");
  let orderedWhileClaimed: unknown;

  beforeAll(async () => {
    const all = await Promise.all(killed.map(async (one) => ({ one, customer: await newCustomer() })));
    await buyHalf(all.filter(({ one }) => one.isHalfCached).map(({ customer }) => customer));
    await Promise.all(
      all.map(async ({ one, customer }) => {
        const held = provider.holdAt(one.place, customer.ids.at(-1) ?? 0);
        made.set(one, { customer, first: await order(customer) });
        await held;
      }),
    );

    claiming = await newCustomer(RECORDS * CREDITS);
    // The reservation waits for this lookup, which holds a part of the budget.
    const alone = (claiming.ids.at(-1) ?? 0) + 1;
    const held = provider.holdAt('lookup', alone);
    const body = { family: 'company_clean', by: 'id', keys: [String(alone)], fields: ['name'] };
    const lookup = call(claiming, 'lookup', body).catch(() => undefined);
    await held;
    const first = order(claiming).catch(() => undefined);
    const isClaimed = async () => expect(await claimed()).toBe(RECORDS);
    await vi.waitFor(isClaimed, { timeout: PATIENCE_MS, interval: 20 });

    const customer = await newCustomer();
    answered = { customer, first: await order(customer) };
    await restart(async () => {
      orderedWhileClaimed = await order(await newCustomer(), claiming.ids).catch(String);
    });
    await Promise.all([lookup, first]);
    await allEnded();
  }, PATIENCE_MS * 3);

  it.each(killed.map((one) => [one.name, one.ends, one] as const))(
    '%s, a request is %s, paid once and never sent again',
    async (_, ends, one) => {
      const entry = made.get(one);
      if (entry === undefined) throw new Error('it was not made');
      const { customer, first } = entry;
      const ordered = one.isHalfCached ? customer.ids.slice(HALF) : customer.ids;
      expect(first).toMatchObject({ asked: RECORDS, cached: RECORDS - ordered.length });
      const view = await call<DataRequestView>(customer, `requests/${first.id}`);
      expect(provider.listOrders(ordered)).toEqual([ordered]);
      if (ends === 'ready') {
        expect(view).toMatchObject({ rows: RECORDS, credits: { charged: ordered.length * CREDITS } });
        expect(await rowsOf(customer, first.id)).toEqual(customer.ids);
      } else {
        expect(view).toMatchObject({ problem: { code: 'provider_unclear' } });
      }
      expect(view.state).toBe(ends);
      await expectSpent(customer, RECORDS, ends === 'unclear' ? RECORDS : 0);
    },
  );

  it('as soon as it is answered, a request is still sent once', async () => {
    const { customer, first } = answered;
    const { state } = await call<DataRequestView>(customer, `requests/${first.id}`);
    // What was on its way at that moment is unclear; anything else goes on to its end.
    expect(['ready', 'unclear']).toContain(state);
    if (state === 'ready') expect(await rowsOf(customer, first.id)).toEqual(customer.ids);
    expect(provider.listOrders(customer.ids).length).toBeLessThanOrEqual(1);
    await expectSpent(customer, RECORDS, state === 'unclear' ? RECORDS : 0);
  });

  // "kill -9 between claim and reservation (every claim is released or continued)".
  it('between the claim of its keys and the reservation, a request is removed, and its keys can be ordered', async () => {
    expect(orderedWhileClaimed).toContain('409');
    expect(await claimed()).toBe(0);
    const other = { ...(await newCustomer()), ids: claiming.ids };
    const { id } = await order(other);
    await allEnded();
    expect(await rowsOf(other, id)).toEqual(claiming.ids);
    expect(provider.listOrders(claiming.ids)).toEqual([claiming.ids]);
    await expectSpent(other, RECORDS);
    expect((await gateway.budget(claiming.team)).held).toBe(0);
  });
});

/** Milliseconds between orders and their end; with FAULTS_FULL=1 the whole life of a request, some moments at a time. */
const waves: readonly (readonly number[])[] = process.env.FAULTS_FULL
  ? Array.from({ length: 10 }, (_, wave) => [0, 1, 2, 3].map((at) => wave * 40 + at * 400))
  : [[40, 150, 400, 900]];

// Design: "One credit charge per distinct record and freshness period, under any concurrency, crash or KV lag."
describe.each(waves.map((moments, wave) => ({ moments, wave })))(
  'killed $moments ms after its order, and soon after the restart again,',
  ({ moments, wave }) => {
    const kinds = ['whole', 'half cached', 'two that overlap'] as const;
    const cases = moments.flatMap((ms) => kinds.map((kind) => ({ ms, kind })));
    const buyers = new Map<(typeof cases)[number], Customer>();
    /** What the customers were answered who ordered everything again in the end: the request, or the error. */
    const again = new Map<Customer, DataRequestView | string>();

    beforeAll(async () => {
      for (const one of cases) buyers.set(one, await newCustomer());
      await buyHalf(cases.flatMap((one) => (one.kind === 'half cached' ? (buyers.get(one) ?? []) : [])));
      const last = Math.max(...moments);
      const orders = cases.map(async (one) => {
        const customer = buyers.get(one) ?? (await newCustomer());
        await pause(last - one.ms);
        const { ids } = customer;
        const parts = one.kind === 'two that overlap' ? [ids.slice(0, 2 * THIRD), ids.slice(THIRD)] : [ids];
        await Promise.all(parts.map((part) => order(customer, part).catch(() => undefined)));
      });
      await pause(last);
      await restart();
      await pause(100 + wave * 100);
      await restart();
      await Promise.all(orders);
      await allEnded();
      await Promise.all(
        [...buyers.values()].map(async (customer) => {
          again.set(customer, await order(customer).catch(String));
        }),
      );
      await allEnded();
    }, PATIENCE_MS * 4);

    it.each(cases.map((one) => [one.ms, one.kind, one] as const))(
      '%i ms after, %s: every row comes once, and each record is charged once',
      async (_, kind, one) => {
        const customer = buyers.get(one);
        if (customer === undefined) throw new Error('it was not made');
        const { ids } = customer;
        const { requests } = await call<{ requests: DataRequestView[] }>(customer, 'requests');
        for (const { id, state, asked } of requests) {
          expect(['ready', 'unclear']).toContain(state);
          if (state === 'ready') expect(new Set(await rowsOf(customer, id)).size).toBe(asked);
        }
        const isUnclear = requests.some(({ state }) => state === 'unclear');
        const last = again.get(customer);
        // Records of an unclear request count as charged, and are not ordered again.
        if (typeof last === 'object') expect(await rowsOf(customer, last.id)).toEqual(ids);
        else expect([isUnclear, last]).toEqual([true, expect.stringContaining('409')]);
        const sent = provider.listOrders(ids).flat();
        expect(new Set(sent).size).toBe(sent.length);
        const paid = kind === 'two that overlap' && isUnclear ? 2 * THIRD : RECORDS;
        const unclear = { whole: RECORDS, 'half cached': HALF, 'two that overlap': 2 * THIRD }[kind];
        await expectSpent(customer, paid, isUnclear ? unclear : 0);
      },
    );
  },
);
