// Attacks with calls of the admin API at the same time.
import { expect, it, vi } from 'vitest';
import type { CreatedTeam } from '../../../../shared/api/admin.ts';
import type { AuditList } from '../../../../shared/api/admin-reports.ts';
import type { Alert } from '../../../../shared/api/schedules.ts';
import { AlertStore } from '../../../../worker/tables/alerts/store.ts';
import { admin } from './harness.ts';

it('one Idempotency-Key at the same time for two teams makes one team, with its own budget', async () => {
  const { call, ok } = admin();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const send = (name: string, day: number) =>
    call('POST', '/teams', { body: { name, budget: { day } }, headers });
  const answers = await Promise.all([send('One', 10), send('Other', 1_000_000)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const created = await answers.find(({ status }) => status === 201)?.json<CreatedTeam>();
  const stored = await ok<CreatedTeam>('GET', `/teams/${created?.id}`);
  expect(stored).toMatchObject({ name: created?.name, budget: { day: created?.budget.day } });
});

it('one Idempotency-Key at the same time leaves one line about a created team in the audit log', async () => {
  const { call, ok } = admin();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', '/teams', { body: { name: 'Once' }, headers })),
  );
  const teams = await Promise.all(answers.map((answer) => answer.json<CreatedTeam>()));
  const [id] = new Set(teams.map((team) => team.id));
  const { audit } = await ok<AuditList>('GET', '/audit');
  expect(audit.filter(({ target }) => target === id).map(({ action }) => action)).toEqual(['team.create']);
});

it('a change of the name does not bring a former limit back', async () => {
  const { team, ok } = admin();
  const { id } = await team({ formula_max_credits: 1000, background_refresh: true });
  const change = (body: unknown) => ok('PATCH', `/teams/${id}`, body);
  await Promise.all([
    change({ formula_max_credits: 0 }),
    change({ name: 'Research' }),
    change({ background_refresh: false }),
    change({ confirm_above_credits: 7 }),
  ]);
  expect(await ok('GET', `/teams/${id}`)).toMatchObject({
    name: 'Research',
    formula_max_credits: 0,
    background_refresh: false,
    confirm_above_credits: 7,
  });
});

it('a change of the kinds does not bring a replaced alert address back', async () => {
  const { team, ok } = admin();
  const path = `/teams/${(await team()).id}/alerts`;
  const { id } = await ok<Alert>('POST', path, { url: 'https://former.example/x', on: ['failure'] });
  const get = AlertStore.prototype.get;
  vi.spyOn(AlertStore.prototype, 'get').mockImplementationOnce(async function (this: AlertStore, ...place) {
    const read = await get.apply(this, place);
    await ok('PATCH', `${path}/${id}`, { url: 'https://next.example/x' });
    return read;
  });
  await ok('PATCH', `${path}/${id}`, { on: ['budget'] });
  const { alerts } = await ok<{ alerts: Alert[] }>('GET', path);
  expect(alerts).toMatchObject([{ host: 'next.example', on: ['budget'] }]);
});
