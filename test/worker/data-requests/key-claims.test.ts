// Orders with overlapping keys: each record is charged once under any concurrency, and no key stays claimed.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataRequestEstimate } from '../../../shared/api/data-requests.ts';
import type { Problem } from '../../../shared/problems.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../platform.ts';
import { admin } from '../routes/admin/harness.ts';
import { addTeam, call, companyIds, completeRequest, getSpending, importCompanies } from './bulk.ts';
import { deliverOrderedRecords, respond, ServiceHarness } from './service-harness.ts';

const DAY_MS = 86_400_000;

beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

/** Counts the claimed keys of a data request, or of all. */
async function countClaims(id?: string): Promise<number> {
  const sql = 'SELECT count(*) AS keys FROM claimed_keys WHERE request_id = ifnull(?, request_id)';
  return Number(
    await env.DB.prepare(sql)
      .bind(id ?? null)
      .first('keys'),
  );
}

/** Ids that no other test orders. */
let nextId = 1;
const takeIds = (count: number): string[] => Array.from({ length: count }, () => String(nextId++));

// "two orders with overlapping ids that run at the same time are both charged".
describe('two concurrent orders', () => {
  beforeAll(() => importCompanies(60));

  // "without revealing anything about other teams' queries; the estimate tells the same before the click".
  it('returns the same problem in the estimate and the refusal, without naming the other team', async () => {
    const keys = takeIds(2);
    const token = await addTeam('other', null);
    const { id: known } = await completeRequest(companyIds(takeIds(1)));
    const { identity } = await new ServiceHarness().getRow(known);
    const harness = new ServiceHarness({}, String(identity));
    const { id } = await harness.orderByIds(keys);
    const post = async (path: string, body: object) =>
      (await call(path, { method: 'POST', body: JSON.stringify(body) }, token)).json<
        DataRequestEstimate & Problem
      >();
    const estimatePath = '/sheets/v1/estimate/data-request';
    const { problem, ...estimate } = await post(estimatePath, companyIds([...keys, 58]));
    expect(estimate).toMatchObject({ ordered: 3, credits: 30 });
    expect(problem).toEqual({
      code: 'already_ordered',
      detail: '2 of these records are on their way in another order.',
      fix: 'Order again when that order is ready. These records are then free.',
    });
    const refusal = await post('/sheets/v1/requests', companyIds([...keys, 58]));
    expect(refusal).toMatchObject(problem ?? {});
    expect(JSON.stringify(refusal)).not.toContain(id);
    for (const other of [
      { family: 'company_clean', kind: 'shorthand_names', keys: ['c-59'] },
      { ...companyIds(keys), family: 'company_base' },
    ]) {
      expect(await post(estimatePath, other)).not.toHaveProperty('problem');
    }
    await harness.service.cancel(await harness.getRow(id));
    expect(await countClaims()).toBe(0);
  });

  it('refuses the second one if the first one ends between its split and its claim', async () => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = takeIds(3);
    const afterSplit = async () => {
      await harness.runSteps((await harness.orderByIds(keys)).id);
    };
    await expect(harness.orderByIds(keys, { afterSplit })).rejects.toMatchObject({
      problem: {
        code: 'already_ordered',
        detail: 'Some of these records have just arrived with another order.',
      },
    });
    expect((await harness.orderByIds(keys)).reserved).toBe(0);
    expect(harness.orderedIds).toEqual([keys]);
    expect(await countClaims()).toBe(0);
  });
});

// Design: "One credit charge per distinct record and freshness period, under any concurrency".
it('charges each distinct key once for any overlapping orders', async () => {
  const orders = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 3,
  });
  const harness = new ServiceHarness(deliverOrderedRecords());
  await fc.assert(
    fc.asyncProperty(orders, async (indexes) => {
      const ids = takeIds(5);
      harness.orderedIds.length = 0;
      const lists = indexes.map((order) => order.map((index) => ids[index] ?? ''));
      const before = await getSpending();
      // Refused orders are repeated when the accepted ones have ended.
      for (let open = lists, rounds = 0; open.length > 0; rounds += 1) {
        expect(rounds).toBeLessThanOrEqual(lists.length);
        const results = await Promise.allSettled(open.map((keys) => harness.orderByIds(keys)));
        const accepted = results.flatMap((result) =>
          result.status === 'fulfilled' ? [result.value.id] : [],
        );
        for (const result of results)
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ problem: { code: 'already_ordered' } });
        expect(accepted.length).toBeGreaterThan(0);
        await Promise.all(accepted.map((id) => harness.runSteps(id)));
        open = open.filter((_, at) => results[at]?.status === 'rejected');
      }
      const distinct = new Set(lists.flat());
      expect(harness.orderedIds.flat().toSorted()).toEqual([...distinct].toSorted());
      expect((await getSpending()).spent - before.spent).toBe(distinct.size * 10);
      expect(await countClaims()).toBe(0);
    }),
    { numRuns: 3 },
  );
});

describe('a claimed key', () => {
  it('is stored as a pseudonym from before the reservation until its record is cached', async () => {
    const harness = new ServiceHarness(deliverOrderedRecords());
    const keys = ['987654321', '987654322'];
    const { id } = await harness.orderByIds(keys);
    const { results } = await env.DB.prepare('SELECT * FROM claimed_keys').run();
    expect(JSON.stringify(results)).not.toMatch(/98765432/);
    for (let phase = ''; phase !== 'ready'; phase = (await harness.getRow(id)).phase) {
      expect(await countClaims(id)).toBe(2);
      await expect(harness.orderByIds(keys)).rejects.toMatchObject({
        problem: { code: 'already_ordered', status: 409, detail: expect.stringContaining('2 of these') },
      });
      await harness.advance(id);
    }
    expect(await harness.advance(id)).toMatchObject({ over: true });
    expect(await countClaims(id)).toBe(0);
    expect(await harness.orderByIds(keys)).toMatchObject({ reserved: 0, cached: 2 });
  });

  // "deleted when the request reaches a terminal state or is stopped before it was sent".
  it.each<[string, (harness: ServiceHarness, id: string) => Promise<unknown>]>([
    [
      'its data request is cancelled before it is sent',
      async (harness, id) => harness.service.cancel(await harness.getRow(id)),
    ],
    [
      'the provider refuses its data request',
      (harness, id) => {
        harness.setScript({ create: respond(400) });
        return harness.runSteps(id);
      },
    ],
    [
      'its data request delivers nothing',
      (harness, id) => {
        harness.setScript({ list: respond(422) });
        return harness.runSteps(id);
      },
    ],
  ])('is released when %s', async (_, end) => {
    const harness = new ServiceHarness();
    const keys = takeIds(2);
    const { id } = await harness.orderByIds(keys);
    await end(harness, id);
    expect(await harness.getRow(id)).toMatchObject({ charged: 0 });
    expect(await countClaims()).toBe(0);
    const again = await harness.orderByIds(keys);
    await harness.service.cancel(again);
  });

  it('is released when the reservation is refused', async () => {
    const ledger = getLedger(env, 'team');
    const harness = new ServiceHarness();
    await ledger.setBudget({ spending: false });
    try {
      await expect(harness.orderByIds(takeIds(2))).rejects.toMatchObject({
        problem: { code: 'spending_off' },
      });
    } finally {
      await ledger.setBudget({ spending: true });
    }
    expect(await countClaims()).toBe(0);
  });

  describe('of an unclear data request', () => {
    /** Orders keys with an unclear outcome. */
    async function orderUnclear(harness: ServiceHarness, keys: string[]): Promise<string> {
      harness.setScript({ create: respond(500) });
      const { id } = await harness.orderByIds(keys);
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'unclear', charged: null });
      return id;
    }

    // Records that may have been charged are not bought again.
    it('stays claimed until the admin reconciles it', async () => {
      const harness = new ServiceHarness();
      const keys = takeIds(2);
      const id = await orderUnclear(harness, keys);
      await expect(harness.orderByIds(keys.slice(1))).rejects.toMatchObject({
        problem: {
          code: 'already_ordered',
          detail: '1 of these records is in an earlier order that may have been charged.',
          fix: 'Ask your admin to compare the provider’s balance and to reconcile that order, then order again.',
        },
      });
      const reconcile = (team: string) =>
        admin().ok('POST', '/provider/reconcile', { team, references: [id], charged: false });
      await addTeam('third', null);
      await reconcile('third');
      expect(await countClaims(id)).toBe(2);
      await reconcile('team');
      expect(await countClaims(id)).toBe(0);
      await harness.service.cancel(await harness.orderByIds(keys));
    });

    it('is released after 30 days', async () => {
      const harness = new ServiceHarness();
      const id = await orderUnclear(harness, takeIds(2));
      clock.now = (await harness.getRow(id)).createdAt + 29 * DAY_MS;
      await harness.service.deleteExpired();
      expect(await countClaims(id)).toBe(2);
      clock.now += 2 * DAY_MS;
      // Each run deletes some requests, and those of earlier tests have expired, too.
      const sweep = async () => {
        await harness.service.deleteExpired();
        return countClaims(id);
      };
      await expect.poll(sweep).toBe(0);
    });
  });
});
