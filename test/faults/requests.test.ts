// Bulk requests and kill -9: at every step everything is ended at once and started again. Each row arrives once, each credit
// is right, and in the one moment when nobody can know whether the provider was told, nobody tells it again.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { RequestEstimate, RequestRows, RequestView } from '../../shared/api/data-requests.ts';
import { type BulkProvider, type Place, RECORDS, startBulkProvider } from './bulk-provider.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** A restart, and what a busy machine takes longer. */
const PATIENCE_MS = 90_000;

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

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${gateway.cluster.url('one')}/sheets/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${gateway.token}`, ...init.headers },
  });
}

/** The ids of a test: what another one bought comes from the cache. */
let ids: number[] = [];
beforeEach(() => {
  const last = ids.at(-1) ?? 0;
  ids = Array.from({ length: RECORDS }, (_, at) => last + at + 1);
});

/** Asks for records. */
function post(own: readonly number[], token = gateway.token): Promise<Response> {
  return call('requests', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ family: 'company_clean', kind: 'ids', keys: own.map(String) }),
  });
}

/** Orders records; the caller does not wait for more than the answer. */
async function make(own: readonly number[] = ids): Promise<RequestView> {
  const response = await post(own);
  expect(response.status).toBe(201);
  return JSON.parse(await response.text());
}

/** What an order of all ids would bring. */
async function estimate(): Promise<RequestEstimate> {
  const body = JSON.stringify({ family: 'company_clean', kind: 'ids', keys: ids.map(String) });
  return JSON.parse(await (await call('estimate/data-request', { method: 'POST', body })).text());
}

const counted = z.tuple([z.object({ count: z.int() })]);

/** Counts rows of the gateway's database. @param from - a table, and a condition where there is one */
async function countOf(from: string): Promise<number> {
  const statement = `SELECT count(*) AS count FROM ${from}`;
  const [{ count }] = counted.parse(await gateway.cluster.run({ run: 'sql', statement }));
  return count;
}

/** Waits until every request has ended or was removed, and all that follows is done. */
async function allEnded(): Promise<void> {
  // Whoever made a request that has no credits yet was killed: others may touch it half a minute later.
  await gateway.cluster.run({
    run: 'sql',
    statement: "UPDATE requests SET due_at = 0 WHERE phase = 'reserving'",
  });
  await vi.waitFor(
    async () => {
      await gateway.cluster.run({ run: 'sweep', after_start: false });
      expect(await countOf('requests WHERE due_at IS NOT NULL')).toBe(0);
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
}

async function look(id: string): Promise<RequestView> {
  return JSON.parse(await (await call(`requests/${id}`)).text());
}

/** Kills everything and starts it again, as `npm start` does: the first thing is a sweep. */
async function restart(): Promise<void> {
  await gateway.cluster.kill();
  provider.goOn();
  await gateway.cluster.start();
  await gateway.cluster.run({ run: 'sweep', after_start: true });
}

async function ended(id: string): Promise<RequestView> {
  return vi.waitFor(
    async () => {
      // The schedule of a minute, faster.
      await gateway.cluster.run({ run: 'sweep', after_start: false });
      const view = await look(id);
      expect(view.ended_at).not.toBeNull();
      return view;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
}

async function idsOf(id: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = await call(`requests/${id}/rows?limit=250&columns=id${cursor}`);
    const page: RequestRows = JSON.parse(await answer.text());
    ids.push(...page.rows.map(([own]) => own));
    after = page.after;
  }
  return ids;
}

/** Milliseconds; with FAULTS_FULL=1 the whole life of a request, moment by moment. */
const moments = process.env.FAULTS_FULL
  ? Array.from({ length: 40 }, (_, at) => at * 40)
  : [40, 150, 400, 900];

describe('killed', () => {
  it.each<[string, Place]>([
    ['while it runs at the provider', 'running'],
    ['while its files are listed', 'list'],
    ['as its first file is asked for', 'file'],
    ['in the middle of a file', 'middle_of_file'],
    ['between two files', 'second_file'],
  ])(
    '%s, a request ends with every row once, paid once',
    async (_, place) => {
      const before = { made: provider.made(), ...(await gateway.budget()) };
      const held = provider.holdAt(place);
      const { id } = await make();
      await held;
      await restart();
      const view = await ended(id);
      expect(view).toMatchObject({ state: 'ready', rows: RECORDS, credits: { charged: RECORDS * 10 } });
      expect(await idsOf(id)).toEqual(ids);
      expect(provider.made() - before.made).toBe(1);
      const after = async () => {
        const { spent, held: open } = await gateway.budget();
        return { spent: spent.day - before.spent.day, held: open };
      };
      await expect.poll(after, { timeout: 10_000 }).toEqual({ spent: RECORDS * 10, held: 0 });
    },
    PATIENCE_MS * 2,
  );

  describe('when nobody can know whether the provider was told,', () => {
    const places: readonly [string, Place][] = [
      ['as the provider is about to hear it', 'before_make'],
      ['when the provider has it and nobody has heard its id', 'after_make'],
    ];
    /** Keys that the cache never has, other ones for each order: the keys of an unclear order stay claimed. */
    const uncached = (order: number) =>
      Array.from({ length: RECORDS }, (_, at) => (order + 1) * 1_000_000 + at);
    const both = { made: places.length, credits: places.length * RECORDS * 10 };
    /** How often the provider made each request, and how it ended. */
    const seen = new Map<Place, { made: number; view: RequestView }>();
    let before: { made: number; spent: number; unclear: number };

    // Each is unclear half a minute later: they wait together.
    beforeAll(async () => {
      const { spent, unclear } = await gateway.budget();
      before = { made: provider.made(), spent: spent.day, unclear };
      const killed: { place: Place; id: string; made: number }[] = [];
      for (const [order, [, place]] of places.entries()) {
        const made = provider.made();
        const held = provider.holdAt(place);
        const { id } = await make(uncached(order));
        await held;
        await restart();
        killed.push({ place, id, made: provider.made() - made });
      }
      for (const { place, id, made } of killed) seen.set(place, { made, view: await ended(id) });
      await gateway.cluster.run({ run: 'sweep', after_start: true });
    }, PATIENCE_MS * 3);

    it.each(places)(
      '%s, a request is unclear, counts as charged and is never sent again',
      async (_, place) => {
        expect(seen.get(place)).toMatchObject({
          made: 1,
          view: { state: 'unclear', problem: { code: 'provider_unclear' } },
        });
        expect(provider.made() - before.made).toBe(both.made);
        const after = async () => {
          const { spent, unclear, held } = await gateway.budget();
          return { spent: spent.day - before.spent, unclear: unclear - before.unclear, held };
        };
        await expect
          .poll(after, { timeout: 10_000 })
          .toEqual({ spent: both.credits, unclear: both.credits, held: 0 });
      },
    );
  });

  it(
    'as soon as it is answered, a request is still sent once',
    async () => {
      const made = provider.made();
      const { id } = await make();
      await restart();
      const view = await ended(id);
      // What was on its way at that moment is unclear; anything else goes on to its end.
      expect(['ready', 'unclear']).toContain(view.state);
      if (view.state === 'ready') expect(await idsOf(id)).toEqual(ids);
      expect(provider.made() - made).toBeLessThanOrEqual(1);
    },
    PATIENCE_MS * 2,
  );

  // "order only the keys that are not cached and fresh": at every step and moment, across `kill -9`.
  it.each<[string, Place | number]>([
    ['while it runs at the provider', 'running'],
    ['in the middle of a file', 'middle_of_file'],
    ...moments.map((ms): [string, number] => [`${ms} ms after it was made`, ms]),
  ])(
    '%s, a request of which half is cached has every row once, and only the other half is ordered and paid',
    async (_, when) => {
      const half = ids.slice(0, RECORDS / 2);
      const first = await make(half);
      expect(await ended(first.id)).toMatchObject({ state: 'ready', rows: half.length });
      await expect.poll(async () => (await estimate()).cached, { timeout: PATIENCE_MS }).toBe(half.length);
      // Requests of earlier tests settle late: what they hold is no part of this one.
      await expect.poll(async () => (await gateway.budget()).held, { timeout: PATIENCE_MS }).toBe(0);
      const before = { made: provider.made(), ...(await gateway.budget()) };
      const held = typeof when === 'string' ? provider.holdAt(when) : undefined;
      const { id, ...view } = await make();
      expect(view).toMatchObject({ asked: RECORDS, cached: RECORDS / 2 });
      await (held ?? pause(Number(when)));
      await restart();
      const last = await ended(id);
      expect(['ready', 'unclear']).toContain(last.state);
      expect(provider.made() - before.made).toBeLessThanOrEqual(1);
      if (last.state === 'ready') {
        expect((await idsOf(id)).map(Number).toSorted((one, other) => one - other)).toEqual(ids);
        expect(provider.ordered()).toEqual(ids.slice(RECORDS / 2).map(String));
      }
      const after = async () => {
        const { spent, held: open } = await gateway.budget();
        return { spent: spent.day - before.spent.day, held: open };
      };
      await expect.poll(after, { timeout: 10_000 }).toEqual({ spent: (RECORDS / 2) * 10, held: 0 });
    },
    PATIENCE_MS * 2,
  );

  // Task: "kill -9 between claim and reservation (every claim is released or continued)".
  it(
    'between the claim of its keys and the reservation, a request is removed, and its keys can be ordered',
    async () => {
      const [first = 0] = ids;
      const token = await gateway.addTeam('poor', { day: RECORDS * 10, month: null });
      const before = provider.made();
      // The reservation waits for this lookup, which holds a part of the budget.
      const held = provider.holdAt('file');
      const body = {
        family: 'company_clean' as const,
        by: 'id' as const,
        keys: [String(first + RECORDS)],
        fields: ['name'],
      };
      const lookup = gateway.lookup('one', body, token).catch(() => undefined);
      await held;
      const order = post(ids, token).catch(() => undefined);
      const claimed = () =>
        countOf("keys_on_order WHERE request_id IN (SELECT id FROM requests WHERE phase = 'reserving')");
      await expect.poll(claimed, { timeout: PATIENCE_MS, interval: 20 }).toBe(RECORDS);
      await restart();
      await Promise.all([lookup, order]);
      expect((await post(ids)).status).toBe(409);
      await allEnded();
      expect(await claimed()).toBe(0);
      const { id } = await make();
      expect(await ended(id)).toMatchObject({ state: 'ready', rows: RECORDS });
      expect(provider.made() - before).toBe(1);
      expect((await gateway.budget('poor')).held).toBe(0);
    },
    PATIENCE_MS * 3,
  );

  // Design: "One credit charge per distinct record and freshness period, under any concurrency, crash or KV lag."
  it.each(process.env.FAULTS_FULL ? moments : [40, 400])(
    'at any moment, here %i ms after two overlapping requests were made at once, each record is charged once',
    async (ms) => {
      const [third, spentBefore] = [RECORDS / 3, (await gateway.budget()).spent.day];
      const orders = [ids.slice(0, 2 * third), ids.slice(third)].map((own) =>
        post(own).catch(() => undefined),
      );
      await pause(ms);
      await restart();
      await Promise.all(orders);
      await allEnded();
      const again = await post(ids);
      // Records of an unclear request count as charged, and are not ordered again.
      const charged = again.status === 409 ? 2 * third : RECORDS;
      if (again.status === 201) await allEnded();
      const after = async () => {
        const { spent, held } = await gateway.budget();
        return { spent: spent.day - spentBefore, held };
      };
      await expect.poll(after, { timeout: 10_000 }).toEqual({ spent: charged * 10, held: 0 });
    },
    PATIENCE_MS * 3,
  );

  it.each(moments)(
    'at any moment, here %i ms after it was made and again as long after the restart, a request keeps every promise',
    async (ms) => {
      const before = { made: provider.made(), ...(await gateway.budget()) };
      const { id } = await make();
      await pause(ms);
      await restart();
      await pause(ms);
      await restart();
      const view = await ended(id);
      expect(['ready', 'unclear']).toContain(view.state);
      if (view.state === 'ready') expect(await idsOf(id)).toEqual(ids);
      // An unclear one was told once at most, a ready one exactly once.
      const made = provider.made() - before.made;
      expect(made).toBeLessThanOrEqual(1);
      if (view.state === 'ready') expect(made).toBe(1);
      const after = async () => {
        const { spent, held } = await gateway.budget();
        return { spent: spent.day - before.spent.day, held };
      };
      await expect.poll(after, { timeout: 10_000 }).toEqual({ spent: RECORDS * 10, held: 0 });
    },
    PATIENCE_MS * 2,
  );
});
