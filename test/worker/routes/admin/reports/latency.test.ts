// Latency reports by hour and day, of all teams and of one.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LatencyReport } from '../../../../../shared/api/admin-reports.ts';
import { upsertHour } from '../../../../../worker/gateway/ledger/usage-counters.ts';
import {
  addHistograms,
  createHistogram,
  emptyHistogram,
  type Histogram,
} from '../../../../../worker/lib/latency-histogram.ts';
import { interceptCalls } from '../../../platform.ts';
import { type Admin, admin } from '../harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The report's last day begins. */
const TODAY = Date.UTC(2026, 8, 30);

/** Calls of equal duration: number and milliseconds. */
type Group = readonly [calls: number, ms: number];

/** Inserts an hour of a team. */
async function insert(team: string, hour: number, groups: readonly Group[], failed = 0): Promise<void> {
  const durations = groups.reduce<Histogram>(
    (sum, [calls, ms]) => addHistograms(sum, createHistogram(calls, ms)),
    emptyHistogram,
  );
  const calls = durations.reduce((sum, count) => sum + count, 0);
  await upsertHour(drizzle(env.DB), team, { hour, calls, failed, latencyMs: 0, durations });
}

let at: Admin;
const report = (query = ''): Promise<LatencyReport> => at.ok('GET', `/latency?${query}`);
const listStarts = ({ rows }: LatencyReport): string[] => rows.map(({ start }) => start);

beforeEach(async () => {
  await env.DB.exec('DELETE FROM usage_hours');
  at = admin();
  at.clock.now = TODAY + 12 * HOUR_MS;
});

describe('a latency report', () => {
  it('has calls, errors, median and 95th percentile of each hour, and of all together', async () => {
    await insert('one', TODAY + HOUR_MS, [[10, 200]], 2);
    await insert('two', TODAY + HOUR_MS, [[10, 2000]]);
    await insert('one', TODAY, [[4, 5]], 1);
    const rows = [
      {
        start: '2026-09-30T00:00:00.000Z',
        calls: 4,
        errors: 1,
        p50_ms: 6.5,
        p95_ms: expect.closeTo(9.65, 9),
      },
      { start: '2026-09-30T01:00:00.000Z', calls: 20, errors: 2, p50_ms: 300, p95_ms: 2800 },
    ];
    expect(await report()).toEqual({
      by: 'hour',
      from: '2026-09-24',
      to: '2026-09-30',
      // Ranks 12 and 22.8 of 24: 8 of 10 calls into the range from 100, and 8.8 of 10 into that from 1000.
      total: { calls: 24, errors: 3, p50_ms: 260, p95_ms: expect.closeTo(2760, 9) },
      rows,
    });
  });

  it('has the first and the last hour of its days, and no other', async () => {
    const hours = [-1, 0, 23, 24, 47, 48].map((hour) => TODAY - 2 * DAY_MS + hour * HOUR_MS);
    for (const hour of hours) await insert('one', hour, [[1, 5]]);
    expect(listStarts(await report('from=2026-09-28&to=2026-09-29'))).toEqual([
      '2026-09-28T00:00:00.000Z',
      '2026-09-28T23:00:00.000Z',
      '2026-09-29T00:00:00.000Z',
      '2026-09-29T23:00:00.000Z',
    ]);
    const byDay = await report('from=2026-09-28&to=2026-09-29&by=day');
    expect(byDay.rows.map(({ start, calls }) => [start, calls])).toEqual([
      ['2026-09-28T00:00:00.000Z', 2],
      ['2026-09-29T00:00:00.000Z', 2],
    ]);
  });

  it('groups by day above 7 days, unless hours are requested', async () => {
    for (const hours of [0, 1]) await insert('one', TODAY + hours * HOUR_MS, [[1, 5]]);
    const eight = 'from=2026-09-23&to=2026-09-30';
    expect(await report('from=2026-09-24')).toMatchObject({ by: 'hour', rows: [{}, {}] });
    expect(await report(eight)).toMatchObject({ by: 'day', rows: [{ calls: 2 }] });
    expect(await report(`${eight}&by=hour`)).toMatchObject({
      by: 'hour',
      rows: [{ calls: 1 }, { calls: 1 }],
    });
  });

  it('reports one team, also a deleted one', async () => {
    const { id } = await at.team();
    await insert(id, TODAY, [[3, 5]]);
    await insert('another', TODAY, [[10, 500]]);
    await at.remove(`/teams/${id}`);
    expect((await report(`team=${id}`)).total).toMatchObject({ calls: 3, p50_ms: 6.5 });
    expect((await report()).total.calls).toBe(13);
  });

  it('has no percentiles without durations', async () => {
    const { id } = await at.team();
    const counts = { calls: 2, failed: 1, latencyMs: 8, durations: emptyHistogram };
    await upsertHour(drizzle(env.DB), id, { hour: TODAY, ...counts });
    const unknown = { errors: 1, calls: 2, p50_ms: null, p95_ms: null };
    expect(await report(`team=${id}`)).toMatchObject({ total: unknown, rows: [unknown] });
    expect(await report('from=2026-01-01&to=2026-01-02')).toMatchObject({
      total: { calls: 0, errors: 0, p50_ms: null, p95_ms: null },
      rows: [],
    });
  });

  it('reads 90 days of all hours with one statement, and those of a team by their index', async () => {
    const statements: string[] = [];
    const database = interceptCalls(env.DB, (method, [statement]) => {
      if (method === 'prepare') statements.push(String(statement));
    });
    at = admin({ DB: database });
    at.clock.now = TODAY;
    const { id } = await at.team();
    const values = Array.from({ length: 90 * 24 }, (_, hour) => `(${TODAY + DAY_MS - (hour + 1) * HOUR_MS})`);
    await env.DB.prepare(
      `INSERT INTO usage_hours SELECT column1, '${id}', 1, 0, 9, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 FROM (VALUES ${values.join()})`,
    ).run();
    statements.length = 0;
    const full = await report('from=2026-07-03&by=hour');
    expect(full.rows).toHaveLength(90 * 24);
    expect(full.total.calls).toBe(90 * 24);
    expect(statements).toHaveLength(1);
    statements.length = 0;
    expect((await report(`from=2026-07-03&team=${id}`)).rows).toHaveLength(90);
    expect(statements).toHaveLength(2);
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statements[1]}`)
      .bind(...Array.from({ length: statements[1]?.split('?').length ?? 0 }, () => 0).slice(1))
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join()).toContain('usage_hours_by_team');
  });

  it.each([
    ['by=week', 'by'],
    ['from=yesterday', 'from'],
    ['from=2026-09-02&to=2026-09-01', 'to'],
    ['from=2026-07-02&to=2026-09-30', 'from'],
    ['team=nobody', 'team'],
    ['tea=nobody', 'tea'],
  ])('rejects %s and names the part', async (query, part) => {
    const { code, detail } = await at.problem('GET', `/latency?${query}`);
    expect(code).toBe('invalid_request');
    expect(detail).toContain(part);
  });
});
