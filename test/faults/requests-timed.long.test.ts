// Data requests that are killed at times which no step controls: each row is delivered and paid once.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataRequestView } from '../../shared/api/data-requests.ts';
import { RECORDS } from './bulk-provider.ts';
import { type Customer, DataRequestFaults, HALF, TIMEOUT_MS } from './data-request-faults.ts';

const THIRD = RECORDS / 3;

let faults: DataRequestFaults;
beforeAll(async () => {
  faults = await DataRequestFaults.start();
});
afterAll(() => faults?.close());

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
      for (const one of cases) buyers.set(one, await faults.newCustomer());
      await faults.buyHalf(
        cases.flatMap((one) => (one.kind === 'half cached' ? (buyers.get(one) ?? []) : [])),
      );
      const last = Math.max(...moments);
      const orders = cases.map(async (one) => {
        const customer = buyers.get(one) ?? (await faults.newCustomer());
        await pause(last - one.ms);
        const { ids } = customer;
        const parts = one.kind === 'two that overlap' ? [ids.slice(0, 2 * THIRD), ids.slice(THIRD)] : [ids];
        await Promise.all(parts.map((part) => faults.order(customer, part).catch(() => undefined)));
      });
      await pause(last);
      await faults.restart();
      await pause(100 + wave * 100);
      await faults.restart();
      await Promise.all(orders);
      await faults.waitUntilIdle();
      await Promise.all(
        [...buyers.values()].map(async (customer) => {
          finalOrders.set(customer, await faults.order(customer).catch(String));
        }),
      );
      await faults.waitUntilIdle();
    }, TIMEOUT_MS * 4);

    it.each(cases.map((one) => [one.ms, one.kind, one] as const))(
      '%i ms after, %s: each row is delivered once, and each record is charged once',
      async (_, kind, one) => {
        const customer = buyers.get(one);
        if (customer === undefined) throw new Error('it was not created');
        const { ids } = customer;
        const { requests } = await faults.call<{ requests: DataRequestView[] }>(customer, 'requests');
        for (const { id, state, requested } of requests) {
          expect(['ready', 'unclear']).toContain(state);
          if (state === 'ready') expect(new Set(await faults.readRowIds(customer, id)).size).toBe(requested);
        }
        const isUnclear = requests.some(({ state }) => state === 'unclear');
        const last = finalOrders.get(customer);
        // Records of an unclear data request count as charged and stay claimed.
        if (typeof last === 'object') expect(await faults.readRowIds(customer, last.id)).toEqual(ids);
        else expect([isUnclear, last]).toEqual([true, expect.stringContaining('409')]);
        const sent = faults.provider.listOrders(ids).flat();
        expect(new Set(sent).size).toBe(sent.length);
        const paid = kind === 'two that overlap' && isUnclear ? 2 * THIRD : RECORDS;
        const unclear = { uncached: RECORDS, 'half cached': HALF, 'two that overlap': 2 * THIRD }[kind];
        await faults.expectSpent(customer, paid, isUnclear ? unclear : 0);
      },
    );
  },
);
