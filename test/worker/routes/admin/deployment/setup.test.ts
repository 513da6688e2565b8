// What a new deployment needs: each check before and after it is done.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { SetupCheckId } from '../../../../../shared/api/admin-settings.ts';
import { writeJournal } from '../../../../../worker/gateway/journal.ts';
import { createRemoteUpstream } from '../../../../../worker/gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../../../../worker/http/problem-error.ts';
import { type Admin, admin } from '../harness.ts';
import { ACCOUNT_EMAIL, completeSettings, MARKER } from './markers.ts';

const remote = () => createRemoteUpstream(completeSettings.CDAPI_BASE_URL, MARKER);

async function getSetup({ ok }: Admin) {
  const view = await ok<AdminResponse<'getSetup'>>('GET', '/setup');
  expect(JSON.stringify(view)).not.toContain(MARKER);
  const find = (id: SetupCheckId) => view.checks.find((check) => check.id === id);
  return { ...view, find };
}

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('UPDATE teams SET deleted_at = 1'),
    env.DB.prepare('UPDATE tokens SET revoked_at = 1'),
    env.DB.prepare('DELETE FROM domains'),
  ]);
});

describe('a new deployment', () => {
  it('has nothing but its database', async () => {
    const missing = () => Promise.reject(new ProblemError('not_configured', 'There is no key yet.'));
    const { done, checks } = await getSetup(admin({}, missing));
    expect(done).toBe(false);
    expect(checks.map(({ id, required, done }) => [id, required, done])).toEqual([
      ['provider', true, false],
      ['team', true, false],
      ['connection', true, false],
      ['push_account', false, false],
      ['operator_alerts', false, false],
      ['monitoring', false, null],
      ['backups', false, true],
    ]);
    for (const { detail } of checks) expect(detail).toMatch(/\.$/);
    expect(checks[0]?.detail).toContain('There is no key yet.');
  });

  it('is ready with a provider, a team with a budget and a token', async () => {
    const deployment = admin(completeSettings, remote);
    const { id } = await deployment.team({ name: 'Sales', budget: { day: 1200, month: null } });
    await deployment.token(id);
    await writeJournal(env, 'revocations', { id: 'one', at: 0, body: {} });
    const { done, checks, find } = await getSetup(deployment);
    expect(done).toBe(true);
    expect(checks.filter((check) => check.done !== true).map(({ id }) => id)).toEqual(['monitoring']);
    expect(find('team')?.detail).toBe('Sales may spend 1,200 credits a day.');
    expect(find('push_account')?.detail).toContain(ACCOUNT_EMAIL);
    expect(find('backups')?.detail).toContain('a restore repeats');
  });
});

describe('a check', () => {
  it('finds no budget while spending is off or the budget is 0', async () => {
    const deployment = admin();
    await deployment.team({ spending: false });
    const { id } = await deployment.team({ budget: { day: 0, month: null } });
    expect((await getSetup(deployment)).find('team')).toMatchObject({ done: false });
    const headers = { 'idempotency-key': 'one' };
    await deployment.ok('POST', `/teams/${id}/top-ups`, { credits: 30 }, headers);
    expect((await getSetup(deployment)).find('team')).toMatchObject({
      done: true,
      detail: 'Sales may spend 0 credits a day, 30 credits of top-ups.',
    });
  });

  it('finds a connection by a token that is valid, or by a domain', async () => {
    const deployment = admin();
    const { id } = await deployment.team();
    const getConnection = async () => (await getSetup(deployment)).find('connection');
    const expired = { expires_at: new Date(deployment.clock.now + 60_000).toISOString() };
    await deployment.token(id, expired);
    expect(await getConnection()).toMatchObject({ done: true });
    deployment.clock.now += 120_000;
    expect(await getConnection()).toMatchObject({ done: false });
    const assignment = { team: id, audience: '123-abc.apps.googleusercontent.com' };
    await deployment.ok('PUT', '/domains/acme.com', assignment);
    expect(await getConnection()).toMatchObject({ done: true, detail: expect.stringContaining('acme.com') });
  });

  it('names what is wrong with a setting, without quoting it', async () => {
    const settings = { GOOGLE_SERVICE_ACCOUNT: MARKER, OPERATOR_ALERT_URL: `http://${MARKER}.example` };
    const { find } = await getSetup(admin(settings));
    expect(find('push_account')?.detail).toBe('GOOGLE_SERVICE_ACCOUNT is not JSON.');
    expect(find('operator_alerts')?.detail).toBe('OPERATOR_ALERT_URL is not a public https address.');
  });
});
