// Roles of admins: each may use its routes only, by token, in the console and through Cloudflare Access.
import { describe, expect, it } from 'vitest';
import { adminEndpoints } from '../../../../shared/api/admin-endpoints.ts';
import { type AdminRole, adminRoles, mayUse } from '../../../../shared/api/admin-roles.ts';
import { type IssuedAdminToken, maxAdminTokens } from '../../../../shared/api/admin-tokens.ts';
import { adminRoutes } from '../../../../worker/routes/admin/index.ts';
import { findAccessRole, readAccessRoles } from '../../../../worker/routes/console/access.ts';
import { pages } from '../../../../worker/routes/console/pages/index.ts';
import { getAddress } from '../../../../worker/routes/console/pages/paths.ts';
import { ConsoleDeployment } from '../console/browser.ts';
import { type Admin, admin } from './harness.ts';

const routes = Object.entries(adminRoutes);
const limitedRoles = adminRoles.filter((role) => role !== 'owner');
/** Lists the endpoints that one of the roles may use. */
const listShared = (roles: readonly AdminRole[]) =>
  Object.entries(adminEndpoints).filter(([, endpoint]) => roles.some((role) => mayUse(role, endpoint)));

const issue = (gateway: Admin, role: AdminRole, name: string = role): Promise<IssuedAdminToken> =>
  gateway.ok('POST', '/admins', { name, role });

const withToken = ({ token }: IssuedAdminToken, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { authorization: `Bearer ${token}` },
});

it('each endpoint has its own route', () => {
  for (const [name, { problems, ...endpoint }] of Object.entries(adminEndpoints)) {
    const listed = expect.arrayContaining([...problems]);
    expect(routes).toContainEqual([name, expect.objectContaining({ ...endpoint, problems: listed })]);
  }
});

describe('the roles of endpoints', () => {
  it('leave changes to owners, but for money and erasures', () => {
    const changes = listShared(limitedRoles).filter(([, { method }]) => method !== 'GET');
    expect(changes.map(([name]) => name).toSorted()).toEqual([
      'createPersonSearch',
      'createTopUp',
      'erase',
      'eraseByPath',
      'getRecord',
      'previewErasure',
      'reconcile',
      'reportSubject',
      'resolveDispute',
      'setBudget',
      'stopPersonSearch',
    ]);
  });

  it('show records, refused keys, erasures and searches for people to privacy alone', () => {
    const others = limitedRoles.filter((role) => role !== 'privacy');
    expect(
      listShared(others).filter(([name]) => /record|eras|refused|subject|personSearch/i.test(name)),
    ).toEqual([]);
  });
});

describe('an admin token', () => {
  it.each(limitedRoles)('of %s opens the routes of its role, and no other', async (role) => {
    const gateway = admin();
    const token = await issue(gateway, role);
    for (const [name, route] of routes) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'x');
      const response = await gateway.request(path, withToken(token, { method: route.method }));
      expect([name, response.status === 403]).toEqual([name, !mayUse(role, route)]);
      if (response.status !== 403) continue;
      expect(await response.json()).toMatchObject({
        code: 'forbidden_scope',
        detail: expect.stringContaining(`Yours is ${role}.`),
      });
    }
  });

  it('of an owner may create others, and the audit log names it', async () => {
    const gateway = admin();
    const owner = await issue(gateway, 'owner', 'Ada');
    const body = JSON.stringify({ name: 'Monitor', role: 'monitor' });
    const created = await gateway.request('/admins', withToken(owner, { method: 'POST', body }));
    expect(created.status).toBe(201);
    const { audit } = await gateway.ok<{ audit: unknown[] }>('GET', '/audit?limit=1');
    expect(audit).toMatchObject([{ action: 'admin.create', admin_token: owner.id }]);
    const self = await gateway.request('/me', withToken(owner));
    expect(await self.json()).toEqual({ role: 'owner', name: 'Ada' });
  });

  it('is refused at once when it is revoked, and from its end on', async () => {
    const gateway = admin();
    const expires_at = new Date(gateway.clock.now + 60_000).toISOString();
    const short = await gateway.ok<IssuedAdminToken>('POST', '/admins', {
      name: 'A',
      role: 'viewer',
      expires_at,
    });
    const other = await issue(gateway, 'viewer');
    await gateway.remove(`/admins/${other.id}`);
    await gateway.remove(`/admins/${other.id}`);
    expect((await gateway.request('/teams', withToken(other))).status).toBe(401);
    expect((await gateway.request('/teams', withToken(short))).status).toBe(200);
    gateway.clock.now += 60_000;
    expect((await gateway.request('/teams', withToken(short))).status).toBe(401);
    expect(await gateway.problem('DELETE', '/admins/nobody')).toMatchObject({ code: 'not_found' });
    expect(
      await gateway.problem('POST', '/admins', { body: { name: 'A', role: 'viewer', expires_at } }),
    ).toMatchObject({ code: 'invalid_request' });
  });
});

describe('in the console', () => {
  /** Opens a browser with an admin token of a role. */
  async function signIn(role: AdminRole) {
    const deployment = new ConsoleDeployment();
    const gateway = admin({ ADMIN_TOKEN: deployment.bindings.ADMIN_TOKEN });
    const call = { headers: { authorization: `Bearer ${deployment.bindings.ADMIN_TOKEN}` } };
    const body = { name: role, role };
    const token = await (await gateway.call('POST', '/admins', { body, ...call })).json<IssuedAdminToken>();
    const browser = deployment.openBrowser();
    await browser.signIn(token.token);
    const revoke = () => gateway.call('DELETE', `/admins/${token.id}`, call);
    return { browser, revoke };
  }

  it('an admin token signs in with its role, until it is revoked', async () => {
    const { browser, revoke } = await signIn('finance');
    expect((await browser.open('/console')).path).toBe('/console');
    expect((await browser.open('/console/settings')).status).toBe(403);
    await revoke();
    expect((await browser.open('/console')).path).toBe('/console/sign-in');
  });

  it('a role sees only the cards whose forms it may send', async () => {
    const { id } = await admin().team();
    const { browser } = await signIn('finance');
    const { html } = await browser.open(`/console/teams/${id}`);
    expect([...html.matchAll(/<h2>([^<]*)</g)].map(([, title]) => title)).toEqual([
      'Tokens',
      'Budget',
      'Top-ups',
    ]);
  });

  const sections = ['teams', 'ledger', 'activity', 'records', 'settings'];

  it.each([
    ['owner', '/console', sections],
    ['finance', '/console', ['teams', 'ledger']],
    ['viewer', '/console', ['teams', 'ledger', 'activity', 'settings']],
    ['privacy', '/console/records', ['records']],
  ] as const)('%s starts at %s, and sees the sections of the role', async (role, start, shown) => {
    const { browser } = await signIn(role);
    const { path, html } = await browser.open('/console');
    expect(path).toBe(start);
    expect(sections.filter((name) => html.includes(`<a href="/console/${name}"`))).toEqual(shown);
  });

  it('a viewer sees no form but that of the sign-out, an owner sees those of a team', async () => {
    const forms = async (role: AdminRole, path: string): Promise<number> =>
      [...(await (await signIn(role)).browser.open(path)).html.matchAll(/<form /g)].length;
    expect(await forms('viewer', '/console/people')).toBe(1);
    expect(await forms('owner', '/console/people')).toBe(2);
    expect((await (await signIn('viewer')).browser.open('/console/teams')).html).not.toContain(
      '/console/new-team',
    );
    expect((await (await signIn('owner')).browser.open('/console/teams')).html).toContain(
      '/console/new-team',
    );
  });

  it('a viewer sees links to the pages of the role only', async () => {
    const { id } = await admin().team();
    const { html } = await (await signIn('viewer')).browser.open(`/console/teams/${id}`);
    expect(html).toContain(`href="/console/teams/${id}/alerts"`);
    expect(html).not.toContain(`href="/console/teams/${id}/delete"`);
  });

  it.each(['finance', 'viewer', 'privacy', 'monitor'] as const)(
    '%s opens each page of the role, and no other',
    async (role) => {
      const { browser } = await signIn(role);
      for (const page of pages) {
        const address = getAddress(page).replaceAll(/:\w+/g, 'x');
        const { status, path } = await browser.open(address);
        // The start page of another role leads to its first section.
        const isAllowed = mayUse(role, adminEndpoints[page.needs]) || path !== address;
        expect([address, status === 403]).toEqual([address, !isAllowed]);
      }
    },
  );

  it('an owner creates and revokes an admin token', async () => {
    const { browser } = await signIn('owner');
    await browser.open('/console/settings/admins');
    const { html } = await browser.submit('/console/settings/admins', {
      name: 'Uptime',
      role: 'monitor',
      expires: '',
    });
    expect(html).toMatch(/cda_[0-9A-Za-z]{38}/);
    const listed = (await browser.open('/console/settings/admins')).html;
    const [, action = ''] =
      /Uptime<.*?action="(\/console\/settings\/admins\/[0-9a-f]+\/revoke)"/.exec(listed) ?? [];
    const revoked = await browser.submit(action);
    expect(revoked.html).toContain('The admin token was revoked');
  });
});

describe('roles through Cloudflare Access', () => {
  const ACCESS_ROLES = 'ada@acme.com=owner, Finance Team=finance, staff=viewer';

  it.each([
    [['ada@acme.com'], 'owner'],
    [['bo@acme.com', 'staff', 'Finance Team'], 'finance'],
    [['bo@acme.com'], undefined],
  ] as const)('of %s is %s', (names, role) => {
    expect(findAccessRole(readAccessRoles({ ACCESS_ROLES }) ?? new Map(), names)).toBe(role);
  });

  it.each(['ada@acme.com', 'ada@acme.com=root', '=owner', 'a=owner,,b=viewer'])(
    'are not read from %s',
    (text) => {
      expect(() => readAccessRoles({ ACCESS_ROLES: text })).toThrow(/malformed/);
    },
  );
});

// The last test: its tokens stay.
it('at most a hundred admin tokens are valid', async () => {
  const gateway = admin();
  for (let created = 0; created < maxAdminTokens; created += 1) {
    const response = await gateway.call('POST', '/admins', { body: { name: 'A', role: 'monitor' } });
    if (response.status !== 201) break;
  }
  expect(await gateway.problem('POST', '/admins', { body: { name: 'B', role: 'monitor' } })).toMatchObject({
    code: 'too_many',
  });
});
