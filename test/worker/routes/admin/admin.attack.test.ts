// Attacks on the admin API and on the authentication of clients.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { AuditList } from '../../../../shared/api/admin-reports.ts';
import { generateToken } from '../../../../shared/tokens.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { createRateLimit } from '../../platform.ts';

it.each(['x'.repeat(31), 'admin', ' '])(
  'the admin token %j is short enough to be guessed: the admin API is closed, and the API reference refuses it',
  async (ADMIN_TOKEN) => {
    const deployment = { ADMIN_TOKEN, ENVIRONMENT: 'production' };
    const { request } = createGateway(buildCompanyResponse, undefined, undefined, deployment);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, apikey: ADMIN_TOKEN };
    const response = await request('/admin/v1/teams', { headers });
    expect(response.status).toBe(503);
    const fix = expect.stringMatching(/^Set the secret ADMIN_TOKEN to at least 32/);
    expect(await response.json()).toMatchObject({ code: 'not_configured', fix });
    expect((await request('/openapi.json', { headers })).status).toBe(401);
  },
);

/** Creates a deployed gateway that blocks an address after three failures. */
function createThrottledGateway(): Gateway {
  const deployment = { AUTH_RATE_LIMIT: createRateLimit(3), ENVIRONMENT: 'production' };
  return createGateway(buildCompanyResponse, undefined, undefined, deployment);
}

const ADDRESS = '203.0.113.7';
const adminHeaders = { authorization: `Bearer ${env.ADMIN_TOKEN}`, 'cf-connecting-ip': ADDRESS };

it('a page of another site loads addresses of the admin API in the admin’s browser, to block its address: the admin can still work', async () => {
  const { request } = createThrottledGateway();
  for (let image = 0; image < 10; image += 1) {
    const headers = { 'cf-connecting-ip': ADDRESS };
    expect((await request('/admin/v1/teams', { headers })).status).toBe(401);
  }
  expect((await request('/admin/v1/teams', { headers: adminHeaders })).status).toBe(200);
});

it('a page of another site posts wrong tokens to the sign-in form in the admin’s browser: the admin can still work', async () => {
  const { request } = createThrottledGateway();
  const post = (site: string) =>
    request('/docs', {
      method: 'POST',
      headers: { 'cf-connecting-ip': ADDRESS, accept: 'text/html', 'sec-fetch-site': site },
      body: new URLSearchParams({ token: 'wrong' }),
    });
  for (let form = 0; form < 10; form += 1) expect((await post('cross-site')).status).toBe(401);
  expect((await request('/admin/v1/teams', { headers: adminHeaders })).status).toBe(200);
  // The form itself counts.
  for (const status of [401, 401, 401, 429]) expect((await post('same-origin')).status).toBe(status);
});

it('a client guesses tokens from many IPv6 addresses of its network: it is blocked like one address', async () => {
  const { request } = createThrottledGateway();
  const guess = async (address: string): Promise<number> => {
    const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
    const headers = { authorization: `Bearer ${token}`, 'cf-connecting-ip': address };
    return (await request('/sheets/v1/me', { headers })).status;
  };
  for (const address of ['2001:db8::1', '2001:db8:0:0:1::', '2001:db8::a:b:c:d'])
    expect(await guess(address)).toBe(401);
  expect(await guess('2001:db8::ffff')).toBe(429);
  expect(await guess('2001:db8:0:1::1')).toBe(401);
});

it('a stolen admin token buys a record from the budget of a team: the audit log shows it, without the record', async () => {
  const gateway = createGateway(buildCompanyResponse);
  const key = 'bought-7.example';
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  const response = await gateway.request(`/admin/v1/records/company_clean/${key}/refresh`, {
    method: 'POST',
    headers,
    body: '{"team":"team"}',
  });
  expect(response.status).toBe(200);
  expect(gateway.requestedKeys).toEqual([key]);
  const { audit } = await (await gateway.request('/admin/v1/audit?limit=1', { headers })).json<AuditList>();
  expect(audit).toMatchObject([{ action: 'record.refresh', target: 'team' }]);
  expect(JSON.stringify(audit)).not.toContain(key);
});

it('a person’s e-mail address is given to be erased: it does not erase the person’s company', async () => {
  const { request } = createGateway(buildCompanyResponse);
  const body = JSON.stringify({ family: 'company_clean', key: 'jane@acme.example' });
  const headers = { ...adminHeaders, 'content-type': 'application/json' };
  for (const path of ['erasure-preview', 'erasures', 'record-lookup']) {
    const response = await request(`/admin/v1/${path}`, { method: 'POST', headers, body });
    expect([path, response.status]).toEqual([path, 422]);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_key' });
    expect(text).not.toContain('jane');
  }
});
