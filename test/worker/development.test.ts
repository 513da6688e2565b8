// What npm start adds so that alerts and Cloudflare Access can be tried: as strict as the services they stand in for.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { assertIdentity, createAccessIssuer, createAlertReceiver } from '../../worker/development/index.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import { sendWebhook } from '../../worker/http/send-webhook.ts';
import { systemClock } from '../../worker/lib/clock.ts';
import { AccessVerifier, readAccessApplication } from '../../worker/routes/console/access.ts';

const ORIGIN = 'http://127.0.0.1:8787';

beforeEach(() => () => vi.restoreAllMocks());

describe('the receiver of alerts', () => {
  const url = `${ORIGIN}/development/alerts`;
  const app = new Hono<{ Bindings: DevelopmentEnv }>();
  app.route(
    '/development/alerts',
    createAlertReceiver(() => 0),
  );

  it('shows what arrives, as text', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      app.request(new Request(input, init), undefined, env),
    );
    const body = JSON.stringify({ text: 'Sales: <b>10 %</b>' });
    expect(await sendWebhook(() => ({ url, body }), 'alert_delivery_failed', {})).toBeUndefined();
    const html = await (await app.request(url, undefined, env)).text();
    expect(html).toContain('Sales: &lt;b&gt;10 %&lt;/b&gt;');
    const refused = await sendWebhook(
      () => ({ url: `${url}?answer=404`, body }),
      'alert_delivery_failed',
      {},
    );
    expect(refused).toEqual({ code: 'http_404', error: 'The receiver answered 404.' });
  });

  it.each([
    ['text/plain', JSON.stringify({ text: 'x' })],
    ['application/json', '{'],
    ['application/json', JSON.stringify({ message: 'x' })],
    ['application/json', JSON.stringify({ text: '' })],
  ])('refuses %s %s', async (type, body) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    expect((await app.request(url, init, env)).status).toBe(400);
  });

  it('is not there for other host names', async () => {
    const foreign = { headers: { host: 'evil.example:8787' } };
    expect((await app.request('http://evil.example/development/alerts', undefined, env)).status).toBe(404);
    expect((await app.request(url, foreign, env)).status).toBe(404);
  });
});

describe('the stand-in for Cloudflare Access', () => {
  const settings = {
    ENVIRONMENT: 'development',
    ACCESS_TEAM_DOMAIN: 'development.cloudflareaccess.com',
    ACCESS_AUDIENCE: 'development',
    ACCESS_ROLES: 'owner@example.com=owner,viewer@example.com=viewer',
    ACCESS_KEYS_URL: `${ORIGIN}/development/access/certs`,
  };
  const bindings: DevelopmentEnv = { ...env, ...settings };
  const verifier = new AccessVerifier(systemClock);
  let isPage = true;
  const app = new Hono<{ Bindings: DevelopmentEnv }>();
  app.route(
    '/development/access',
    createAccessIssuer(async (c, next) => (isPage ? next() : c.text('', 401))),
  );
  app.use('/console/*', assertIdentity);
  app.get('/console', async (c) => {
    const application = readAccessApplication(c.env);
    if (application === undefined) return c.text('');
    return c.json(await verifier.verify(application, c.req.raw.headers));
  });
  app.onError((error, c) => c.text(error.message, 403));

  const open = (cookie = '', headers: Record<string, string> = {}) =>
    app.request(`${ORIGIN}/console`, { headers: { ...headers, cookie } }, bindings);
  const signIn = (body: unknown) =>
    app.request(
      `${ORIGIN}/development/access`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      bindings,
    );
  const signInAs = async (email: string): Promise<string> => {
    const response = await signIn({ email });
    expect(response.status).toBe(204);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/);
    return cookie.replace(/;.*/, '');
  };

  beforeEach(() => {
    isPage = true;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      expect(String(input)).toBe(settings.ACCESS_KEYS_URL);
      return app.request(String(input), undefined, bindings);
    });
  });

  it('signs people of each role in, whom the console verifies', async () => {
    const response = await open(await signInAs('viewer@example.com'));
    expect(await response.json()).toEqual({ email: 'viewer@example.com', role: 'viewer' });
    // An assertion of the client is replaced.
    const headers = { 'cf-access-jwt-assertion': 'forged' };
    expect((await open(await signInAs('owner@example.com'), headers)).status).toBe(200);
    const stranger = await open(await signInAs('nobody@example.com'));
    expect(await stranger.text()).toBe('You are signed in, but have no role in this console.');
  });

  it('sends everybody else to the sign-in, also with an assertion of their own', async () => {
    const response = await open('', { 'cf-access-jwt-assertion': 'forged' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/development/access']);
    expect((await open('CF_Authorization=forged')).status).toBe(403);
  });

  it('signs in nobody else, and only for its own page', async () => {
    for (const body of [{ email: 'eve@example.com' }, { email: 'owner' }, {}, 'x'])
      expect((await signIn(body)).status).toBe(403);
    isPage = false;
    expect((await signIn({ email: 'owner@example.com' })).status).toBe(401);
  });

  it('has other keys than Access only in development', () => {
    expect(readAccessApplication({ ...settings, ENVIRONMENT: 'production' })?.keysUrl).toBe(
      'https://development.cloudflareaccess.com/cdn-cgi/access/certs',
    );
  });
});
