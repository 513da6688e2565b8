// Schedules of all teams: the list, their stop by the admin, and their resumption.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import type { AdminScheduleView } from '../../../../../shared/api/admin-schedules.ts';
import { listJournal } from '../../../../../worker/gateway/journal.ts';
import { admin } from '../harness.ts';
import { countStatements, insertSchedule, insertTableRun, NOW } from './fixtures.ts';

const deployment = admin();
const { ok, problem, pages, team, token, remove } = deployment;
deployment.clock.now = NOW;

const DAY_MS = 86_400_000;
const toTime = (ms: number): string => new Date(ms).toISOString();

async function createPayer(name = 'Schedules') {
  const { id } = await team({ name });
  return { team: id, token: (await token(id, { name: 'Anna' })).id };
}

type Payer = Awaited<ReturnType<typeof createPayer>>;

/** Inserts a schedule. @returns its id */
async function createSchedule(payer: Payer, change: Parameters<typeof insertSchedule>[2] = {}) {
  return `${payer.team}.${await insertSchedule(payer.team, payer.token, change)}`;
}

const list = (query: string) => ok<AdminResponse<'listSchedules'>>('GET', `/schedules?${query}`);
const post = (id: string, change: 'stop' | 'resume') =>
  ok<AdminScheduleView>('POST', `/schedules/${id}/${change}`);

const listAudit = async (id: string): Promise<string[]> =>
  (await ok<AuditList>('GET', '/audit')).audit
    .filter(({ target }) => target === id)
    .map(({ action }) => action);

describe('the list', () => {
  it('has each schedule with its last run and who pays', async () => {
    const payer = await createPayer('Sales');
    const table = await insertSchedule(payer.team, payer.token, {
      state: 'stopped',
      problem: { problem: 'over_budget', detail: 'Too expensive.' },
      nextAt: null,
    });
    await insertTableRun(payer.team, table, { startedAt: NOW - 2 * DAY_MS });
    const run = await insertTableRun(payer.team, table, {
      startedAt: NOW - DAY_MS,
      state: 'failed',
      rows: 3,
      credits: 40,
      problem: { problem: 'provider_unavailable' },
    });
    await insertTableRun(payer.team, crypto.randomUUID(), { startedAt: NOW });
    expect(await list(`team=${payer.team}`)).toEqual({
      schedules: [
        {
          id: `${payer.team}.${table}`,
          team: payer.team,
          team_name: 'Sales',
          table,
          title: 'Bakers',
          family: 'company_clean',
          every: 'day',
          max_credits: 200,
          token: payer.token,
          token_name: 'Anna',
          state: 'stopped',
          problem: { code: 'over_budget', detail: 'Too expensive.', fix: expect.any(String) },
          next_at: null,
          last: {
            id: run,
            at: toTime(NOW - DAY_MS),
            state: 'failed',
            rows: 3,
            credits: 40,
            problem: expect.objectContaining({ code: 'provider_unavailable' }),
          },
          created_at: toTime(NOW),
          updated_at: toTime(NOW),
        },
      ],
      next: null,
    });
  });

  it('is filtered by the state that people see', async () => {
    const payer = await createPayer();
    const revoked = await createPayer();
    const on = await createSchedule(payer);
    const paused = await createSchedule(payer, { state: 'paused', nextAt: null });
    const stopped = await createSchedule(payer, { state: 'stopped', nextAt: null });
    const unpaid = await createSchedule({ ...payer, token: revoked.token });
    const listIds = async (state: string) =>
      (await list(`team=${payer.team}&state=${state}`)).schedules.map(({ id }) => id).sort();
    expect(await listIds('on')).toEqual([on]);
    expect(await listIds('paused')).toEqual([paused]);
    expect(await listIds('stopped')).toEqual([stopped, unpaid].sort());
    const { schedules } = await list(`team=${payer.team}`);
    const states = schedules.map(({ id, state, next_at }) => [id, state, next_at === null]);
    expect(states).toContainEqual([on, 'on', false]);
    expect(states).toContainEqual([unpaid, 'stopped', true]);
    expect(schedules.find(({ id }) => id === unpaid)?.problem?.code).toBe('unauthorised');
  });

  it('is paged over all teams, with three queries at most', async () => {
    const payers = [await createPayer(), await createPayer()];
    for (const payer of payers) for (let at = 0; at < 3; at += 1) await createSchedule(payer);
    const { schedules: all } = await list('');
    const seen = await pages('/schedules?', 2, ({ schedules }: AdminResponse<'listSchedules'>) => schedules);
    expect(seen).toEqual(all);
    for (const payer of payers) expect(all.filter((each) => each.team === payer.team)).toHaveLength(3);
    const { db, getCount } = countStatements();
    const counted = admin({ DB: db });
    await counted.ok('GET', '/schedules');
    expect(getCount()).toBeLessThanOrEqual(3);
  });
});

describe('a stop by the admin', () => {
  it('stops the schedule with its own reason, alerts the team, and survives a restore', async () => {
    const payer = await createPayer();
    const id = await createSchedule(payer);
    const alert = crypto.randomUUID();
    await env.DB.prepare(
      `INSERT INTO alerts (id, team_id, url, kinds, created_at) VALUES (?, ?, 'x', '["failure"]', 0)`,
    )
      .bind(alert, payer.team)
      .run();
    const stopped = await post(id, 'stop');
    expect(stopped).toMatchObject({
      id,
      state: 'stopped',
      next_at: null,
      problem: { code: 'stopped_by_admin', detail: 'Your admin has stopped this schedule.' },
    });
    expect(await post(id, 'stop')).toEqual(stopped);
    expect(await listAudit(id)).toEqual(['schedule.stop']);
    const messages = env.DB.prepare('SELECT body FROM alert_messages WHERE alert_id = ?').bind(alert);
    const { results } = await messages.all();
    expect(results).toEqual([{ body: expect.stringContaining('Your admin has stopped this schedule.') }]);
    const { keys } = await listJournal(env, 'revocations', { since: NOW, after: null, limit: 100 });
    const entries = await Promise.all(keys.map(async (key) => (await env.ROWS.get(key))?.text()));
    expect(entries.join()).toContain(id.split('.')[1]);
  });

  it('changes nothing if the schedule is paused', async () => {
    const payer = await createPayer();
    const id = await createSchedule(payer, { state: 'paused', nextAt: null });
    expect(await post(id, 'stop')).toMatchObject({ state: 'paused' });
    expect(await listAudit(id)).toEqual([]);
  });
});

describe('a resumption by the admin', () => {
  it.each(['stopped', 'paused'] as const)('starts a %s schedule one interval from now', async (state) => {
    const payer = await createPayer();
    const reason = { problem: 'stopped_by_admin' } as const;
    const change = { state, nextAt: null, problem: state === 'stopped' ? reason : null };
    const id = await createSchedule(payer, change);
    const resumed = await post(id, 'resume');
    expect(resumed).toMatchObject({ state: 'on', next_at: toTime(NOW + DAY_MS), token: payer.token });
    expect(resumed).not.toHaveProperty('problem');
    expect(await post(id, 'resume')).toEqual(resumed);
    expect(await listAudit(id)).toEqual(['schedule.resume']);
  });

  it('is refused if the token that pays is no longer valid', async () => {
    const payer = await createPayer();
    const id = await createSchedule(payer, { state: 'stopped', nextAt: null });
    await remove(`/teams/${payer.team}/tokens/${payer.token}`);
    expect(await problem('POST', `/schedules/${id}/resume`)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('take the schedule over'),
    });
    expect((await list(`team=${payer.team}`)).schedules).toMatchObject([{ state: 'stopped' }]);
  });
});

it.each(['stop', 'resume'])('%s returns 404 for a schedule that does not exist', async (change) => {
  const { team: id } = await createPayer();
  const path = `/schedules/${id}.${crypto.randomUUID()}/${change}`;
  expect(await problem('POST', path)).toMatchObject({ code: 'not_found' });
});
