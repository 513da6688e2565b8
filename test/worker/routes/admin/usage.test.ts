// Usage reports by day, team, token and family.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UsageReport } from '../../../../shared/api/admin-reports.ts';
import { usageDays } from '../../../../worker/db/schema.ts';
import { type Admin, admin } from './harness.ts';

type Row = typeof usageDays.$inferInsert;

const day = '2026-09-30';

/** Inserts daily totals. */
async function insert(...rows: (Pick<Row, 'teamId' | 'tokenId'> & Partial<Row>)[]): Promise<void> {
  const counts = { hit: 0, stale: 0, coalesced: 0, fetched: 0, notFound: 0, failed: 0 };
  const others = { credits: 0, saved: 0, latencyMs: 0 };
  const key = { day, family: 'company_base', operation: 'collect' } as const;
  for (const row of rows)
    await drizzle(env.DB)
      .insert(usageDays)
      .values({ ...key, ...counts, ...others, ...row });
}

let at: Admin;
const report = (query: string): Promise<UsageReport> => at.ok('GET', `/usage?${query}`);

beforeEach(async () => {
  await env.DB.exec('DELETE FROM usage_days');
  at = admin();
  at.clock.now = Date.UTC(2026, 8, 30, 12);
});

describe('a usage report', () => {
  it('contains calls, hit rate, credits, savings, errors and mean latency', async () => {
    const { id: teamId } = await at.team();
    await insert(
      { teamId, tokenId: 'a', hit: 5, stale: 1, coalesced: 2, fetched: 3, credits: 30, latencyMs: 100 },
      { teamId, tokenId: 'b', notFound: 1, failed: 4, fetched: 4, credits: 40, saved: 80, latencyMs: 60 },
    );
    const counts = { calls: 20, hit: 5, stale: 1, coalesced: 2, fetched: 7, not_found: 1, errors: 4 };
    const total = { ...counts, hit_rate: 0.5, credits: 70, saved: 80, mean_latency_ms: 8 };
    const rows = [{ day, ...total }];
    const sources = expect.arrayContaining([{ source: 'other', spent: 70, saved: 80 }]);
    const whole = { by: 'day', from: '2026-09-01', to: day, total, sources, rows };
    expect(await report('by=day')).toEqual(whole);
    expect(await report('from=2020-01-01&to=2020-01-02')).toMatchObject({
      total: { calls: 0, hit_rate: null, credits: 0, mean_latency_ms: null },
      rows: [],
    });
  });

  it('lists days in order, first and last included', async () => {
    const days = ['2026-09-03', '2026-09-01', '2026-09-04', '2026-08-31', '2026-09-02'];
    await insert(...days.map((day) => ({ day, teamId: 't', tokenId: 'a', hit: 1 })));
    const { rows, total } = await report('by=day&from=2026-09-01&to=2026-09-03');
    expect(rows.map(({ day }) => day)).toEqual(['2026-09-01', '2026-09-02', '2026-09-03']);
    expect(total.hit).toBe(3);
  });

  it('sorts groups by credits, names teams and tokens, even deleted ones, and filters by team', async () => {
    const [small, large] = await Promise.all([at.team({ name: 'Small' }), at.team({ name: 'Large' })]);
    const token = await at.token(small.id, { name: 'Sheet' });
    await at.remove(`/teams/${large.id}`);
    await insert(
      { teamId: small.id, tokenId: token.id, family: 'job_base', credits: 10, fetched: 2 },
      { teamId: small.id, tokenId: token.id, family: 'job_base', operation: 'search', fetched: 1 },
      { day: '2026-09-29', teamId: small.id, tokenId: token.id, family: 'company_clean', credits: 5 },
      { teamId: large.id, tokenId: 'b', family: 'employee_post', credits: 20 },
      { teamId: 'gone', tokenId: 'c', credits: 1 },
    );
    const byTeam = await report('by=team');
    expect(byTeam.rows.map(({ team, team_name, credits }) => [team, team_name, credits])).toEqual([
      [large.id, 'Large', 20],
      [small.id, 'Small', 15],
      ['gone', '', 1],
    ]);
    expect(byTeam.total.credits).toBe(36);
    const named = { token: token.id, token_name: 'Sheet', token_prefix: token.prefix, team_name: 'Small' };
    expect((await report('by=token')).rows[1]).toMatchObject({ ...named, team: small.id, credits: 15 });
    const byFamily = await report(`by=family&team=${small.id}`);
    expect(byFamily.rows.map(({ family, credits, calls }) => [family, credits, calls])).toEqual([
      ['job_base', 10, 3],
      ['company_clean', 5, 0],
    ]);
  });

  it.each([
    ['by=hour', 'by'],
    ['from=yesterday', 'from'],
    ['from=2026-09-02&to=2026-09-01', 'to'],
    ['from=2024-01-01&to=2026-01-01', 'from'],
    ['team=nobody', 'team'],
  ])('rejects %s and names the part', async (query, part) => {
    const { code, detail } = await at.problem('GET', `/usage?${query}`);
    expect(code).toBe('invalid_request');
    expect(detail).toContain(part);
  });
});
