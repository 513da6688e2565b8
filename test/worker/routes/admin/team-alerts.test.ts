// Alert addresses of a team that the admin sets: thresholds, changes, and the reason of a failed delivery.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import type { AuditList } from '../../../../shared/api/admin-reports.ts';
import type { Alert } from '../../../../shared/api/schedules.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { enqueueBudgetAlerts } from '../../../../worker/tables/alerts/team-checks.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import { admin } from './harness.ts';

const SECRET = 'T000-secret';
const URL = `https://hooks.example.com/services/${SECRET}`;

const { ok, problem, remove, team, clock } = admin();

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});

const listMessages = async (team: string) => {
  const { results } = await env.DB.prepare(
    `SELECT alert_id AS alert, subject FROM alert_messages WHERE alert_id IN (SELECT id FROM alerts WHERE team_id = ?)
      ORDER BY alert_id, subject`,
  )
    .bind(team)
    .all<{ alert: string; subject: string }>();
  return results;
};

it('an address is added, changed in part and deleted; its link is nowhere', async () => {
  const { id } = await team();
  const path = `/teams/${id}/alerts`;
  const added = await ok<Alert>('POST', path, { url: URL, on: ['failure'] });
  expect(added).toMatchObject({ host: 'hooks.example.com', on: ['failure'], budget_percents: [80, 100] });
  const change = { on: ['budget'], budget_percents: [90, 50, 90] };
  const changed = await ok<Alert>('PATCH', `${path}/${added.id}`, change);
  expect(changed).toMatchObject({ host: 'hooks.example.com', on: ['budget'], budget_percents: [50, 90] });
  const moved = await ok<Alert>('PATCH', `${path}/${added.id}`, { url: 'https://b.example.com/x' });
  expect(moved).toMatchObject({ host: 'b.example.com', on: ['budget'], budget_percents: [50, 90] });
  expect(await ok('GET', path)).toEqual({ alerts: [moved] });
  await remove(`${path}/${added.id}`);
  expect(await ok('GET', path)).toEqual({ alerts: [] });
  const { audit } = await ok<AuditList>('GET', '/audit');
  const own = audit.filter(({ target }) => target === id);
  expect(own.map(({ action }) => action)).toEqual([
    'team_alert.delete',
    'team_alert.change',
    'team_alert.change',
    'team_alert.create',
    'team.create',
  ]);
  expect(JSON.stringify(own)).not.toContain(SECRET);
});

it.each([
  [{ url: 'http://hooks.example.com/x', on: ['failure'] }, 'url'],
  [{ url: URL, on: [] }, 'on'],
  [{ url: URL, on: ['failure'], budget_percents: [0] }, 'budget_percents'],
  [{ url: URL, on: ['failure'], budget_percents: [101] }, 'budget_percents'],
])('%j is refused', async (body, part) => {
  const { id } = await team();
  expect(await problem('POST', `/teams/${id}/alerts`, { body })).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringMatching(new RegExp(`^${part}`)),
  });
});

it('an address of another team is not found', async () => {
  const [one, other] = [await team(), await team()];
  const { id } = await ok<Alert>('POST', `/teams/${one.id}/alerts`, { url: URL, on: ['failure'] });
  for (const [method, path] of [
    ['PATCH', `/teams/${other.id}/alerts/${id}`],
    ['DELETE', `/teams/${other.id}/alerts/${id}`],
    ['POST', `/teams/${other.id}/alerts/${id}/test`],
  ] as const)
    expect(await problem(method, path, method === 'PATCH' ? { body: { on: ['change'] } } : {})).toMatchObject(
      { code: 'not_found' },
    );
});

it('a test that is refused keeps the status until a message arrives', async () => {
  const { id } = await team();
  const { id: alert } = await ok<Alert>('POST', `/teams/${id}/alerts`, { url: URL, on: ['failure'] });
  const fetch = vi.spyOn(globalThis, 'fetch');
  const test = () => ok<Alert>('POST', `/teams/${id}/alerts/${alert}/test`);
  fetch.mockImplementation(async () => new Response('gone', { status: 410 }));
  expect((await test()).last).toMatchObject({ delivered: false, error: 'The receiver answered 410.' });
  fetch.mockImplementation(() => Promise.reject(new Error(`no route to ${URL}`)));
  expect((await test()).last).toMatchObject({ delivered: false, error: 'The receiver did not answer.' });
  fetch.mockImplementation(async () => new Response('ok'));
  expect((await test()).last).toMatchObject({ delivered: true, error: null });
});

it('budgets are alerted at the shares of each address, once each', async () => {
  const { id } = await team({ budget: { day: 100, month: null } });
  const add = (budget_percents: number[]) =>
    ok<Alert>('POST', `/teams/${id}/alerts`, { url: URL, on: ['budget'], budget_percents });
  const [early, late] = [await add([50, 100]), await add([90])];
  const spend = async (credits: number): Promise<void> => {
    const reference = crypto.randomUUID();
    await getLedger(env, id).reserveMany([call(credits, 'token', reference)], 0);
    await getLedger(env, id).settleMany([{ id: reference, charged: credits }]);
    for (const _ of [1, 2]) await enqueueBudgetAlerts(env, id, clock.now);
  };
  const day = new Date(clock.now).toISOString().slice(0, 10);
  const message = (alert: Alert, percent: number) => ({
    alert: alert.id,
    subject: `budget:day:${day}:${percent}`,
  });
  const sort = (messages: { alert: string; subject: string }[]) =>
    messages.sort((one, other) => (one.alert + one.subject < other.alert + other.subject ? -1 : 1));
  await spend(49);
  expect(await listMessages(id)).toEqual([]);
  await spend(11);
  expect(await listMessages(id)).toEqual([message(early, 50)]);
  await spend(40);
  expect(await listMessages(id)).toEqual(sort([message(early, 50), message(early, 100), message(late, 90)]));
});
