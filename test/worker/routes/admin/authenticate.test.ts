// Admin authentication: only ADMIN_TOKEN is accepted, and repeated failures are throttled.
import { describe, expect, it } from 'vitest';
import type { AuditList } from '../../../../shared/api/admin-reports.ts';
import { adminRouteTable } from '../../../../worker/routes/admin/index.ts';
import { createRateLimit } from '../../platform.ts';
import { ADMIN_TOKEN, admin } from './harness.ts';

const withToken = (authorization: string, address?: string): RequestInit => ({
  headers: { authorization, ...(address === undefined ? {} : { 'cf-connecting-ip': address }) },
});

describe('the admin API', () => {
  it.each([
    ['no token', ''],
    ['another token', `Bearer ${crypto.randomUUID()}`],
    ['a part of the token', `Bearer ${ADMIN_TOKEN.slice(0, -1)}`],
    ['more than the token', `Bearer ${ADMIN_TOKEN}0`],
    ['the token in another scheme', `Basic ${ADMIN_TOKEN}`],
  ])('rejects %s', async (_, authorization) => {
    const response = await admin().request('/teams', withToken(authorization));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      code: 'unauthorised',
      fix: expect.stringContaining('ADMIN_TOKEN'),
    });
  });

  it('rejects team tokens', async () => {
    const { team, token, request } = admin();
    const { token: issued } = await token((await team()).id);
    expect((await request('/teams', withToken(`Bearer ${issued}`))).status).toBe(401);
  });

  it('does not reveal its routes without the admin token', async () => {
    expect((await admin().request('/nothing')).status).toBe(401);
    expect((await admin().request('/teams', { method: 'PUT' })).status).toBe(401);
  });

  it('answers `not_configured` without ADMIN_TOKEN', async () => {
    for (const ADMIN_TOKEN of [undefined, '']) {
      const { request } = admin({ ADMIN_TOKEN });
      for (const authorization of ['', 'Bearer undefined', 'Bearer ']) {
        const response = await request('/teams', withToken(authorization));
        expect(response.status).toBe(503);
        expect(await response.json()).toMatchObject({
          code: 'not_configured',
          fix: expect.stringContaining('ADMIN_TOKEN'),
        });
      }
    }
  });

  it('accepts the previous token until its time is over, and logs which one was used', async () => {
    const token = `previous-${crypto.randomUUID()}`;
    const until = Date.now() + 60_000;
    const { request, clock, ok } = admin({
      ADMIN_TOKEN_PREVIOUS: `${new Date(until).toISOString()} ${token}`,
    });
    const create = (name: string) =>
      request('/teams', { ...withToken(`Bearer ${token}`), method: 'POST', body: JSON.stringify({ name }) });
    expect((await create('Before')).status).toBe(201);
    await ok('POST', '/teams', { name: 'With the new one' });
    const { audit } = await ok<AuditList>('GET', '/audit?limit=2');
    expect(audit.map(({ admin_token, detail }) => [admin_token, detail.name])).toEqual([
      ['current', 'With the new one'],
      ['previous', 'Before'],
    ]);
    clock.now = until;
    expect((await create('Late')).status).toBe(401);
  });

  it.each([
    ['too short', `${new Date(8.64e15).toISOString()} short`],
    ['without a time', 'x'.repeat(50)],
    ['of more than two parts', `2999-01-01T00:00:00Z ${'x'.repeat(40)} more`],
  ])('answers `not_configured` to a previous token that is %s', async (_, ADMIN_TOKEN_PREVIOUS) => {
    const { request } = admin({ ADMIN_TOKEN_PREVIOUS });
    const response = await request('/teams', withToken(`Bearer ${ADMIN_TOKEN_PREVIOUS.split(' ')[1]}`));
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain('ADMIN_TOKEN_PREVIOUS');
    expect(text).not.toContain(ADMIN_TOKEN_PREVIOUS);
    expect(await admin({ ADMIN_TOKEN_PREVIOUS: 'none' }).ok('GET', '/teams')).toBeDefined();
  });

  it('throttles an address that guesses, for a minute', async () => {
    const { request, clock } = admin({ AUTH_RATE_LIMIT: createRateLimit(3) });
    const address = crypto.randomUUID();
    const show = async (token: string, from?: string) =>
      (await request('/teams', withToken(`Bearer ${token}`, from))).status;
    for (const status of [401, 401, 401, 429]) expect(await show('guess', address)).toBe(status);
    expect(await show(ADMIN_TOKEN, address)).toBe(429);
    expect(await show(ADMIN_TOKEN)).toBe(200);
    clock.now += 60_001;
    expect(await show(ADMIN_TOKEN, address)).toBe(200);
  });
});

describe('a route', () => {
  const paths = [...new Set(adminRouteTable.map(({ path }) => path))];
  const methodsOf = (path: string): string[] =>
    adminRouteTable.filter((route) => route.path === path).map(({ method }) => method);

  it('rejects other methods with an Allow header', async () => {
    const { call } = admin();
    for (const path of paths) {
      const methods = methodsOf(path);
      const other = ['OPTIONS', 'PUT', 'PATCH'].find((method) => !methods.includes(method)) ?? '';
      const response = await call(other, path.replaceAll(/\{\w+\}/g, 'some'));
      expect([path, response.status]).toEqual([path, 405]);
      const allowed = response.headers.get('allow')?.split(', ');
      expect(allowed?.filter((method) => method !== 'HEAD')).toEqual(methods);
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
    }
  });
});
