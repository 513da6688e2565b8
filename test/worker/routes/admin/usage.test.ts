// Usage reports by day, team, token and family.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UsageReport } from '../../../../shared/api/admin-reports.ts';
import { usageDays } from '../../../../worker/db/schema.ts';
import { type Admin, admin } from './harness.ts';

type Row = typeof usageDays.$inferInsert;

async function add(...rows: (Pick<Row, 'day' | 'teamId' | 'tokenId'> & Partial<Row>)[]): Promise<void> {
  const empty = { hit: 0, stale: 0, coalesced: 0, fetched: 0, notFound: 0, failed: 0 };
  const usual = { family: 'company_base', operation: 'collect', credits: 0, saved: 0, latencyMs: 0 } as const;
  await drizzle(env.DB)
    .insert(usageDays)
    .values(rows.map((row) => ({ ...usual, ...empty, ...row })));
}

let at: Admin;
const usage = (query: string): Promise<UsageReport> => at.ok('GET', `/usage?${query}`);
const zero = {
  calls: 0,
  hit: 0,
  stale: 0,
  coalesced: 0,
  fetched: 0,
  not_found: 0,
  errors: 0,
  hit_rate: null,
  credits: 0,
  saved: 0,
  mean_latency_ms: null,
};

beforeEach(async () => {
  await env.DB.exec('DELETE FROM usage_days');
  at = admin();
  at.clock.now = Date.UTC(2026, 8, 30, 12);
});

describe('a usage report', () => {
  it('contains calls, hit rate, credits, savings, errors and mean latency', async () => {
    const { id: teamId } = await at.team();
    const day = '2026-09-30';
    await add(
      { day, teamId, tokenId: 'a', hit: 5, stale: 1, coalesced: 2, fetched: 3, credits: 30, latencyMs: 100 },
      {
        day,
        teamId,
        tokenId: 'b',
        notFound: 1,
        failed: 4,
        fetched: 4,
        credits: 40,
        saved: 80,
        latencyMs: 60,
      },
    );
    const counted = {
      calls: 20,
      hit: 5,
      stale: 1,
      coalesced: 2,
      fetched: 7,
      not_found: 1,
      errors: 4,
      hit_rate: 0.5,
      credits: 70,
      saved: 80,
      mean_latency_ms: 8,
    };
    expect(await usage('by=day')).toEqual({
      by: 'day',
      from: '2026-09-01',
      to: day,
      total: counted,
      rows: [{ day, ...counted }],
    });
  });

  it('is empty for a time without calls', async () => {
    expect(await usage('from=2020-01-01&to=2020-01-02')).toEqual({
      by: 'day',
      from: '2020-01-01',
      to: '2020-01-02',
      total: zero,
      rows: [],
    });
  });

  it('lists days in order, first and last included', async () => {
    const days = ['2026-09-03', '2026-09-01', '2026-09-04', '2026-08-31', '2026-09-02'];
    await add(...days.map((day) => ({ day, teamId: 't', tokenId: 'a', hit: 1 })));
    const { rows, total } = await usage('by=day&from=2026-09-01&to=2026-09-03');
    expect(rows.map(({ day }) => day)).toEqual(['2026-09-01', '2026-09-02', '2026-09-03']);
    expect(total.hit).toBe(3);
  });

  it('by team is sorted by credits and names deleted teams', async () => {
    const [small, large] = await Promise.all([at.team({ name: 'Small' }), at.team({ name: 'Large' })]);
    await at.remove(`/teams/${large.id}`);
    const day = '2026-09-30';
    await add(
      { day, teamId: small.id, tokenId: 'a', credits: 10 },
      { day, teamId: large.id, tokenId: 'b', credits: 20 },
      { day: '2026-09-29', teamId: small.id, tokenId: 'a', credits: 5 },
      { day, teamId: 'gone', tokenId: 'c', credits: 1 },
    );
    const { rows, total } = await usage('by=team');
    expect(rows.map(({ team, team_name, credits }) => [team, team_name, credits])).toEqual([
      [large.id, 'Large', 20],
      [small.id, 'Small', 15],
      ['gone', '', 1],
    ]);
    expect(total.credits).toBe(36);
  });

  it('by token names tokens and teams', async () => {
    const team = await at.team({ name: 'Sales' });
    const token = await at.token(team.id, { name: 'Sheet' });
    const day = '2026-09-30';
    await add(
      { day, teamId: team.id, tokenId: token.id, family: 'job_base', credits: 1 },
      { day, teamId: team.id, tokenId: token.id, family: 'company_base', credits: 10 },
    );
    const { rows } = await usage('by=token');
    expect(rows).toEqual([
      {
        ...zero,
        credits: 11,
        token: token.id,
        token_name: 'Sheet',
        token_prefix: token.prefix,
        team: team.id,
        team_name: 'Sales',
      },
    ]);
  });

  it('by family is limited to one team', async () => {
    const [own, other] = await Promise.all([at.team(), at.team()]);
    const day = '2026-09-30';
    await add(
      { day, teamId: own.id, tokenId: 'a', family: 'job_base', fetched: 2, credits: 2 },
      { day, teamId: own.id, tokenId: 'b', family: 'job_base', operation: 'search', fetched: 1 },
      { day, teamId: own.id, tokenId: 'a', family: 'company_clean', credits: 10, fetched: 1 },
      { day, teamId: other.id, tokenId: 'c', family: 'employee_post', credits: 99 },
    );
    const { rows } = await usage(`by=family&team=${own.id}`);
    expect(rows.map(({ family, credits, calls }) => [family, credits, calls])).toEqual([
      ['company_clean', 10, 1],
      ['job_base', 2, 3],
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
