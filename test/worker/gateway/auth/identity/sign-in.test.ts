// People of an assigned domain sign in; the admin lists, revokes, allows and deletes them.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { keepHouse } from '../../../../../worker/jobs/retention.ts';
import { longIt } from '../../../../pick-cases.ts';
import { planJob } from '../../../job-rows.ts';
import { clock, testPlatform } from '../../../platform.ts';
import { call } from '../../ledger/ledger-harness.ts';
import { createSignInHarness } from './harness.ts';

const DAY_MS = 86_400_000;

describe('a person of an assigned domain', () => {
  it('gets a token of the team with the scopes, budget, rate and lifetime that the admin chose', async () => {
    const { google, assign, ok, readAccount, listTokens, adminOk } = await createSignInHarness();
    const { team } = await assign('acme.com', {
      families: ['company_clean'],
      operations: ['enrich'],
      rate_per_minute: 60,
      budget: { day: 5, month: 50 },
      token_days: 7,
    });
    const issued = await ok(await google.sign());
    expect(issued).toMatchObject({ team: 'Sales' });
    expect(Math.abs(Date.parse(issued.expires_at) - clock.now - 7 * DAY_MS)).toBeLessThan(60_000);
    expect(await readAccount(issued.token)).toBe(200);
    const [{ id = '' } = {}] = await listTokens();
    const { tokens } = await adminOk<{ tokens: unknown[] }>('GET', `/teams/${team}/tokens`);
    expect(tokens).toEqual([
      expect.objectContaining({
        id,
        families: ['company_clean'],
        operations: ['enrich'],
        rate_per_minute: 60,
        budget: { day: 5, month: 50, spent: { day: 0, month: 0 } },
      }),
    ]);
    const ledger = getLedger(env, team);
    const { outcomes } = await ledger.reserveMany([call(9, id, 'a')], 0);
    expect(outcomes).toEqual(['over_budget']);
  });

  longIt('is recognised whatever the case of the domain', async () => {
    const { google, assign, ok } = await createSignInHarness();
    await assign('Acme.COM');
    await ok(await google.sign({ hd: 'aCME.com' }));
  });

  it('is told which domain and client ID the admin must assign', async () => {
    const { google, problem } = await createSignInHarness();
    const { aud } = google.claims();
    expect(await problem(await google.sign())).toMatchObject({
      code: 'domain_not_assigned',
      detail: expect.stringContaining('acme.com'),
      fix: expect.stringContaining(String(aud)),
    });
  });

  it('keeps the token’s id when signing in again; the former value stops', async () => {
    const { google, assign, ok, change, listTokens } = await createSignInHarness();
    await assign('acme.com');
    const first = await ok(await google.sign());
    const [before] = await listTokens();
    clock.now += DAY_MS;
    const second = await ok(await google.sign());
    expect((await listTokens()).map(({ id }) => id)).toEqual([before?.id]);
    expect(await change(first.token)).toBe(401);
    expect(await change(second.token)).toBe(422);
    expect(Date.parse(second.expires_at)).toBeGreaterThan(Date.parse(first.expires_at));
  });

  longIt('stays one person when the address changes', async () => {
    const { google, assign, ok, listPeople } = await createSignInHarness();
    await assign('acme.com');
    await ok(await google.sign());
    await ok(await google.sign({ email: 'ada.byron@acme.com' }));
    expect((await listPeople()).map(({ email }) => email)).toEqual(['ada.byron@acme.com']);
  });

  it('loses the token of the former team when moving to another domain', async () => {
    const { google, assign, ok, readAccount, listTokens, ledgerOf } = await createSignInHarness();
    const { team } = await assign('acme.com');
    const other = await assign('other.com');
    await ok(await google.sign());
    const [{ id = '' } = {}] = await listTokens();
    const { token } = await ok(await google.sign({ hd: 'other.com', email: 'ada@other.com' }));
    expect((await listTokens()).map(({ team_id }) => team_id)).toEqual([other.team]);
    expect((await ledgerOf(team).reserveMany([call(1, id, 'a')], 0)).outcomes).toEqual(['unauthorised']);
    expect(await readAccount(token)).toBe(200);
  });

  longIt('gets the budget of the new domain when it belongs to the same team', async () => {
    const { google, assign, adminOk, ok, listTokens, ledgerOf } = await createSignInHarness();
    const { team, audience } = await assign('acme.com', { budget: { day: 10 } });
    await adminOk('PUT', '/domains/other.com', { team, audience, budget: { day: 3 } });
    await ok(await google.sign());
    await ok(await google.sign({ hd: 'other.com', email: 'ada@other.com' }));
    const [{ id = '' } = {}, ...others] = await listTokens();
    expect(others).toEqual([]);
    expect(await ledgerOf(team).getTokenBudget(id)).toMatchObject({ caps: { day: 3, month: null } });
  });

  it('can’t use an expired token, and gets a new value of it', async () => {
    const { google, assign, ok, readAccount, listTokens } = await createSignInHarness();
    await assign('acme.com', { token_days: 1 });
    const { token } = await ok(await google.sign());
    clock.now += DAY_MS;
    expect(await readAccount(token)).toBe(401);
    const renewed = await ok(await google.sign());
    expect(await readAccount(renewed.token)).toBe(200);
    expect(await listTokens()).toHaveLength(1);
  });
});

describe('the admin', () => {
  longIt('lists people with their addresses, which are encrypted in the database', async () => {
    const { google, assign, ok, listPeople, listTokens, adminOk } = await createSignInHarness();
    await assign('acme.com');
    await assign('other.com');
    await ok(await google.sign());
    clock.now += 1000;
    await ok(await google.sign({ sub: '2', hd: 'other.com', email: 'bob@other.com' }));
    const people = await listPeople();
    const tokens = await listTokens();
    expect(people).toMatchObject([
      { email: 'ada@acme.com', domain: 'acme.com', revoked_at: null },
      { email: 'bob@other.com', domain: 'other.com', revoked_at: null },
    ]);
    expect(new Set(people.map(({ token_id }) => token_id))).toEqual(new Set(tokens.map(({ id }) => id)));
    expect(await listPeople('?domain=OTHER.com')).toEqual(people.slice(1));
    const page = await adminOk<{ next: string }>('GET', '/people?limit=1');
    expect(await listPeople(`?after=${page.next}`)).toEqual(people.slice(1));
    const { results } = await env.DB.prepare('SELECT * FROM people').all();
    // Random ids may contain a short name by chance.
    expect(JSON.stringify(results)).not.toMatch(/"(?:ada|bob)"|@/);
  });

  it('revokes a person: the token stops at once, and there is no other one until the person is allowed again', async () => {
    const { google, assign, ok, problem, listPeople, listTokens, adminOk, change, ledgerOf } =
      await createSignInHarness();
    const { team } = await assign('acme.com');
    const { token } = await ok(await google.sign());
    const [{ id = '', token_id = '' } = {}] = await listPeople();
    for (let at = 0; at < 2; at += 1) {
      const revoked = await adminOk<{ revoked_at: string }>('PATCH', `/people/${id}`, { revoked: true });
      expect(revoked.revoked_at).not.toBeNull();
    }
    expect(await change(token)).toBe(401);
    expect((await ledgerOf(team).reserveMany([call(1, token_id, 'a')], 0)).outcomes).toEqual([
      'unauthorised',
    ]);
    expect(await problem(await google.sign())).toMatchObject({ code: 'person_revoked' });
    expect(await listTokens()).toEqual([]);
    await adminOk('PATCH', `/people/${id}`, { revoked: false });
    expect(await change(token)).toBe(401);
    const again = await ok(await google.sign());
    expect(await change(again.token)).toBe(422);
    const { audit } = await adminOk<{ audit: { action: string; target: string }[] }>('GET', '/audit?limit=2');
    expect(audit).toMatchObject([
      { action: 'person.allow', target: id },
      { action: 'person.revoke', target: id },
    ]);
  });

  longIt('removes an assignment and assigns it again: a revoked person stays revoked', async () => {
    const { google, assign, ok, problem, listPeople, adminOk } = await createSignInHarness();
    await assign('acme.com');
    await ok(await google.sign());
    const [{ id = '' } = {}] = await listPeople();
    await adminOk('PATCH', `/people/${id}`, { revoked: true });
    await adminOk('DELETE', '/domains/acme.com');
    await assign('acme.com');
    expect(await problem(await google.sign())).toMatchObject({ code: 'person_revoked' });
  });

  it('deletes a person: address and token are gone, and the person may sign in again', async () => {
    const { google, assign, ok, listPeople, listTokens, adminOk, change } = await createSignInHarness();
    await assign('acme.com');
    const { token } = await ok(await google.sign());
    const [{ id = '' } = {}] = await listPeople();
    await adminOk('DELETE', `/people/${id}`);
    expect(await listPeople()).toEqual([]);
    expect(await listTokens()).toEqual([]);
    expect(await change(token)).toBe(401);
    await ok(await google.sign());
  });

  longIt('deletes a revoked person: the address is gone, and the person stays revoked', async () => {
    const { google, assign, ok, problem, listPeople, adminOk } = await createSignInHarness();
    await assign('acme.com');
    await ok(await google.sign());
    const [{ id = '' } = {}] = await listPeople();
    await adminOk('PATCH', `/people/${id}`, { revoked: true });
    await adminOk('DELETE', `/people/${id}`);
    expect(await listPeople()).toMatchObject([{ id, email: null }]);
    expect(await problem(await google.sign())).toMatchObject({ code: 'person_revoked' });
  });

  it('removes an assignment: the tokens of its people stop, those of other domains stay', async () => {
    const { google, assign, ok, problem, adminOk, admin, change, listPeople, ledgerOf } =
      await createSignInHarness();
    const { team } = await assign('acme.com');
    await assign('other.com');
    const { token } = await ok(await google.sign());
    const other = await ok(await google.sign({ sub: '2', hd: 'other.com', email: 'bob@other.com' }));
    const [{ token_id = '' } = {}] = await listPeople();
    await adminOk('DELETE', '/domains/acme.com');
    expect(await change(token)).toBe(401);
    expect((await ledgerOf(team).reserveMany([call(1, token_id, 'a')], 0)).outcomes).toEqual([
      'unauthorised',
    ]);
    expect(await change(other.token)).toBe(422);
    expect(await problem(await google.sign())).toMatchObject({ code: 'domain_not_assigned' });
    expect((await admin('DELETE', '/domains/acme.com')).status).toBe(404);
  });

  it('assigns a domain to another team: its people’s tokens of the former team stop', async () => {
    const { google, assign, ok, change, listTokens } = await createSignInHarness();
    await assign('acme.com');
    const { token } = await ok(await google.sign());
    const { team } = await assign('acme.com');
    expect(await change(token)).toBe(401);
    const renewed = await ok(await google.sign());
    expect(await change(renewed.token)).toBe(422);
    expect((await listTokens()).map(({ team_id }) => team_id)).toEqual([team]);
  });

  it('changes scopes, budget and lifetime: the tokens of its people follow at once', async () => {
    const { google, assign, ok, change, adminOk, listTokens } = await createSignInHarness();
    const { team, audience } = await assign('acme.com', { token_days: 90 });
    const { token } = await ok(await google.sign());
    const change1 = { team, audience, families: ['job_base'], budget: { day: 1 }, token_days: 1 };
    await adminOk('PUT', '/domains/acme.com', change1);
    expect(await change(token)).toBe(422);
    const { tokens } = await adminOk<{ tokens: unknown[] }>('GET', `/teams/${team}/tokens`);
    expect(tokens).toMatchObject([{ families: ['job_base'], budget: { day: 1, month: null } }]);
    const [stored] = await listTokens();
    expect((stored?.expires_at ?? 0) - clock.now).toBeLessThanOrEqual(DAY_MS);
  });

  it('deletes the team: nobody can sign in', async () => {
    const { google, assign, ok, problem, adminOk, change } = await createSignInHarness();
    const { team } = await assign('acme.com');
    const { token } = await ok(await google.sign());
    await adminOk('DELETE', `/teams/${team}`);
    expect(await change(token)).toBe(401);
    expect(await problem(await google.sign())).toMatchObject({ code: 'domain_not_assigned' });
    expect(await adminOk('GET', '/domains')).toEqual({ domains: [], next: null });
  });

  longIt('lists assignments in pages', async () => {
    const { assign, adminOk } = await createSignInHarness();
    for (const domain of ['c.example', 'a.example', 'b.example']) await assign(domain);
    const page = await adminOk<{ domains: { domain: string }[]; next: string }>('GET', '/domains?limit=2');
    expect(page.domains.map(({ domain }) => domain)).toEqual(['a.example', 'b.example']);
    const rest = await adminOk<{ domains: { domain: string }[] }>('GET', `/domains?after=${page.next}`);
    expect(rest.domains.map(({ domain }) => domain)).toEqual(['c.example']);
  });

  it.each(['GMAIL.com', 'acme', 'a b.com'])('can’t assign %s', async (domain) => {
    const { admin, createTeam } = await createSignInHarness();
    const body = { team: (await createTeam()).id, audience: 'a.apps.googleusercontent.com' };
    const response = await admin('PUT', `/domains/${encodeURIComponent(domain)}`, body);
    expect(response.status).toBe(404);
  });
});

longIt(
  'after a year without a sign-in, a person is deleted; a revoked person stays revoked without an address',
  async () => {
    const { google, assign, ok, problem, listPeople, adminOk } = await createSignInHarness();
    await assign('acme.com');
    await ok(await google.sign());
    await ok(await google.sign({ sub: '2', email: 'bob@acme.com' }));
    clock.now += 1000;
    await ok(await google.sign({ sub: '3', email: 'eve@acme.com' }));
    const bob = (await listPeople()).find(({ email }) => email === 'bob@acme.com');
    await adminOk('PATCH', `/people/${bob?.id}`, { revoked: true });
    clock.now += 200 * DAY_MS;
    await ok(await google.sign({ sub: '3', email: 'eve@acme.com' }));
    clock.now += 166 * DAY_MS;
    await planJob('housekeeping', 'hourly', clock.now);
    await keepHouse({ env, platform: testPlatform, waitUntil: () => {} });
    expect((await listPeople()).map(({ id, email }) => (id === bob?.id ? 'revoked' : email)).sort()).toEqual([
      'eve@acme.com',
      'revoked',
    ]);
    expect((await listPeople()).find(({ id }) => id === bob?.id)).toMatchObject({ email: null });
    expect(await problem(await google.sign({ sub: '2', email: 'bob@acme.com' }))).toMatchObject({
      code: 'person_revoked',
    });
  },
);
