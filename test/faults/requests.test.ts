// Data requests and SIGKILL: after a kill at any step, each row is delivered and paid once, and an unclear submission is not
// repeated. Each case has its own team and keys, so one restart kills many data requests at different steps.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type {
  DataRequestEstimate,
  DataRequestRows,
  DataRequestView,
} from '../../shared/api/data-requests.ts';
import { type BulkProvider, RECORDS, type Step, startBulkProvider } from './bulk-provider.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Time for restarts on a busy machine. */
const TIMEOUT_MS = 90_000;
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

/** A team with records that no other team orders. */
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

/** Orders records. @throws Error with the status */
const order = (customer: Customer, ids = customer.ids): Promise<DataRequestView> =>
  call(customer, 'requests', selection(ids));

const countResult = z.tuple([z.object({ count: z.int() })]);

/** Counts rows of the gateway's database. @param from - table and optional condition */
async function countRows(from: string): Promise<number> {
  const statement = `SELECT count(*) AS count FROM ${from}`;
  const [{ count }] = countResult.parse(await gateway.cluster.run({ run: 'sql', statement }));
  return count;
}

/** Waits until no data request has work left. */
async function waitUntilIdle(): Promise<void> {
  await vi.waitFor(
    async () => {
      // Replaces the minute cron.
      await gateway.cluster.run({ run: 'sweep', after_start: false });
      expect(await countRows('requests WHERE due_at IS NOT NULL')).toBe(0);
    },
    { timeout: TIMEOUT_MS, interval: 250 },
  );
}

/** Kills and restarts the gateway; the restart begins with a sweep, as in `npm start`. */
async function restart(beforeSweep: () => Promise<void> = async () => {}): Promise<void> {
  await gateway.cluster.kill();
  const killedAt = Date.now();
  provider.release();
  await gateway.cluster.start();
  await beforeSweep();
  // Skips the lease of the killed processes.
  await gateway.cluster.run({
    run: 'sql',
    statement: "UPDATE requests SET due_at = 0 WHERE phase IN ('reserving', 'sending') AND updated_at <= ?",
    values: [killedAt],
  });
  await gateway.cluster.run({ run: 'sweep', after_start: true });
}

/** Reads the ids of the rows of a data request, sorted. */
async function readRowIds(customer: Customer, id: string): Promise<number[]> {
  const ids: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: DataRequestRows = await call(customer, `requests/${id}/rows?limit=100&columns=id${cursor}`);
    ids.push(...page.rows.map(([own]) => Number(own)));
    after = page.after;
  }
  return ids.toSorted((one, other) => one - other);
}

/** Waits until a team has spent the credits of some records and has no reservation. */
async function expectSpent({ team }: Customer, records: number, unclear = 0): Promise<void> {
  const getBudget = async () => {
    const { spent, unclear: unclearCredits, held } = await gateway.budget(team);
    return { spent: spent.month, unclear: unclearCredits, held };
  };
  const credits = { spent: records * CREDITS, unclear: unclear * CREDITS, held: 0 };
  await expect.poll(getBudget, { timeout: TIMEOUT_MS }).toEqual(credits);
}

/** Buys and caches the first half of the records of some customers. */
async function buyHalf(all: readonly Customer[]): Promise<void> {
  await Promise.all(all.map((customer) => order(customer, customer.ids.slice(0, HALF))));
  await waitUntilIdle();
  for (const customer of all) {
    const body = selection(customer.ids);
    await vi.waitFor(
      async () => {
        const { cached } = await call<DataRequestEstimate>(customer, 'estimate/data-request', body);
        expect(cached).toBe(HALF);
      },
      { timeout: TIMEOUT_MS },
    );
  }
}

describe('killed at a step', () => {
  /** A data request that is held at a step. */
  interface HeldCase {
    name: string;
    step: Step;
    isHalfCached: boolean;
    endState: 'ready' | 'unclear';
  }
  const hold = (name: string, step: Step, endState: HeldCase['endState'] = 'ready'): HeldCase => ({
    name,
    step,
    isHalfCached: false,
    endState,
  });
  const heldCases: readonly HeldCase[] = [
    hold('while it runs at the provider', 'running'),
    hold('while its files are listed', 'list'),
    hold('before its first file', 'file'),
    hold('in the middle of a file', 'middle_of_file'),
    hold('between two files', 'second_file'),
    hold('before the provider creates it', 'before_create', 'unclear'),
    hold('after the provider has created it, before the response', 'after_create', 'unclear'),
    // "order only the keys that are not cached and fresh"
    { ...hold('half cached, while it runs at the provider', 'running'), isHalfCached: true },
    { ...hold('half cached, in the middle of a file', 'middle_of_file'), isHalfCached: true },
  ];
  const created = new Map<HeldCase, { customer: Customer; first: DataRequestView }>();
  let answered: { customer: Customer; first: DataRequestView };
  /** Its order is killed between the claim of keys and the reservation. */
  let claiming: Customer;
  const countUnreservedClaims = () =>
    countRows("keys_on_order WHERE request_id IN (SELECT id FROM requests WHERE phase = 'reserving')");
  let orderedWhileClaimed: unknown;

  beforeAll(async () => {
    const all = await Promise.all(heldCases.map(async (one) => ({ one, customer: await newCustomer() })));
    await buyHalf(all.filter(({ one }) => one.isHalfCached).map(({ customer }) => customer));
    await Promise.all(
      all.map(async ({ one, customer }) => {
        const held = provider.holdAt(one.step, customer.ids.at(-1) ?? 0);
        created.set(one, { customer, first: await order(customer) });
        await held;
      }),
    );

    claiming = await newCustomer(RECORDS * CREDITS);
    // The reservation waits for this lookup, which has reserved a part of the budget.
    const otherId = (claiming.ids.at(-1) ?? 0) + 1;
    const held = provider.holdAt('lookup', otherId);
    const body = { family: 'company_clean', by: 'id', keys: [String(otherId)], fields: ['name'] };
    const lookup = call(claiming, 'lookup', body).catch(() => undefined);
    await held;
    const first = order(claiming).catch(() => undefined);
    const expectClaims = async () => expect(await countUnreservedClaims()).toBe(RECORDS);
    await vi.waitFor(expectClaims, { timeout: TIMEOUT_MS, interval: 20 });

    const customer = await newCustomer();
    answered = { customer, first: await order(customer) };
    await restart(async () => {
      orderedWhileClaimed = await order(await newCustomer(), claiming.ids).catch(String);
    });
    await Promise.all([lookup, first]);
    await waitUntilIdle();
  }, TIMEOUT_MS * 3);

  it.each(heldCases.map((one) => [one.name, one.endState, one] as const))(
    '%s, a data request becomes %s, is paid once and submitted once',
    async (_, endState, one) => {
      const entry = created.get(one);
      if (entry === undefined) throw new Error('it was not created');
      const { customer, first } = entry;
      const ordered = one.isHalfCached ? customer.ids.slice(HALF) : customer.ids;
      expect(first).toMatchObject({ asked: RECORDS, cached: RECORDS - ordered.length });
      const view = await call<DataRequestView>(customer, `requests/${first.id}`);
      expect(provider.listOrders(ordered)).toEqual([ordered]);
      if (endState === 'ready') {
        expect(view).toMatchObject({ rows: RECORDS, credits: { charged: ordered.length * CREDITS } });
        expect(await readRowIds(customer, first.id)).toEqual(customer.ids);
      } else {
        expect(view).toMatchObject({ problem: { code: 'provider_unclear' } });
      }
      expect(view.state).toBe(endState);
      await expectSpent(customer, RECORDS, endState === 'unclear' ? RECORDS : 0);
    },
  );

  it('right after it is created, a data request is submitted at most once', async () => {
    const { customer, first } = answered;
    const { state } = await call<DataRequestView>(customer, `requests/${first.id}`);
    // A submission in progress becomes unclear; otherwise the data request continues.
    expect(['ready', 'unclear']).toContain(state);
    if (state === 'ready') expect(await readRowIds(customer, first.id)).toEqual(customer.ids);
    expect(provider.listOrders(customer.ids).length).toBeLessThanOrEqual(1);
    await expectSpent(customer, RECORDS, state === 'unclear' ? RECORDS : 0);
  });

  // "kill -9 between claim and reservation (every claim is released or continued)".
  it('between the claim of its keys and the reservation, a data request is deleted, and its keys are released', async () => {
    expect(orderedWhileClaimed).toContain('409');
    expect(await countUnreservedClaims()).toBe(0);
    const other = { ...(await newCustomer()), ids: claiming.ids };
    const { id } = await order(other);
    await waitUntilIdle();
    expect(await readRowIds(other, id)).toEqual(claiming.ids);
    expect(provider.listOrders(claiming.ids)).toEqual([claiming.ids]);
    await expectSpent(other, RECORDS);
    expect((await gateway.budget(claiming.team)).held).toBe(0);
  });
});

/** Milliseconds between order and kill. FAULTS_FULL=1 covers the whole life of a data request. */
const waves: readonly (readonly number[])[] = process.env.FAULTS_FULL
  ? Array.from({ length: 10 }, (_, wave) => [0, 1, 2, 3].map((at) => wave * 40 + at * 400))
  : [[40, 150, 400, 900]];

// Design: "One credit charge per distinct record and freshness period, under any concurrency, crash or KV lag."
describe.each(waves.map((moments, wave) => ({ moments, wave })))(
  'killed $moments ms after its order, and again soon after the restart,',
  ({ moments, wave }) => {
    const kinds = ['uncached', 'half cached', 'two that overlap'] as const;
    const cases = moments.flatMap((ms) => kinds.map((kind) => ({ ms, kind })));
    const buyers = new Map<(typeof cases)[number], Customer>();
    /** The final order of all records of a customer, or its error. */
    const finalOrders = new Map<Customer, DataRequestView | string>();

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
      await waitUntilIdle();
      await Promise.all(
        [...buyers.values()].map(async (customer) => {
          finalOrders.set(customer, await order(customer).catch(String));
        }),
      );
      await waitUntilIdle();
    }, TIMEOUT_MS * 4);

    it.each(cases.map((one) => [one.ms, one.kind, one] as const))(
      '%i ms after, %s: each row is delivered once, and each record is charged once',
      async (_, kind, one) => {
        const customer = buyers.get(one);
        if (customer === undefined) throw new Error('it was not created');
        const { ids } = customer;
        const { requests } = await call<{ requests: DataRequestView[] }>(customer, 'requests');
        for (const { id, state, asked } of requests) {
          expect(['ready', 'unclear']).toContain(state);
          if (state === 'ready') expect(new Set(await readRowIds(customer, id)).size).toBe(asked);
        }
        const isUnclear = requests.some(({ state }) => state === 'unclear');
        const last = finalOrders.get(customer);
        // Records of an unclear data request count as charged and stay claimed.
        if (typeof last === 'object') expect(await readRowIds(customer, last.id)).toEqual(ids);
        else expect([isUnclear, last]).toEqual([true, expect.stringContaining('409')]);
        const sent = provider.listOrders(ids).flat();
        expect(new Set(sent).size).toBe(sent.length);
        const paid = kind === 'two that overlap' && isUnclear ? 2 * THIRD : RECORDS;
        const unclear = { uncached: RECORDS, 'half cached': HALF, 'two that overlap': 2 * THIRD }[kind];
        await expectSpent(customer, paid, isUnclear ? unclear : 0);
      },
    );
  },
);
