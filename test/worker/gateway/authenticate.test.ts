// Tokens: only callers with a good one come in, and a revoked one stops working within 30 seconds.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { newToken } from '../../../shared/tokens.ts';
import { addTeamWithToken } from '../../../worker/gateway/tokens.ts';
import { sha256Hex } from '../../../worker/hash.ts';
import { authorised, company, gateway } from '../harness.ts';

const body = { family: 'company_clean', by: 'website', keys: [] };
const token = newToken((length) => crypto.getRandomValues(new Uint8Array(length)));
const withHeader = (authorization: string): RequestInit => ({
  ...authorised(body),
  headers: { authorization },
});

beforeAll(async () => {
  await addTeamWithToken(env.DB, { id: 'team', name: 'Team' }, token, 0);
});

describe('a call', () => {
  it.each([
    ['no header', ''],
    ['another scheme', 'Basic eDp5'],
    ['an unknown token', `Bearer ${newToken((length) => crypto.getRandomValues(new Uint8Array(length)))}`],
    ['no token', 'Bearer '],
    ['SQL', "Bearer ' OR 1=1 --"],
  ])('with %s is refused with a problem that says what to do', async (_, header) => {
    const response = await gateway(company).request('/sheets/v1/lookup', withHeader(header));
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      code: 'unauthorised',
      status: 401,
      fix: expect.any(String),
    });
  });

  it('with a good token is let in, whatever the case of the scheme', async () => {
    const response = await gateway(company).request('/sheets/v1/lookup', withHeader(`bearer ${token}`));
    expect(response.status).toBe(200);
  });
});

describe('a token', () => {
  it('is stored as its hash and its first characters only', async () => {
    const { results } = await env.DB.prepare('SELECT * FROM tokens').all();
    const stored = JSON.stringify(results);
    expect(stored).toContain(await sha256Hex(token));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(token.slice(0, 12));
  });

  it('that is revoked is refused after 30 seconds at the latest', async () => {
    const { request, clock } = gateway(company);
    const call = async () => (await request('/sheets/v1/lookup', withHeader(`Bearer ${token}`))).status;
    expect(await call()).toBe(200);
    await env.DB.prepare('UPDATE tokens SET revoked_at = ?1 WHERE hash = ?2')
      .bind(clock.now, await sha256Hex(token))
      .run();
    clock.now += 30_001;
    expect(await call()).toBe(401);
  });

  it('that has expired is refused', async () => {
    const expiring = newToken((length) => crypto.getRandomValues(new Uint8Array(length)));
    await addTeamWithToken(env.DB, { id: 'team', name: 'Team' }, expiring, 0);
    const { request, clock } = gateway(company);
    await env.DB.prepare('UPDATE tokens SET expires_at = ?1 WHERE hash = ?2')
      .bind(clock.now + 1000, await sha256Hex(expiring))
      .run();
    const call = async () => (await request('/sheets/v1/lookup', withHeader(`Bearer ${expiring}`))).status;
    expect(await call()).toBe(200);
    clock.now += 31_000;
    expect(await call()).toBe(401);
  });
});
