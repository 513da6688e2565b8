// The ledger's entries, leases and top-ups.
import { describe, expect } from 'vitest';
import type { LeaseRequest } from '../../../../worker/gateway/ledger/types.ts';
import {
  call,
  hits,
  type LedgerBench,
  ledgerTest,
  listEntries,
  NOON,
  reserve,
  reserveOne,
  setCaps,
} from './ledger-harness.ts';

describe('entries', () => {
  ledgerTest('record changes by the admin, with the token that they concern', (bench) => {
    bench.ledger.setBudget({ caps: { day: 5 }, spending: false });
    bench.ledger.setToken('jo', { caps: { month: 7 }, ratePerMinute: 60 });
    expect(listEntries(bench)).toMatchObject([
      { kind: 'budget', credits: 0, note: '{"caps":{"day":5},"spending":false}' },
      { kind: 'budget', token: 'jo', credits: 0, note: '{"caps":{"month":7},"ratePerMinute":60}' },
    ]);
    expect(listEntries(bench)[0]).not.toHaveProperty('token');
    expect(bench.ledger.getBudget().caps).toEqual({ day: 5, month: null });
    expect(bench.ledger.getTokenBudget('jo').caps).toEqual({ day: null, month: 7 });
  });

  ledgerTest('record the savings of an hour, once for each token and operation', async (bench) => {
    const record = () =>
      bench.ledger.recordUsage([
        { ...hits(3, 30), outcomes: { hit: 1, stale: 1, coalesced: 1, fetched: 5, failed: 2 } },
        hits(2, 0),
        hits(1, 10, 'other'),
      ]);
    for (let handover = 0; handover < 500; handover += 1) record();
    expect(listEntries(bench)).toEqual([]);
    expect(bench.ledger.getBudget().saved).toEqual({ day: 20_000, month: 20_000 });
    bench.restart();
    await bench.advance(3_600_000 - 1);
    expect(listEntries(bench)).toEqual([]);
    record();
    await bench.advance(60_000);
    const first = [
      { number: 1, kind: 'saved', token: 'other', operation: 'enrich', saved: 5_010, credits: 0, calls: 501 },
      {
        number: 2,
        kind: 'saved',
        token: 'token',
        operation: 'enrich',
        saved: 15_030,
        credits: 0,
        calls: 1_503,
      },
    ];
    expect(listEntries(bench)).toMatchObject(first);
    record();
    await bench.advance(3_660_000);
    expect(listEntries(bench)).toMatchObject([...first, { saved: 10, calls: 1 }, { saved: 30, calls: 3 }]);
    await bench.advance(3_660_000);
    expect(listEntries(bench)).toHaveLength(4);
  });

  ledgerTest('book savings to the day of their hour', async (bench) => {
    bench.clock.now = NOON + 12 * 3_600_000 - 1_000;
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(60_000);
    expect(listEntries(bench)).toMatchObject([
      { kind: 'saved', day: new Date(NOON).toISOString().slice(0, 10) },
    ]);
  });

  ledgerTest('are listed by subject, newest first', async (bench) => {
    const ids: string[] = [];
    for (const subject of ['a', 'b', 'a']) ids.push(await reserveOne(bench, { ...call(10), subject }));
    bench.ledger.settleMany(ids.map((id) => ({ id, charged: 10 })));
    expect(bench.ledger.listEntriesBySubject('a').map(({ number }) => number)).toEqual([3, 1]);
    expect(bench.ledger.listEntriesBySubject('c')).toEqual([]);
  });
});

describe('lease', () => {
  function lease(
    { ledger }: LedgerBench,
    request: Partial<LeaseRequest> = {},
    token = 'token',
  ): number | string {
    const result = ledger.lease(token, { usages: [], ...request });
    return 'refused' in result ? result.refused : result.granted;
  }

  ledgerTest('grants a fiftieth of the limit, or the requested number of calls', (bench) => {
    expect(bench.ledger.lease('token', { usages: [] })).toEqual({
      granted: 120,
      limit: 6000,
      windowS: 60,
      endsAt: NOON + 60_000,
      remaining: 1000,
    });
    expect(lease(bench, { calls: 1 })).toBe(1);
    bench.ledger.setToken('slow', { ratePerMinute: 7 });
    expect(lease(bench, {}, 'slow')).toBe(1);
  });

  ledgerTest('grants at most the limit in a window, even after a restart', (bench) => {
    bench.ledger.setToken('token', { ratePerMinute: 10 });
    expect(lease(bench, { calls: 7 })).toBe(7);
    bench.restart();
    expect([lease(bench, { calls: 7 }), lease(bench)]).toEqual([3, 0]);
    expect(lease(bench, { calls: 1 }, 'other')).toBe(1);
    bench.clock.now += 59_999;
    expect(lease(bench)).toBe(0);
    bench.clock.now += 1;
    expect(lease(bench, { calls: 11 })).toBe(10);
  });

  ledgerTest('applies a new rate at once', (bench) => {
    bench.ledger.setToken('token', { ratePerMinute: 10 });
    lease(bench, { calls: 10 });
    bench.ledger.setToken('token', { ratePerMinute: 12 });
    expect(lease(bench, { calls: 10 })).toBe(2);
    bench.ledger.setToken('token', { ratePerMinute: 5 });
    expect(lease(bench)).toBe(0);
  });

  ledgerTest('refuses a revoked token, but records its usage', (bench) => {
    bench.ledger.setToken('token', { revoked: true });
    expect(lease(bench, { usages: [hits(1, 10)] })).toBe('unauthorised');
    expect(bench.ledger.getBudget().saved.day).toBe(10);
    bench.ledger.setToken('token', { revoked: false });
    expect(lease(bench)).toBe(120);
  });

  ledgerTest('returns the credits that the token may still spend', (bench) => {
    bench.ledger.setToken('token', { caps: { month: 40 } });
    expect(bench.ledger.lease('token', { usages: [] })).toMatchObject({ remaining: 40 });
    setCaps(bench, {});
    expect(bench.ledger.lease('other', { usages: [] })).toMatchObject({ remaining: null });
    bench.ledger.setBudget({ spending: false });
    expect(bench.ledger.lease('other', { usages: [] })).toMatchObject({ remaining: 0 });
  });
});

describe('topUp', () => {
  async function spend(bench: LedgerBench, credits: number): Promise<void> {
    const id = await reserveOne(bench, call(credits));
    bench.ledger.settleMany([{ id, charged: credits }]);
  }

  ledgerTest('adds credits once for each id, even after a restart', (bench) => {
    bench.ledger.topUp({ id: 'may', credits: 50, note: 'Fair' });
    bench.restart();
    expect(bench.ledger.topUp({ id: 'may', credits: 50 }).topUp).toBe(50);
    expect(bench.ledger.topUp({ id: 'june', credits: 5 }).topUp).toBe(55);
    expect(bench.ledger.listTopUps()).toMatchObject([
      { kind: 'top_up', reference: 'june', credits: 5 },
      { kind: 'top_up', reference: 'may', credits: 50, note: 'Fair', calls: 0 },
    ]);
  });

  ledgerTest('is spent once the cap is reached, to the last credit', async (bench) => {
    setCaps(bench, { day: 100 });
    bench.ledger.topUp({ id: 'one', credits: 30 });
    expect(bench.ledger.getBudget().remaining).toBe(130);
    await spend(bench, 95);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 30, remaining: 35 });
    await spend(bench, 15);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 20, remaining: 20, spent: { day: 110 } });
    expect(await reserve(bench, call(21), call(20))).toEqual(['over_budget', 'reserved']);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0 });
  });

  ledgerTest('that covered a day does not reduce the budget of the month', async (bench) => {
    setCaps(bench, { day: 10, month: 25 });
    bench.ledger.topUp({ id: 'one', credits: 7 });
    await spend(bench, 15);
    await bench.advance(86_400_000);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 2, remaining: 12, spent: { month: 15 } });
    await spend(bench, 10);
    await bench.advance(86_400_000);
    expect(bench.ledger.getBudget().remaining).toBe(7);
    await spend(bench, 7);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0, spent: { month: 32 } });
  });

  ledgerTest('gets back released credits first', async (bench) => {
    setCaps(bench, { day: 10 });
    bench.ledger.topUp({ id: 'one', credits: 10 });
    const [first, second] = [await reserveOne(bench, call(10)), await reserveOne(bench, call(10))];
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0 });
    bench.ledger.settleMany([
      { id: first, charged: 0 },
      { id: second, charged: 10 },
    ]);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 10, remaining: 10, spent: { day: 10 } });
  });

  ledgerTest('counts credits that were reserved yesterday', async (bench) => {
    setCaps(bench, { day: 10 });
    bench.ledger.topUp({ id: 'one', credits: 10 });
    bench.clock.now = Date.UTC(2026, 8, 15, 23, 59, 59);
    const id = await reserveOne(bench, call(20));
    bench.clock.now += 2000;
    expect(await reserve(bench, call(21), call(20), call(10))).toEqual(['over_budget', 'wait', 'reserved']);
    bench.ledger.settleMany([{ id, charged: 0 }]);
    expect(await reserve(bench, call(10))).toEqual(['reserved']);
  });

  ledgerTest('covers spending beyond a lowered cap, not charges beyond the price', async (bench) => {
    setCaps(bench, { day: 100 });
    bench.ledger.settleMany([{ id: await reserveOne(bench, call(45)), charged: 50 }]);
    setCaps(bench, { day: 20 });
    bench.ledger.topUp({ id: 'one', credits: 25 });
    expect(await reserve(bench, call(1))).toEqual(['over_budget']);
    bench.ledger.topUp({ id: 'two', credits: 5 });
    const id = await reserveOne(bench, call(4));
    bench.ledger.settleMany([{ id, charged: 9 }]);
    expect(bench.ledger.getBudget()).toMatchObject({ topUp: 1, remaining: 1, spent: { day: 49 } });
  });
});
