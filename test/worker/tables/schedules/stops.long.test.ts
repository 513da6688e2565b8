// Schedules that stop: their reasons, alerts, budgets and budgets that other work has reserved.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../../platform.ts';
import { createScheduledTable, HOUR, ids, type ScheduleHarness } from './harness.ts';

describe('a schedule stops', () => {
  it('when a run would cost more than its limit', async () => {
    const harness = await createScheduledTable({ max_credits: 20 });
    await harness.runNextHour(ids(41));
    expect(harness.provider.bought).toEqual([]);
    const stopped = await harness.getSchedule();
    expect(stopped).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: { code: 'over_budget', fix: 'Raise the limit, or refresh by hand.' },
      last: { state: 'failed', credits: 0 },
    });
    expect(stopped.problem?.detail).toMatch(/41 records .* 30 credits, and a run may cost 20/);
    await harness.runAfter(2 * HOUR);
    expect(harness.provider.calls).toEqual(['count']);
    await harness.schedule({ max_credits: 30 });
    await harness.runAfter(HOUR);
    expect(await harness.listRows()).toHaveLength(41);
  });

  it('when more records match than previews return', async () => {
    const harness = await createScheduledTable({ max_credits: 1_000_000 });
    await harness.runNextHour(ids(1001));
    expect(harness.provider.bought).toEqual([]);
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'too_large', fix: expect.stringContaining('bulk request') },
    });
  });

  it('when the budget is too small or spending is off', async () => {
    for (const [change, problem] of [
      [{ caps: { day: 15 } }, { code: 'over_budget', detail: expect.stringContaining('has 15 left') }],
      [{ spending: false }, { code: 'spending_off' }],
    ] as const) {
      const harness = await createScheduledTable();
      await getLedger(env, harness.team).setBudget(change);
      await harness.runNextHour(ids(25));
      expect(await harness.getSchedule()).toMatchObject({ state: 'stopped', problem });
      expect(await harness.listRuns()).toEqual([]);
      expect(harness.provider.bought).toEqual([]);
      await expect.poll(() => harness.getSpent()).toBe(0);
    }
  });

  it('when the budget ends during a run, and delivers bought rows once', async () => {
    const harness = await createScheduledTable();
    const [token] = await drizzle(env.DB).select().from(tokens).where(eq(tokens.teamId, harness.team));
    await getLedger(env, harness.team).setToken(token?.id ?? '', { caps: { day: 15 } });
    await harness.runNextHour(ids(25));
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'over_budget' },
      last: { state: 'failed', rows: 20, credits: 10 },
    });
    expect(await harness.listRows()).toHaveLength(20);
    await getLedger(env, harness.team).setToken(token?.id ?? '', { caps: { day: null } });
    await harness.schedule();
    await harness.runNextHour();
    const [, second = ''] = await harness.listRuns();
    expect(await harness.listRows(second)).toHaveLength(5);
  });

  it.each([
    ['has expired', { expiresAt: 1 }, 'unauthorised'],
    ['loses the scope of the family', { families: ['job_base' as const] }, 'forbidden_scope'],
    ['loses the scope of previews', { operations: ['search' as const] }, 'forbidden_scope'],
  ])('when its token %s', async (_, change, code) => {
    const harness = await createScheduledTable();
    await drizzle(env.DB).update(tokens).set(change).where(eq(tokens.teamId, harness.team));
    await harness.runNextHour();
    expect(harness.provider.calls).toEqual([]);
    const row = await env.DB.prepare('SELECT state, problem FROM schedules WHERE team_id = ?')
      .bind(harness.team)
      .first<{ state: string; problem: string }>();
    expect(row).toMatchObject({ state: 'stopped', problem: expect.stringContaining(code) });
  });

  it('when the provider rejects its search', async () => {
    const harness = await createScheduledTable();
    harness.provider.override = () =>
      Response.json({ Error: 'Failed to parse query [Ada]' }, { status: 400 });
    await harness.runNextHour();
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'invalid_request', detail: 'The data provider said: Failed to parse query [Ada].' },
    });
  });

  it('when the charge of a page is unclear, and does not buy the page again', async () => {
    const harness = await createScheduledTable();
    harness.provider.updateRecords(ids(5), clock.now + 1000);
    harness.provider.override = (call) =>
      call === 'page 1' ? Promise.reject(new TypeError('lost')) : undefined;
    await harness.runNextHour();
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'provider_unclear' },
    });
    await harness.runAfter(2 * HOUR);
    expect(harness.provider.bought).toEqual(['page 1']);
  });

  it('after five consecutive failures', async () => {
    const harness = await createScheduledTable();
    harness.provider.override = () => new Response('{}', { status: 503 });
    for (let run = 1; run <= 5; run += 1) {
      await harness.runNextHour();
      const { state, last, next_at: next } = await harness.getSchedule();
      expect(last).toMatchObject({ state: 'failed', problem: { code: 'provider_unavailable' } });
      expect(state).toBe(run < 5 ? 'on' : 'stopped');
      if (run < 5) expect(Date.parse(next ?? '')).toBeGreaterThan(clock.now);
    }
    const calls = harness.provider.calls.length;
    await harness.runAfter(2 * HOUR);
    expect(harness.provider.calls).toHaveLength(calls);
  });
});

describe('alerts of a schedule', () => {
  const createWithAlerts = async (): Promise<ScheduleHarness> => {
    const harness = await createScheduledTable({ max_credits: 10 });
    await harness.client.ok('POST', '/alerts', {
      url: 'https://hooks.example.com/x',
      on: ['failure', 'change'],
    });
    return harness;
  };
  const listAlerts = async ({ team }: ScheduleHarness): Promise<string[]> => {
    const { results } = await env.DB.prepare(
      'SELECT body FROM alert_messages JOIN alerts ON alerts.id = alert_id WHERE team_id = ? ORDER BY alert_messages.created_at',
    )
      .bind(team)
      .all<{ body: string }>();
    return results.map(({ body }) => JSON.parse(body).text.replace(`${team}: `, ''));
  };

  it('report new rows and a run over its limit, each once', async () => {
    const harness = await createWithAlerts();
    await harness.runNextHour([1]);
    harness.provider.updateRecords(ids(21), clock.now + 1000);
    await harness.runAfter(HOUR);
    await harness.runMinute();
    const [newRows = '', overLimit = '', ...more] = await listAlerts(harness);
    expect(more).toEqual([]);
    expect(newRows).toBe('The table “Bakers &amp; Co” has 1 new or changed row: 10 credits.');
    expect(overLimit).toMatch(
      /^The table “Bakers &amp; Co” was not refreshed\. 21 records .* 20 credits, and a run may cost 10\. Nothing was bought\. Its schedule has stopped\. Raise the limit/,
    );
  });

  it.each([
    [400, { Error: 'Failed to parse query [Ada]' }, 'Its search was refused; the sidebar says why.'],
    [503, { message: 'Not for Ada' }, 'was not refreshed.'],
  ])('omit the provider’s message of a %i, which may name a person', async (status, body, words) => {
    const harness = await createWithAlerts();
    harness.provider.override = () => Response.json(body, { status });
    await harness.runNextHour();
    expect((await harness.getSchedule()).last?.problem?.detail).toContain('Ada');
    const [text = ''] = await listAlerts(harness);
    expect(text).toContain(words);
    expect(text).not.toContain('Ada');
  });
});

const RECHECK_MS = 5 * 60_000 + 1000;

/** Finds the id of the token that pays. */
async function getTokenId({ team }: ScheduleHarness): Promise<string> {
  const [token] = await drizzle(env.DB).select().from(tokens).where(eq(tokens.teamId, team));
  return token?.id ?? '';
}

/** Reserves credits for a data request of the same token. @returns settles the reservation */
async function reserve(
  harness: ScheduleHarness,
  credits: number,
): Promise<(charged: number) => Promise<void>> {
  const ledger = getLedger(env, harness.team);
  const id = crypto.randomUUID();
  const { outcomes } = await ledger.reserveMany(
    [
      {
        id,
        token: await getTokenId(harness),
        operation: 'bulk',
        family: 'company_base',
        subject: 'x',
        credits,
      },
    ],
    0,
  );
  expect(outcomes).toEqual(['reserved']);
  return (charged) => ledger.settleMany([{ id, charged }]);
}

const waiting = {
  state: 'on',
  last: {
    state: 'running',
    problem: {
      code: 'over_budget',
      detail: 'This needs 10 credits, and what is left of the budget is reserved for work under way.',
      fix: expect.stringContaining('goes on when that has ended'),
    },
  },
};

/** Runs a schedule that needs 10 credits while 5 are free and 20 reserved. */
async function runShortOfCredits(): Promise<{
  harness: ScheduleHarness;
  settle: (charged: number) => Promise<void>;
}> {
  const harness = await createScheduledTable();
  await getLedger(env, harness.team).setBudget({ caps: { month: 25 } });
  const settle = await reserve(harness, 20);
  await harness.runNextHour(ids(5));
  return { harness, settle };
}

describe('a budget that other work has reserved', () => {
  it('postpones the run until the reservation is released', async () => {
    const { harness, settle } = await runShortOfCredits();
    expect(await harness.getSchedule()).toMatchObject(waiting);
    await harness.runAfter(3 * HOUR);
    expect(await harness.getSchedule()).toMatchObject(waiting);
    expect(harness.provider.bought).toEqual([]);
    await settle(0);
    await harness.runAfter(RECHECK_MS);
    const { state, last } = await harness.getSchedule();
    expect(state).toBe('on');
    expect(last).toMatchObject({ state: 'done', rows: 5, credits: 10 });
    expect(last?.problem).toBeUndefined();
  });

  it('stops the schedule when the reservation is charged', async () => {
    const { harness, settle } = await runShortOfCredits();
    await settle(20);
    await harness.runAfter(RECHECK_MS);
    expect(await harness.getSchedule()).toMatchObject({
      state: 'stopped',
      problem: { code: 'over_budget', detail: expect.stringContaining('the budget has 5 left') },
    });
    expect(harness.provider.bought).toEqual([]);
  });

  it('postpones the run between pages for the budget of a token and buys no page twice', async () => {
    const harness = await createScheduledTable();
    const settle = await reserve(harness, 10);
    await getLedger(env, harness.team).setToken(await getTokenId(harness), { caps: { month: 25 } });
    await harness.runNextHour(ids(25));
    expect(await harness.getSchedule()).toMatchObject({
      ...waiting,
      last: { ...waiting.last, rows: 20, credits: 10 },
    });
    expect(await harness.listRuns()).toEqual([]);
    await settle(0);
    await harness.runAfter(RECHECK_MS);
    expect(harness.provider.bought).toEqual(['page 1', 'page 2']);
    expect((await harness.getSchedule()).last).toMatchObject({ state: 'done', rows: 25, credits: 20 });
  });
});
