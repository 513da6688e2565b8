// Schedules that stop, are paused or go, and who is told.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../../platform.ts';
import { admin } from '../../routes/admin/harness.ts';
import { createScheduledTable, DAY, HOUR, ids, type ScheduleHarness } from './harness.ts';

describe('a schedule stops, says why and buys nothing', () => {
  it('where a run would cost more than it may', async () => {
    const world = await createScheduledTable({ max_credits: 20 });
    world.provider.updateRecords(ids(41), clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(world.provider.bought).toEqual([]);
    const stopped = await world.getSchedule();
    expect(stopped).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: { code: 'over_budget', fix: 'Raise the limit, or refresh by hand.' },
      last: { state: 'failed', credits: 0 },
    });
    expect(stopped.problem?.detail).toMatch(/41 records .* 30 credits, and a run may cost 20/);
    clock.now += 2 * HOUR;
    await world.runMinute();
    expect(world.provider.calls).toEqual(['count']);
    await world.schedule({ max_credits: 30 });
    clock.now += HOUR;
    await world.runMinute();
    const [run = ''] = await world.listRuns();
    expect(await world.listRows(run)).toHaveLength(41);
  });

  it('where there are more rows than previews show', async () => {
    const world = await createScheduledTable({ max_credits: 1_000_000 });
    world.provider.updateRecords(ids(1001), clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(world.provider.bought).toEqual([]);
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'too_large', fix: expect.stringContaining('bulk request') },
    });
  });

  it('where the budget is too small, or spending is off', async () => {
    for (const [change, problem] of [
      [{ caps: { day: 15 } }, { code: 'over_budget', detail: expect.stringContaining('has 15 left') }],
      [{ spending: false }, { code: 'spending_off' }],
    ] as const) {
      const world = await createScheduledTable();
      await getLedger(env, world.team).setBudget(change);
      world.provider.updateRecords(ids(25), clock.now + 1000);
      clock.now += HOUR + 1000;
      await world.runMinute();
      expect(await world.getSchedule()).toMatchObject({ state: 'stopped', problem });
      expect(await world.listRuns()).toEqual([]);
      expect(world.provider.bought).toEqual([]);
      await expect.poll(() => world.getSpent()).toBe(0);
    }
  });

  it('or no more, where the budget ends on the way: what was bought arrives, and comes once', async () => {
    const world = await createScheduledTable();
    const [token] = await drizzle(env.DB).select().from(tokens).where(eq(tokens.teamId, world.team));
    await getLedger(env, world.team).setToken(token?.id ?? '', { caps: { day: 15 } });
    world.provider.updateRecords(ids(25), clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'over_budget' },
      last: { state: 'failed', rows: 20, credits: 10 },
    });
    const [first = ''] = await world.listRuns();
    expect(await world.listRows(first)).toHaveLength(20);
    await getLedger(env, world.team).setToken(token?.id ?? '', { caps: { day: null } });
    await world.schedule();
    clock.now += HOUR + 1000;
    await world.runMinute();
    const [, second = ''] = await world.listRuns();
    expect(await world.listRows(second)).toHaveLength(5);
  });

  it.each([
    ['was revoked', { revokedAt: 1 }, 'unauthorised'],
    ['has expired', { expiresAt: 1 }, 'unauthorised'],
    ['may not use the family any more', { families: ['job_base' as const] }, 'forbidden_scope'],
    ['may not preview any more', { operations: ['search' as const] }, 'forbidden_scope'],
  ])('where its token %s', async (_, change, code) => {
    const world = await createScheduledTable();
    await drizzle(env.DB).update(tokens).set(change).where(eq(tokens.teamId, world.team));
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(world.provider.calls).toEqual([]);
    const row = await env.DB.prepare('SELECT state, problem FROM schedules WHERE team_id = ?')
      .bind(world.team)
      .first<{ state: string; problem: string }>();
    expect(row).toMatchObject({ state: 'stopped', problem: expect.stringContaining(code) });
  });

  it('where the provider refuses its search', async () => {
    const world = await createScheduledTable();
    world.provider.override = () => Response.json({ Error: 'Failed to parse query [Ada]' }, { status: 400 });
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'invalid_request', detail: 'The data provider said: Failed to parse query [Ada].' },
    });
  });

  it('where nobody knows whether a page was charged: it is not asked for again', async () => {
    const world = await createScheduledTable();
    world.provider.updateRecords(ids(5), clock.now + 1000);
    world.provider.override = (call) =>
      call === 'page 1' ? Promise.reject(new TypeError('lost')) : undefined;
    clock.now += HOUR + 1000;
    await world.runMinute();
    expect(await world.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'provider_unclear' },
    });
    clock.now += 2 * HOUR;
    await world.runMinute();
    expect(world.provider.bought).toEqual(['page 1']);
  });

  it('after five runs that failed one after the other, and not before', async () => {
    const world = await createScheduledTable();
    world.provider.override = () => new Response('{}', { status: 503 });
    for (let run = 1; run <= 5; run += 1) {
      clock.now += HOUR + 1000;
      await world.runMinute();
      const { state, last, next_at: next } = await world.getSchedule();
      expect(last).toMatchObject({ state: 'failed', problem: { code: 'provider_unavailable' } });
      expect(state).toBe(run < 5 ? 'on' : 'stopped');
      if (run < 5) expect(Date.parse(next ?? '')).toBeGreaterThan(clock.now);
    }
    const calls = world.provider.calls.length;
    clock.now += 2 * HOUR;
    await world.runMinute();
    expect(world.provider.calls).toHaveLength(calls);
  });
});

describe('alert addresses', () => {
  const addressed = async (): Promise<ScheduleHarness> => {
    const world = await createScheduledTable({ max_credits: 10 });
    await world.client.ok('POST', '/alerts', {
      url: 'https://hooks.example.com/x',
      on: ['failure', 'change'],
    });
    return world;
  };
  const texts = async ({ team }: ScheduleHarness): Promise<string[]> => {
    const { results } = await env.DB.prepare(
      'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ? ORDER BY alert_messages.created_at',
    )
      .bind(team)
      .all<{ body: string }>();
    return results.map(({ body }) => JSON.parse(body).text.replace(`${team}: `, ''));
  };

  it('are told of rows that came and of a run that was too dear, each once', async () => {
    const world = await addressed();
    world.provider.updateRecords([1], clock.now + 1000);
    clock.now += HOUR + 1000;
    await world.runMinute();
    world.provider.updateRecords(ids(21), clock.now + 1000);
    clock.now += HOUR;
    await world.runMinute();
    await world.runMinute();
    const [came = '', dear = '', ...more] = await texts(world);
    expect(more).toEqual([]);
    expect(came).toBe('The table “Bakers &amp; Co” has 1 new or changed row: 10 credits.');
    expect(dear).toMatch(
      /^The table “Bakers &amp; Co” was not refreshed\. 21 records .* 20 credits, and a run may cost 10\. Nothing was bought\. Its schedule has stopped\. Raise the limit/,
    );
  });

  it.each([
    [400, { Error: 'Failed to parse query [Ada]' }, 'Its search was refused; the sidebar says why.'],
    [402, { message: 'Not for Ada' }, 'was not refreshed.'],
    [403, { message: 'Not for Ada' }, 'was not refreshed.'],
    [503, { message: 'Not for Ada' }, 'was not refreshed.'],
  ])(
    'are not told what the provider said beside a %i, which may name a person',
    async (status, body, words) => {
      const world = await addressed();
      world.provider.override = () => Response.json(body, { status });
      clock.now += HOUR + 1000;
      await world.runMinute();
      expect((await world.getSchedule()).last?.problem?.detail).toContain('Ada');
      const [text = ''] = await texts(world);
      expect(text).toContain(words);
      expect(text).not.toContain('Ada');
    },
  );
});

describe('a schedule that is', () => {
  it('paused does nothing, and waits for one interval when it is not any more', async () => {
    const world = await createScheduledTable();
    expect(await world.schedule({ paused: true })).toMatchObject({
      state: 'paused',
      paused: true,
      next_at: null,
    });
    clock.now += 3 * HOUR;
    await world.runMinute();
    expect(world.provider.calls).toEqual([]);
    const on = await world.schedule({ paused: false });
    expect(on.state).toBe('on');
    expect(Date.parse(on.next_at ?? '') - clock.now).toBeGreaterThan(HOUR - 60_000);
    await world.runMinute();
    expect(world.provider.calls).toEqual([]);
  });

  it('put again as it was keeps its time, and with another interval has a new one', async () => {
    const world = await createScheduledTable();
    const { next_at: planned } = await world.getSchedule();
    clock.now += HOUR / 2;
    expect((await world.schedule({ max_credits: 50 })).next_at).toBe(planned);
    const daily = await world.schedule({ every: 'day' });
    expect(Date.parse(daily.next_at ?? '') - clock.now).toBeGreaterThan(DAY - 60_000);
  });

  it.each([60, 40])(
    'deleted while it brings %i rows buys nothing more, and what was bought arrives once',
    async (rows) => {
      const world = await createScheduledTable();
      world.provider.updateRecords(ids(rows), clock.now + 1000);
      const before = await world.getAsOf();
      clock.now += HOUR + 1000;
      world.provider.override = async (call) => {
        if (call === 'page 2') await world.client.ok('DELETE', `/schedules/${world.table}`);
        return undefined;
      };
      await world.runMinute();
      expect(world.provider.bought).toEqual(['page 1', 'page 2']);
      const [run = '', ...others] = await world.listRuns();
      expect(others).toEqual([]);
      expect(await world.listRows(run)).toHaveLength(40);
      expect(await world.getAsOf()).toBe(before);
      expect(await world.client.problem('GET', `/schedules/${world.table}`)).toMatchObject({
        code: 'not_found',
      });
      clock.now += DAY;
      await world.runMinute();
      expect(world.provider.bought).toHaveLength(2);
      await world.schedule();
      world.provider.override = () => undefined;
      clock.now += HOUR + 1000;
      await world.runMinute();
      const [, second] = await world.listRuns();
      // Set anew it asks again since it was filled, and tells of the other rows alone.
      expect(second === undefined ? [] : await world.listRows(second)).toHaveLength(rows - 40);
    },
  );

  it('of a team that is deleted goes with it, and so do its tables and alerts', async () => {
    const world = await createScheduledTable();
    await world.client.ok('POST', '/alerts', { url: 'https://hooks.example.com/x', on: ['failure'] });
    world.provider.updateRecords(ids(60), clock.now + 1000);
    clock.now += HOUR + 1000;
    world.provider.override = async (call) => {
      if (call === 'page 2') await admin().remove(`/teams/${world.team}`);
      return undefined;
    };
    await world.runMinute();
    clock.now += DAY;
    await world.runMinute();
    expect(world.provider.bought).toEqual(['page 1', 'page 2']);
    for (const table of ['tables', 'schedules', 'alerts']) {
      const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE team_id = ?`);
      expect([table, await count.bind(world.team).first('n')]).toEqual([table, 0]);
    }
  });

  it('of a table that is gone goes with it', async () => {
    const world = await createScheduledTable();
    await env.DB.prepare('DELETE FROM tables WHERE id = ?').bind(world.table).run();
    clock.now += HOUR + 1000;
    await world.runMinute();
    const left = await env.DB.prepare('SELECT count(*) AS n FROM schedules WHERE team_id = ?')
      .bind(world.team)
      .first('n');
    expect(left).toBe(0);
    expect(world.provider.calls).toEqual([]);
  });
});
