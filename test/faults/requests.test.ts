// Data requests and SIGKILL: after a kill at any step, each row is delivered and paid once, and an unclear submission is not
// repeated. Each case has its own team and keys, so one restart kills many data requests at different steps.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataRequestView } from '../../shared/api/data-requests.ts';
import { RECORDS, type Step } from './bulk-provider.ts';
import { CREDITS, type Customer, DataRequestFaults, HALF, TIMEOUT_MS } from './data-request-faults.ts';

let faults: DataRequestFaults;
beforeAll(async () => {
  faults = await DataRequestFaults.start();
});
afterAll(() => faults?.close());

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
    faults.countRows("claimed_keys WHERE request_id IN (SELECT id FROM requests WHERE phase = 'reserving')");
  let orderedWhileClaimed: unknown;

  beforeAll(async () => {
    const all = await Promise.all(
      heldCases.map(async (one) => ({ one, customer: await faults.newCustomer() })),
    );
    await faults.buyHalf(all.filter(({ one }) => one.isHalfCached).map(({ customer }) => customer));
    await Promise.all(
      all.map(async ({ one, customer }) => {
        const held = faults.provider.holdAt(one.step, customer.ids.at(-1) ?? 0);
        created.set(one, { customer, first: await faults.order(customer) });
        await held;
      }),
    );

    claiming = await faults.newCustomer(RECORDS * CREDITS);
    // The reservation waits for this lookup, which has reserved a part of the budget.
    const otherId = (claiming.ids.at(-1) ?? 0) + 1;
    const held = faults.provider.holdAt('lookup', otherId);
    const body = { family: 'company_clean', by: 'id', keys: [String(otherId)], fields: ['name'] };
    const lookup = faults.call(claiming, 'lookup', body).catch(() => undefined);
    await held;
    const first = faults.order(claiming).catch(() => undefined);
    const expectClaims = async () => expect(await countUnreservedClaims()).toBe(RECORDS);
    await vi.waitFor(expectClaims, { timeout: TIMEOUT_MS, interval: 20 });

    const customer = await faults.newCustomer();
    answered = { customer, first: await faults.order(customer) };
    await faults.restart(async () => {
      orderedWhileClaimed = await faults.order(await faults.newCustomer(), claiming.ids).catch(String);
    });
    await Promise.all([lookup, first]);
    await faults.waitUntilIdle();
  }, TIMEOUT_MS * 3);

  it.each(heldCases.map((one) => [one.name, one.endState, one] as const))(
    '%s, a data request becomes %s, is paid once and submitted once',
    async (_, endState, one) => {
      const entry = created.get(one);
      if (entry === undefined) throw new Error('it was not created');
      const { customer, first } = entry;
      const ordered = one.isHalfCached ? customer.ids.slice(HALF) : customer.ids;
      expect(first).toMatchObject({ requested: RECORDS, cached: RECORDS - ordered.length });
      const view = await faults.call<DataRequestView>(customer, `requests/${first.id}`);
      expect(faults.provider.listOrders(ordered)).toEqual([ordered]);
      if (endState === 'ready') {
        expect(view).toMatchObject({ rows: RECORDS, credits: { charged: ordered.length * CREDITS } });
        expect(await faults.readRowIds(customer, first.id)).toEqual(customer.ids);
      } else {
        expect(view).toMatchObject({ problem: { code: 'provider_unclear' } });
      }
      expect(view.state).toBe(endState);
      await faults.expectSpent(customer, RECORDS, endState === 'unclear' ? RECORDS : 0);
    },
  );

  it('right after it is created, a data request is submitted at most once', async () => {
    const { customer, first } = answered;
    const { state } = await faults.call<DataRequestView>(customer, `requests/${first.id}`);
    // A submission in progress becomes unclear; otherwise the data request continues.
    expect(['ready', 'unclear']).toContain(state);
    if (state === 'ready') expect(await faults.readRowIds(customer, first.id)).toEqual(customer.ids);
    expect(faults.provider.listOrders(customer.ids).length).toBeLessThanOrEqual(1);
    await faults.expectSpent(customer, RECORDS, state === 'unclear' ? RECORDS : 0);
  });

  // "kill -9 between claim and reservation (every claim is released or continued)".
  it('between the claim of its keys and the reservation, a data request is deleted, and its keys are released', async () => {
    expect(orderedWhileClaimed).toContain('409');
    expect(await countUnreservedClaims()).toBe(0);
    const other = { ...(await faults.newCustomer()), ids: claiming.ids };
    const { id } = await faults.order(other);
    await faults.waitUntilIdle();
    expect(await faults.readRowIds(other, id)).toEqual(claiming.ids);
    expect(faults.provider.listOrders(claiming.ids)).toEqual([claiming.ids]);
    await faults.expectSpent(other, RECORDS);
    expect((await faults.gateway.budget(claiming.team)).reserved).toBe(0);
  });
});
