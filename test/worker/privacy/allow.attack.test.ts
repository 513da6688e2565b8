// An erased company may be bought again once an owner allows it; nobody can allow a person, and no other role a company.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { ErasureView, RefusedKeyList } from '../../../shared/api/admin-erasures.ts';
import type { IssuedAdminToken } from '../../../shared/api/admin-roles.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';

const gateway = createGateway(buildCompanyResponse);

async function call(method: string, path: string, body?: unknown, token = env.ADMIN_TOKEN) {
  return gateway.request(`/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function erase(body: Record<string, string>): Promise<ErasureView> {
  const erasure = await (await call('POST', '/erasures', body)).json<ErasureView>();
  expect(erasure.complete_at).not.toBeNull();
  return erasure;
}

const lookUp = async (key: string) =>
  (await gateway.lookup({ family: 'company_clean', by: 'website', keys: [key] })).rows[0];

async function listRefused(erasure: string): Promise<RefusedKeyList['keys']> {
  const { keys } = await (await call('GET', '/refused-keys?limit=100')).json<RefusedKeyList>();
  return keys.filter((key) => key.erasure === erasure);
}

it('an owner allows a company again, after its last copies have expired', async () => {
  const website = 'allowed-again.example';
  await lookUp(website);
  const { id, complete_at } = await erase({
    family: 'company_clean',
    key: website,
    reference: 'T-1',
    requester: 'Legal',
  });
  expect(await lookUp(website)).toMatchObject({ problem: 'erased' });
  expect((await call('POST', `/erasures/${id}/allow`)).status).toBe(422);
  expect(await listRefused(id)).not.toEqual([]);

  gateway.clock.now = Date.parse(complete_at ?? '');
  for (let repeated = 0; repeated < 2; repeated += 1) {
    const allowed = await (await call('POST', `/erasures/${id}/allow`)).json();
    expect(allowed).toMatchObject({
      id,
      allowed_at: expect.any(String),
      reference: 'T-1',
      requester: 'Legal',
    });
  }
  expect(await listRefused(id)).toEqual([]);
  expect(await lookUp(website)).toMatchObject({ status: 'fetched' });
  const { audit } = await (await call('GET', '/audit?limit=2')).json<{ audit: unknown[] }>();
  expect(audit).toMatchObject([{ action: 'record.allow', target: id }, { action: 'record.erase' }]);

  await erase({ family: 'company_clean', key: website });
  expect(await lookUp(website)).toMatchObject({ problem: 'erased' });
});

it('an owner tries to allow a person: the person stays refused', async () => {
  const body = { family: 'employee_clean', key: 'jane-doe-7' };
  const { id, complete_at } = await erase(body);
  gateway.clock.now = Date.parse(complete_at ?? '');
  const response = await call('POST', `/erasures/${id}/allow`);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  expect(await (await call('POST', '/record-lookup', body)).json()).toMatchObject({ erased: true });
});

it('an admin whose role may erase tries to allow a company: it stays refused', async () => {
  const { id, complete_at } = await erase({ family: 'company_clean', key: 'stays-refused.example' });
  gateway.clock.now = Date.parse(complete_at ?? '');
  for (const role of ['privacy', 'viewer', 'finance', 'monitor']) {
    const { token } = await (await call('POST', '/admins', { name: role, role })).json<IssuedAdminToken>();
    expect((await call('POST', `/erasures/${id}/allow`, undefined, token)).status).toBe(403);
  }
  expect(await listRefused(id)).not.toEqual([]);
});

it('a reference and a requester are not readable in the database', async () => {
  const { id } = await erase({ family: 'company_clean', key: 'stated.example', requester: 'Ada Lovelace' });
  const stored = await env.DB.prepare('SELECT request FROM erasures WHERE id = ?').bind(id).first('request');
  expect(stored).toEqual(expect.not.stringContaining('Ada'));
});
