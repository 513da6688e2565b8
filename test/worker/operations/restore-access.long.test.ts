// After a restore of D1 to an earlier time, later revocations still apply, and schedules and alerts repeat nothing.
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import type { IssuedToken, TeamView } from '../../../shared/api/admin.ts';
import type { AdminResponse } from '../../../shared/api/admin-endpoints.ts';
import type { AuditList } from '../../../shared/api/admin-reports.ts';
import type { Alert } from '../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import type { TableBody, TableView } from '../../../shared/api/tables.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { runCron } from '../../../worker/jobs/run-jobs.ts';
import { createSession, findSession } from '../../../worker/operations/console-sessions.ts';
import { sendMessage } from '../../../worker/tables/alerts/send-message.ts';
import { AUDIENCE } from '../../google-identity.ts';
import { copyDatabase } from '../database-copy.ts';
import { createSignInHarness } from '../gateway/auth/identity/harness.ts';
import { clock, testPlatform } from '../platform.ts';
import { createClient } from '../routes/sheets/callers.ts';
import { createScheduledTable, HOUR } from '../tables/schedules/harness.ts';
import { RestoreHarness } from './restore-harness.ts';

const MINUTE_MS = 60_000;
const harness = new RestoreHarness();
const { gateway } = harness;

afterEach(() => {
  vi.restoreAllMocks();
});

const readAccount = async (token: string): Promise<number> =>
  (await gateway.request('/sheets/v1/me', { headers: { authorization: `Bearer ${token}` } })).status;

it('refuses tokens and teams that were revoked or deleted since, and no others', async () => {
  const team = await harness.admin<TeamView>('POST', '/teams', { name: 'Sales' });
  const deleted = await harness.admin<TeamView>('POST', '/teams', { name: 'Closed' });
  const issue = (id: string) => harness.admin<IssuedToken>('POST', `/teams/${id}/tokens`, { name: 'One' });
  const [revoked, kept, other] = [await issue(team.id), await issue(team.id), await issue(deleted.id)];
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  await harness.admin('DELETE', `/teams/${team.id}/tokens/${revoked.id}`);
  await harness.admin('DELETE', `/teams/${deleted.id}`);

  const view = await harness.restore(copy, now);
  expect(view.revocations).toBe(2);
  // A cached token may be accepted for half a minute.
  clock.now += MINUTE_MS;
  const statuses = await Promise.all([revoked, kept, other].map(({ token }) => readAccount(token)));
  expect(statuses).toEqual([401, 200, 401]);
  // Also without the ledger, which has not forgotten.
  const valid = await env.DB.prepare('SELECT id FROM tokens WHERE revoked_at IS NULL').all<{ id: string }>();
  expect(valid.results.map(({ id }) => id)).not.toContain(revoked.id);
  const { audit } = await harness.admin<AuditList>('GET', '/audit?limit=1');
  expect(audit[0]).toMatchObject({ action: 'database.restore', detail: { revocations: 2 } });
});

it('refuses people, domains and token values that have ended since', async () => {
  const { google, assign, ok, problem, adminOk, listPeople, createTeam } = await createSignInHarness();
  const people = ['leaver', 'forgotten', 'stays', 'moved'];
  const sign = (sub: string, hd = 'acme.com') => google.sign({ sub, hd, email: `${sub}@${hd}` });
  await assign('acme.com');
  await assign('other.com');
  const issued = new Map<string, string>();
  for (const name of people) issued.set(name, (await ok(await sign(name))).token);
  await ok(await sign('boss', 'other.com'));
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  const find = async (name: string) => (await listPeople()).find(({ email }) => email?.startsWith(name));
  await adminOk('PATCH', `/people/${(await find('leaver'))?.id}`, { revoked: true });
  await adminOk('DELETE', `/people/${(await find('forgotten'))?.id}`);
  await adminOk('DELETE', '/domains/other.com');
  const { token: replaced = '' } = { token: issued.get('stays') };
  await ok(await sign('stays'));

  await harness.restore(copy, now);
  clock.now += MINUTE_MS;
  expect(await problem(await sign('leaver'))).toMatchObject({ code: 'person_revoked' });
  expect(await problem(await sign('boss', 'other.com'))).toMatchObject({ code: 'domain_not_assigned' });
  expect(await find('forgotten')).toBeUndefined();
  expect(await readAccount(replaced)).toBe(401);
  // A person gets a new value for the same token.
  const { token } = await ok(await sign('stays'));
  expect(await readAccount(token)).toBe(200);
  await adminOk('PUT', '/domains/acme.com', { team: (await createTeam()).id, audience: AUDIENCE });
});

it('gives domains and teams the narrower rights of later changes, and not those of before', async () => {
  const { google, assign, ok, adminOk } = await createSignInHarness();
  const assignment = await assign('narrow.com', { budget: { day: 500 } });
  await adminOk('PATCH', `/teams/${assignment.team}`, { background_refresh: true });
  const sign = () => google.sign({ sub: 'one', hd: 'narrow.com', email: 'one@narrow.com' });
  await ok(await sign());
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  const narrow = { families: ['company_base'], operations: ['search'], budget: { day: 5 }, token_days: 1 };
  const { team, audience } = assignment;
  await adminOk('PUT', '/domains/narrow.com', { team, audience, ...narrow });
  await adminOk('PATCH', `/teams/${team}`, { background_refresh: false });

  await harness.restore(copy, now);
  const { domains } = await adminOk<AdminResponse<'listDomains'>>('GET', '/domains');
  expect(domains).toMatchObject([{ domain: 'narrow.com', team, ...narrow, budget: { day: 5, month: null } }]);
  expect(await adminOk('GET', `/teams/${team}`)).toMatchObject({ background_refresh: false });
  const tokens = await env.DB.prepare('SELECT families, operations FROM tokens WHERE team_id = ?')
    .bind(team)
    .all();
  expect(tokens.results).toEqual([{ families: '["company_base"]', operations: '["search"]' }]);
});

it('ends the sessions of the console, also those that were open at the restored time', async () => {
  const session = { credential: 'x', email: null };
  const { secret } = await createSession(env, session, clock.now, (length) => new Uint8Array(length).fill(7));
  const copy = await copyDatabase();
  expect(await findSession(env, secret, clock.now)).toBeDefined();
  await harness.restore(copy, clock.now);
  expect(await findSession(env, secret, clock.now)).toBeUndefined();
});

it('sends no alert again, and continues the numbers of changes', async () => {
  const client = await createClient('alerted', {}, gateway);
  await client.ok('POST', '/alerts', { url: 'https://hooks.example.com/one', on: ['budget', 'failure'] });
  const reserve = { token: 'token', operation: 'collect', family: 'company_clean', subject: 's' } as const;
  const ledger = getLedger(env, 'alerted');
  await ledger.setBudget({ caps: { day: 10 } });
  const change = (kind: string) =>
    env.DB.prepare(
      'INSERT INTO changes (team_id, kind, subject, run, at) VALUES (?, ?, ?, ?, 0) RETURNING number',
    )
      .bind('alerted', 'request', kind, '')
      .first<number>('number');
  const copy = await copyDatabase();
  const { now } = clock;
  const sent: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    sent.push(new Request(input).url);
    return new Response();
  });
  const runMinute = async () => {
    clock.now += MINUTE_MS;
    const context = { env, platform: testPlatform, waitUntil: () => {} };
    await runCron(context);
    const { results } = await env.DB.prepare('SELECT id FROM alert_messages').all<{ id: string }>();
    for (const { id } of results) await sendMessage(context, id);
  };
  await ledger.reserveMany([{ ...reserve, id: 'spent', credits: 9 }], 0);
  await ledger.settleMany([{ id: 'spent', charged: 9 }]);
  await runMinute();
  expect(sent).toHaveLength(1);
  const last = (await change('later')) ?? 0;

  await harness.restore(copy, now);
  await runMinute();
  expect(sent).toHaveLength(1);
  expect(await change('new')).toBeGreaterThan(last);
});

it('runs schedules at their next time, for what came since the last one before', async () => {
  const scheduled = await createScheduledTable();
  await scheduled.runNextHour([1, 2]);
  const copy = await copyDatabase();
  const { now } = clock;
  await scheduled.runNextHour([3]);
  await scheduled.runNextHour([4]);
  const { next_at: planned } = await scheduled.getSchedule();
  const bought = scheduled.provider.bought.length;
  clock.now += 10 * MINUTE_MS;

  await harness.restore(copy, now);
  expect((await scheduled.getSchedule()).next_at).toBe(planned);
  await scheduled.runMinute();
  expect(scheduled.provider.bought).toHaveLength(bought);
  await scheduled.runNextHour([5]);
  expect((await scheduled.listRows()).map(([id]) => id)).toEqual([5]);
});

it('pauses a schedule that was changed or deleted since, and forgets a receiver that was deleted since', async () => {
  const [deleted, changed, kept] = [
    await createScheduledTable(),
    await createScheduledTable({ every: 'day' }),
    await createScheduledTable(),
  ];
  const { client } = deleted;
  const alert = await client.ok<Alert>('POST', '/alerts', {
    url: 'https://hooks.example.com/one',
    on: ['change'],
  });
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  await client.ok('DELETE', `/schedules/${deleted.table}`);
  await client.ok('DELETE', `/alerts/${alert.id}`);
  await changed.schedule({ every: 'day', max_credits: 1 });
  await harness.restore(copy, now);
  const states = await Promise.all([deleted, changed, kept].map((each) => each.getSchedule()));
  expect(states.map(({ state, next_at: next }) => [state, next !== null])).toEqual([
    ['paused', false],
    ['paused', false],
    ['on', true],
  ]);
  expect(await client.ok<SheetsResponse<'listAlerts'>>('GET', '/alerts')).toEqual({ alerts: [] });
});

it('buys nothing for a table that was changed or deleted since, and sends its rows nowhere', async () => {
  const [moved, deleted, renamed] = [
    await createScheduledTable(),
    await createScheduledTable(),
    await createScheduledTable(),
  ];
  const tables = [moved, deleted, renamed].map(({ table }) => table);
  // The gateway of the schedules has no account to push with, so it refuses tables with push.
  await env.DB.prepare('UPDATE tables SET push = 1').run();
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  await env.DB.prepare('UPDATE tables SET push = 0').run();
  const change = async ({ client, table }: typeof moved, body: Partial<TableBody>) => {
    const {
      id: _,
      last_push: __,
      created_at: ___,
      updated_at: ____,
      ...current
    } = await client.ok<TableView>('GET', `/tables/${table}`);
    await client.ok('PUT', `/tables/${table}`, { ...current, ...body });
  };
  await change(moved, { spreadsheet: { id: 'another', sheet_id: 0 } });
  await deleted.client.ok('DELETE', `/tables/${deleted.table}`);
  await change(renamed, { title: 'Another title' });
  await harness.restore(copy, now);
  const { results } = await env.DB.prepare(
    `SELECT state, push FROM schedules JOIN tables ON tables.id = table_id
      WHERE table_id IN (SELECT value FROM json_each(?1)) ORDER BY instr(?1, table_id)`,
  )
    .bind(JSON.stringify(tables))
    .all();
  expect(results).toEqual([
    { state: 'paused', push: 0 },
    { state: 'paused', push: 0 },
    { state: 'on', push: 1 },
  ]);
});

it('ends a run that was in progress', async () => {
  const scheduled = await createScheduledTable();
  scheduled.provider.override = (call) =>
    call === 'count' ? undefined : new Response(null, { status: 503 });
  await scheduled.runNextHour([1]);
  const copy = await copyDatabase();
  await harness.restore(copy, clock.now);
  const schedule = await scheduled.getSchedule();
  expect(schedule.last).toMatchObject({ state: 'failed' });
  const { results } = await env.DB.prepare('SELECT run_id, next_at FROM schedules WHERE table_id = ?')
    .bind(scheduled.table)
    .all<{ run_id: null; next_at: number }>();
  expect(results).toEqual([{ run_id: null, next_at: expect.any(Number) }]);
  expect(results[0]?.next_at).toBeGreaterThan(clock.now);
  expect(results[0]?.next_at).toBeLessThanOrEqual(clock.now + HOUR);
});
