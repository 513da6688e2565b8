// Budgets of all teams with forecasts, and the totals of all teams.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BudgetList, Spending } from '../../../../../shared/api/admin-reports.ts';
import { usageDays } from '../../../../../worker/db/schema.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { type Forecast, forecastMonth } from '../../../../../worker/routes/admin/reports/budgets.ts';
import { call } from '../../../gateway/ledger/ledger-harness.ts';
import { clock } from '../../../platform.ts';
import { admin } from '../harness.ts';

/** Of September 2026, which has 30 days. */
const at = (day: number, hour = 0, minute = 0) => Date.UTC(2026, 8, day, hour, minute);

describe('the forecast of a month', () => {
  it.each<[string, number, number, number | null, Forecast]>([
    ['without spending is zero', at(15), 0, 100, { month: 0, overCapOn: null }],
    ['without spending and with a cap of zero is zero', at(15), 0, 0, { month: 0, overCapOn: null }],
    ['without a cap', at(16), 300, null, { month: 600, overCapOn: null }],
    ['is rounded', at(8), 10, 50, { month: 43, overCapOn: null }],
    ['that ends exactly at the cap', at(16), 300, 600, { month: 600, overCapOn: null }],
    ['that ends one credit over the cap', at(16), 300, 599, { month: 600, overCapOn: '2026-09-30' }],
    [
      'that reaches the cap at the beginning of a day',
      at(16),
      300,
      400,
      { month: 600, overCapOn: '2026-09-21' },
    ],
    ['that has reached the cap', at(16, 23), 400, 400, { month: 752, overCapOn: '2026-09-16' }],
    ['in its first hours is unknown', at(1, 11, 59), 300, 400, { month: null, overCapOn: null }],
    ['in its first hours knows a reached cap', at(1), 400, 400, { month: null, overCapOn: '2026-09-01' }],
    ['after twelve hours', at(1, 12), 10, 25, { month: 600, overCapOn: '2026-09-02' }],
  ])('%s', (_, now, month, cap, expected) => {
    const budget = { spent: { day: 0, month }, caps: { day: null, month: cap } };
    expect(forecastMonth(budget, now)).toEqual(expected);
  });

  it('knows the length of a month', () => {
    const budget = { spent: { day: 0, month: 280 }, caps: { day: null, month: null } };
    expect(forecastMonth(budget, Date.UTC(2027, 1, 15))).toMatchObject({ month: 560 });
    expect(forecastMonth(budget, Date.UTC(2028, 1, 15))).toMatchObject({ month: 580 });
    expect(forecastMonth(budget, Date.UTC(2026, 11, 29))).toMatchObject({ month: 310 });
  });
});

describe('the list of budgets', () => {
  it('has every team once, oldest first, with exact figures', async () => {
    // The ledgers have the same clock.
    const { ok, team, pages, remove, clock: adminClock } = admin();
    adminClock.now = clock.now;
    const name = '=1+1<script>';
    const budget = { day: 1000, month: 1000 };
    const one = await team({ name, budget });
    // Teams of the same millisecond are in the order of their ids.
    adminClock.now += 1;
    const [other, deleted] = [await team({ budget }), await team()];
    await remove(`/teams/${deleted.id}`);
    const ledger = getLedger(env, one.id);
    const bought = call(40);
    await ledger.reserveMany([bought, call(7)], 0);
    await ledger.settleMany([{ id: bought.id, charged: 40 }]);

    const all = await pages('/budgets?', 2, ({ budgets }: BudgetList) => budgets);
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(deleted.id);
    expect(ids.indexOf(one.id)).toBeLessThan(ids.indexOf(other.id));
    const spent = { day: 40, month: 40 };
    const forecast = forecastMonth({ spent, caps: budget }, adminClock.now);
    expect(all.find(({ id }) => id === one.id)).toEqual({
      id: one.id,
      name,
      budget: await ok('GET', `/teams/${one.id}/budget`),
      forecast_month: forecast.month,
      over_cap_on: forecast.overCapOn,
    });
    expect(all.find(({ id }) => id === one.id)?.budget).toMatchObject({ spent, reserved: 7, remaining: 953 });
    expect(all.find(({ id }) => id === other.id)?.over_cap_on).toBeNull();
  });

  it('reads at most five ledgers at a time, each once', async () => {
    const counts = { calls: 0, running: 0, peak: 0 };
    const getBudget = async () => {
      counts.calls += 1;
      counts.running += 1;
      counts.peak = Math.max(counts.peak, counts.running);
      await scheduler.wait(0);
      counts.running -= 1;
      return getLedger(env, 'budgets-absent').getBudget();
    };
    const LEDGER = new Proxy(env.LEDGER, { get: () => () => ({ getBudget }) });
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
        INSERT INTO teams (id, name, created_at) SELECT printf('budgets-%03d', n), 'Sales', n FROM numbers`,
    ).run();
    const { budgets, next } = await admin({ LEDGER }).ok<BudgetList>('GET', '/budgets');
    expect(budgets).toHaveLength(100);
    expect(next).toBe(budgets.at(-1)?.id);
    expect(counts).toEqual({ calls: 100, running: 0, peak: 5 });
  });
});

describe('the spending of all teams', () => {
  type Row = Partial<typeof usageDays.$inferInsert>;

  async function insert(...rows: Row[]): Promise<void> {
    const counts = { hit: 0, stale: 0, coalesced: 0, fetched: 0, notFound: 0, failed: 0 };
    const others = { credits: 0, saved: 0, latencyMs: 0, tokenId: 'token' };
    const key = { day: '2026-09-15', family: 'company_base', operation: 'collect' } as const;
    for (const [index, row] of rows.entries())
      await drizzle(env.DB)
        .insert(usageDays)
        .values({ ...key, teamId: `spending-${index}`, ...counts, ...others, ...row });
  }

  async function readSpending(): Promise<Spending> {
    const { ok, clock: adminClock } = admin();
    adminClock.now = at(15, 12);
    return ok('GET', '/spending');
  }

  beforeEach(() => env.DB.exec('DELETE FROM usage_days'));

  it('has today’s and this month’s totals, and nothing of other months or later days', async () => {
    await insert(
      { hit: 3, fetched: 2, credits: 20, saved: 30, latencyMs: 100 },
      { failed: 5, credits: 1 },
      { day: '2026-09-14', stale: 1, credits: 300, latencyMs: 10 },
      { day: '2026-09-01', coalesced: 1, credits: 4000, notFound: 1 },
      { day: '2026-08-31', hit: 1, credits: 50_000 },
      { day: '2026-09-16', hit: 1, credits: 600_000 },
    );
    expect(await readSpending()).toEqual({
      date: '2026-09-15',
      day: {
        calls: 10,
        hit: 3,
        stale: 0,
        coalesced: 0,
        fetched: 2,
        not_found: 0,
        errors: 5,
        hit_rate: 0.6,
        credits: 21,
        saved: 30,
        mean_latency_ms: 10,
      },
      month: {
        calls: 13,
        hit: 3,
        stale: 1,
        coalesced: 1,
        fetched: 2,
        not_found: 1,
        errors: 5,
        hit_rate: 0.625,
        credits: 4321,
        saved: 30,
        mean_latency_ms: 110 / 13,
      },
    });
  });

  it('is zero without usage, and on a day without usage', async () => {
    const none = { calls: 0, credits: 0, saved: 0, hit_rate: null, mean_latency_ms: null };
    expect(await readSpending()).toMatchObject({ day: none, month: none });
    await insert({ day: '2026-09-02', credits: 7 });
    expect(await readSpending()).toMatchObject({ day: none, month: { credits: 7 } });
  });
});
