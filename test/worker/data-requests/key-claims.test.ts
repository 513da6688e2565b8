// Orders with overlapping keys: whatever runs at the same time, each record is charged once, and no key stays on order.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataRequestEstimate } from '../../../shared/api/data-requests.ts';
import type { Problem } from '../../../shared/problems.ts';
import type { RequestRow } from '../../../worker/db/schema.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../platform.ts';
import { admin } from '../routes/admin/harness.ts';
import {
  addTeam,
  call,
  createRequest,
  getSpending,
  importCompanies,
  postRequest,
  waitUntilEnded,
} from './bulk.ts';
import { deliverOrderedRecords, ServiceHarness } from './service-harness.ts';

const DAY_MS = 86_400_000;

beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

/** Keys that a request has on order; without one, those of all requests. */
async function onOrder(id?: string): Promise<number> {
  const row = await env.DB.prepare(
    'SELECT count(*) AS keys FROM keys_on_order WHERE request_id = ifnull(?, request_id)',
  )
    .bind(id ?? null)
    .first<{ keys: number }>();
  return row?.keys ?? 0;
}

const refused = (keys: number) => ({
  problem: {
    code: 'already_ordered',
    status: 409,
    detail: expect.stringContaining(`${keys} of these records`),
  },
});

/** Companies that no other test orders. */
let next = 1;
const fresh = (count: number): string[] => Array.from({ length: count }, () => String(next++));

// Task: "two orders with overlapping ids that run at the same time are both charged".
describe('two orders at once', () => {
  beforeAll(() => importCompanies(60));
  const ids = (keys: string[]) => ({ family: 'company_clean', kind: 'ids', keys });

  it('of which some ids are the same: one is taken, the other is refused, and each record is charged once', async () => {
    const [one, two] = [fresh(6), fresh(4)];
    const before = await getSpending();
    const answers = await Promise.all([one, [...one.slice(3), ...two]].map((keys) => postRequest(ids(keys))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const [taken, other] = answers[0]?.status === 201 ? answers : answers.toReversed();
    expect(await other?.json<Problem>()).toMatchObject({
      code: 'already_ordered',
      detail: '3 of these records are on their way in another order.',
      fix: 'Order again when that order is ready. These records are then free.',
    });
    const { id } = await (taken?.json<{ id: string }>() ?? Promise.reject(new Error('none was taken')));
    await waitUntilEnded(id);
    const again = await createRequest(ids([...one, ...two]));
    await waitUntilEnded(again.id);
    expect((await getSpending()).spent - before.spent).toBe(100);
    expect(await onOrder()).toBe(0);
  });

  // "without revealing anything about other teams' queries; the estimate tells the same before the click".
  it('of two teams: the estimate of the second one says the same as its refusal, and names nobody', async () => {
    const keys = fresh(2);
    const token = await addTeam('other', null);
    const known = await env.DB.prepare('SELECT identity FROM requests LIMIT 1').first<RequestRow>();
    const harness = new ServiceHarness({}, String(known?.identity));
    const { id } = await harness.orderByIds(keys);
    const body = { family: 'company_clean', kind: 'shorthand_names', keys: ['c-59'] };
    const post = async (path: string, own: object) =>
      (await call(path, { method: 'POST', body: JSON.stringify(own) }, token)).json<
        DataRequestEstimate & Problem
      >();
    const { problem, ...estimate } = await post('/sheets/v1/estimate/data-request', ids([...keys, '58']));
    expect(estimate).toMatchObject({ ordered: 3, credits: 30 });
    expect(problem).toEqual({
      code: 'already_ordered',
      detail: '2 of these records are on their way in another order.',
      fix: 'Order again when that order is ready. These records are then free.',
    });
    const refusal = await post('/sheets/v1/requests', ids([...keys, '58']));
    expect(refusal).toMatchObject(problem ?? {});
    expect(JSON.stringify(refusal)).not.toContain(id);
    expect(await post('/sheets/v1/estimate/data-request', body)).not.toHaveProperty('problem');
    expect(
      await post('/sheets/v1/estimate/data-request', { ...ids(keys), family: 'company_base' }),
    ).not.toHaveProperty('problem');
    await harness.service.cancel(await harness.getRow(id));
    expect(await onOrder()).toBe(0);
  });

  it('of which one ends between the split and the claim of the other', async () => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = fresh(3);
    const afterSplit = async () => {
      await harness.runSteps((await harness.orderByIds(keys)).id);
    };
    await expect(harness.orderByIds(keys, { afterSplit })).rejects.toMatchObject({
      problem: {
        code: 'already_ordered',
        detail: 'Some of these records have just arrived with another order.',
        fix: 'Order again: they are free now.',
      },
    });
    expect((await harness.orderByIds(keys)).reserved).toBe(0);
    expect(harness.orderedIds).toEqual([keys]);
    expect(await onOrder()).toBe(0);
  });
});

// Design: "One credit charge per distinct record and freshness period, under any concurrency".
describe('any number of overlapping orders', () => {
  const orders = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }), {
    minLength: 2,
    maxLength: 4,
  });

  it('charge as many records as there are distinct keys', async () => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    await fc.assert(
      fc.asyncProperty(orders, async (wanted) => {
        const all = fresh(8);
        harness.orderedIds.length = 0;
        const lists = wanted.map((keys) => keys.map((at) => all[at] ?? ''));
        const before = await getSpending();
        // All at once, then again those that were refused, as often as somebody must wait for somebody else.
        for (let left = lists, rounds = 0; left.length > 0; rounds += 1) {
          expect(rounds).toBeLessThanOrEqual(lists.length);
          const results = await Promise.allSettled(left.map((keys) => harness.orderByIds(keys)));
          const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
          for (const result of results)
            if (result.status === 'rejected')
              expect(result.reason).toMatchObject({ problem: { code: 'already_ordered' } });
          expect(taken.length).toBeGreaterThan(0);
          await Promise.all(taken.map((id) => harness.runSteps(id)));
          left = left.filter((_, at) => results[at]?.status === 'rejected');
        }
        const distinct = new Set(lists.flat());
        expect(harness.orderedIds.flat().toSorted()).toEqual([...distinct].toSorted());
        expect((await getSpending()).spent - before.spent).toBe(distinct.size * 10);
        expect(await onOrder()).toBe(0);
      }),
      { numRuns: 3 },
    );
  });
});

describe('a key', () => {
  it('is on order as a pseudonym, from before the reservation until its record is cached', async () => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = ['987654321', '987654322'];
    const { id } = await harness.orderByIds(keys);
    const { results } = await env.DB.prepare('SELECT * FROM keys_on_order').run();
    expect(JSON.stringify(results)).not.toMatch(/98765432/);
    for (let phase = ''; phase !== 'ready'; phase = (await harness.getRow(id)).phase) {
      expect(await onOrder(id)).toBe(2);
      await expect(harness.orderByIds(keys)).rejects.toMatchObject(refused(2));
      await harness.advance(id);
    }
    expect(await harness.advance(id)).toMatchObject({ over: true });
    expect(await onOrder(id)).toBe(0);
    expect(await harness.orderByIds(keys)).toMatchObject({ reserved: 0, cached: 2 });
  });

  // "deleted when the request reaches a terminal state or is stopped before it was sent".
  it.each<[string, (harness: ServiceHarness, id: string) => Promise<unknown>]>([
    ['is stopped before it is sent', async (harness, id) => harness.service.cancel(await harness.getRow(id))],
    [
      'is refused by the provider',
      (harness, id) => {
        harness.setScript({ create: () => Response.json({ detail: 'no' }, { status: 400 }) });
        return harness.runSteps(id);
      },
    ],
    [
      'brings nothing',
      (harness, id) => {
        harness.setScript({ list: () => Response.json({ detail: 'no' }, { status: 422 }) });
        return harness.runSteps(id);
      },
    ],
  ])('can be ordered again when its request %s', async (_, end) => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = fresh(2);
    const { id } = await harness.orderByIds(keys);
    await end(harness, id);
    expect(await harness.getRow(id)).toMatchObject({ charged: 0 });
    harness.setScript(deliverOrderedRecords());
    await harness.runSteps((await harness.orderByIds(keys)).id);
    expect(await onOrder()).toBe(0);
  });

  it('can be ordered again when its credits were refused', async () => {
    const ledger = getLedger(env, 'team');
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = fresh(2);
    await ledger.setBudget({ spending: false });
    try {
      await expect(harness.orderByIds(keys)).rejects.toMatchObject({ problem: { code: 'spending_off' } });
    } finally {
      await ledger.setBudget({ spending: true });
    }
    expect(await onOrder()).toBe(0);
    await harness.runSteps((await harness.orderByIds(keys)).id);
  });

  describe('that may have been charged', () => {
    /** A request of which nobody knows whether the provider has it. */
    async function unclear(harness: ServiceHarness, keys: string[]): Promise<string> {
      harness.setScript({ create: () => Response.json({ detail: 'no' }, { status: 500 }) });
      const { id } = await harness.orderByIds(keys);
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'unclear', charged: null });
      harness.setScript(deliverOrderedRecords());
      return id;
    }

    // "do not buy again what may have been charged".
    it('is not bought again before the admin says what became of it', async () => {
      const harness = new ServiceHarness();
      const keys = fresh(2);
      const id = await unclear(harness, keys);
      await expect(harness.orderByIds(keys.slice(1))).rejects.toMatchObject({
        problem: {
          code: 'already_ordered',
          detail: '1 of these records is in an earlier order that may have been charged.',
          fix: 'Ask your admin to compare the provider’s balance and to reconcile that order, then order again.',
        },
      });
      const say = (team: string) =>
        admin().ok('POST', '/provider/reconcile', { team, references: [id], charged: false });
      await addTeam('third', null);
      await say('third');
      expect(await onOrder(id)).toBe(2);
      await say('team');
      expect(await onOrder(id)).toBe(0);
      await harness.runSteps((await harness.orderByIds(keys)).id);
    });

    it('is free when the rows of its request would have been deleted, 30 days later', async () => {
      const harness = new ServiceHarness();
      const id = await unclear(harness, fresh(2));
      expect(await onOrder(id)).toBe(2);
      clock.now = (await harness.getRow(id)).createdAt + 29 * DAY_MS;
      await harness.service.deleteExpired();
      expect(await onOrder(id)).toBe(2);
      clock.now += 2 * DAY_MS;
      await harness.service.deleteExpired();
      expect(await onOrder(id)).toBe(0);
    });
  });
});
