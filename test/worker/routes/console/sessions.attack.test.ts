// Attacks on the console's sessions: forged forms, planted cookies, guessed tokens, and requests around Cloudflare Access.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GoogleIdentity } from '../../../google-identity.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { createRateLimit } from '../../platform.ts';
import { type Browser, ConsoleDeployment } from './browser.ts';

const NEW_TEAM = '/console/new-team';

const countTeams = async (name: string): Promise<number> =>
  Number(
    await env.DB.prepare('SELECT count(*) AS count FROM teams WHERE name = ?').bind(name).first('count'),
  );

describe('a page of another site', () => {
  const send = (browser: Browser, body: Record<string, string>, headers: Record<string, string>) =>
    browser.request(NEW_TEAM, { method: 'POST', body: new URLSearchParams(body), headers });

  it('sends a form with the admin’s cookie: refused without the session’s own token, and from elsewhere', async () => {
    const deployment = new ConsoleDeployment();
    const [browser, other] = [await deployment.signIn(), await deployment.signIn()];
    const readToken = async (from: Browser): Promise<string> => {
      const { html } = await from.open(NEW_TEAM);
      return /name="csrf" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
    };
    const [own, foreign] = [await readToken(browser), await readToken(other)];
    expect(own).not.toBe(foreign);
    const name = 'Forged by another site';
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    const attempts: [Record<string, string>, Record<string, string>][] = [
      [{ name }, sameOrigin],
      [{ name, csrf: '' }, sameOrigin],
      [{ name, csrf: foreign }, sameOrigin],
      [{ name, csrf: own.toUpperCase() }, sameOrigin],
      [{ name, csrf: own }, { 'sec-fetch-site': 'cross-site' }],
      [{ name, csrf: own }, { 'sec-fetch-site': 'same-site' }],
      [{ name, csrf: own }, { origin: 'https://evil.example' }],
    ];
    for (const [body, headers] of attempts) expect((await send(browser, body, headers)).status).toBe(401);
    const json = await browser.request(NEW_TEAM, {
      method: 'POST',
      body: JSON.stringify({ name, csrf: own }),
      headers: { ...sameOrigin, 'content-type': 'text/plain' },
    });
    expect(json.status).toBe(400);
    expect(await countTeams(name)).toBe(0);
    expect((await send(browser, { name, csrf: own }, sameOrigin)).status).toBe(303);
    expect(await countTeams(name)).toBe(1);
  });

  it('signs the admin’s browser in or out: refused', async () => {
    const deployment = new ConsoleDeployment();
    const browser = await deployment.signIn();
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const cookies = new Map(browser.cookies);
    const token = deployment.bindings.ADMIN_TOKEN ?? '';
    for (const path of ['/console/sign-in', '/console/sign-out']) {
      const body = new URLSearchParams({ token });
      expect((await browser.request(path, { method: 'POST', body, headers: crossSite })).status).toBe(401);
    }
    expect(browser.cookies).toEqual(cookies);
    expect((await browser.open('/console')).path).toBe('/console');
  });

  it('can neither frame a page nor run a script in it', async () => {
    const browser = await new ConsoleDeployment().signIn();
    const { headers, html } = await browser.open('/console');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(html).not.toMatch(/<script(?! src="\/console\/live\.js")|<style| style=| on[a-z]+=/);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a planted cookie', () => {
  it('is worthless after the sign-in: the session gets a new one, and the planted session ends', async () => {
    const deployment = new ConsoleDeployment();
    const attacker = await deployment.signIn();
    const planted = new Map(attacker.cookies);
    const victim = deployment.openBrowser();
    for (const [name, value] of planted) victim.cookies.set(name, value);
    await victim.request('/console/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token: deployment.bindings.ADMIN_TOKEN ?? '' }),
    });
    expect(victim.cookies).not.toEqual(planted);
    expect((await attacker.open('/console')).path).toBe('/console/sign-in');
    expect((await victim.open('/console')).path).toBe('/console');
  });

  it('that no session has, opens nothing', async () => {
    const deployment = new ConsoleDeployment();
    for (const value of ['0'.repeat(64), '', "' OR 1=1 --"]) {
      const browser = deployment.openBrowser();
      browser.cookies.set('__Host-cdapi_console', value);
      expect((await browser.open('/console/teams')).path).toBe('/console/sign-in');
    }
  });
});

it('a guessed token is throttled by address, in constant words, and never shown again', async () => {
  const deployment = new ConsoleDeployment({ AUTH_RATE_LIMIT: createRateLimit(3) });
  const browser = deployment.openBrowser();
  for (const status of [401, 401, 401, 429]) {
    const visit = await browser.signIn('a guess <script>');
    expect(visit.status).toBe(status);
    expect(visit.html).not.toContain('a guess');
  }
  expect((await browser.signIn(deployment.bindings.ADMIN_TOKEN ?? '')).status).toBe(429);
  await deployment.signIn();
  deployment.clock.now += 60_001;
  expect((await browser.signIn(deployment.bindings.ADMIN_TOKEN ?? '')).path).toBe('/console');
});

describe('with Cloudflare Access', () => {
  const DOMAIN = 'acme.cloudflareaccess.com';
  const settings = { ACCESS_TEAM_DOMAIN: DOMAIN, ACCESS_AUDIENCE: 'audience-of-the-console' };
  const keysUrl = `https://${DOMAIN}/cdn-cgi/access/certs`;
  const claims = { iss: `https://${DOMAIN}`, aud: [settings.ACCESS_AUDIENCE], email: 'Ada@acme.com' };
  let access: GoogleIdentity;
  let deployment: ConsoleDeployment;
  beforeEach(async () => {
    captureErrorLog();
    deployment = new ConsoleDeployment(settings);
    access = await GoogleIdentity.create(() => deployment.clock.now, 'Access', keysUrl);
    vi.stubGlobal('fetch', access.fetch);
    return () => vi.unstubAllGlobals();
  });

  /** Opens a browser whose requests Access has signed. */
  async function openSigned(changes: Parameters<GoogleIdentity['sign']>[0] = {}): Promise<Browser> {
    const browser = deployment.openBrowser();
    browser.headers['cf-access-jwt-assertion'] = await access.sign({ ...claims, ...changes });
    return browser;
  }

  it('opens for whom Access has signed in, and the audit log has the address', async () => {
    const browser = await openSigned();
    expect((await browser.open(NEW_TEAM)).html).toContain('ada@acme.com');
    await browser.submit(NEW_TEAM, { name: 'Created through Access' });
    const { results } = await env.DB.prepare(
      'SELECT action, admin_token, session_id FROM audit ORDER BY number DESC LIMIT 2',
    ).all();
    expect(results.map(({ action, admin_token }) => [action, admin_token])).toEqual([
      ['team.create', null],
      ['session.begin', null],
    ]);
    const { email } = (await env.DB.prepare('SELECT email FROM console_sessions WHERE id = ?')
      .bind(results[0]?.session_id)
      .first<{ email: string }>()) ?? { email: '' };
    expect(email).not.toContain('acme');
  });

  it.each([
    ['of another team of Cloudflare', { iss: 'https://evil.cloudflareaccess.com' }],
    ['of another application', { aud: ['another'] }],
    ['without an address', { email: undefined }],
    ['that has expired', { exp: 1 }],
  ])('refuses an assertion %s', async (_, changes) => {
    const { status, html } = await (await openSigned(changes)).open('/console');
    expect(status).toBe(401);
    expect(html).toContain('Cloudflare Access has not signed you in');
  });

  it('refuses requests around Access, assertions of other keys, and the admin token', async () => {
    const foreign = await GoogleIdentity.create(() => deployment.clock.now, 'Attacker', keysUrl);
    const [none, forged, changed] = [deployment.openBrowser(), await openSigned(), await openSigned()];
    forged.headers['cf-access-jwt-assertion'] = await foreign.sign(claims, { kid: access.keyId });
    changed.headers['cf-access-jwt-assertion'] += 'A';
    for (const browser of [none, forged, changed]) {
      expect((await browser.open('/console')).status).toBe(401);
      expect(browser.cookies.size).toBe(0);
    }
    const token = deployment.bindings.ADMIN_TOKEN ?? '';
    const body = new URLSearchParams({ token });
    expect((await none.request('/console/sign-in', { method: 'POST', body })).status).toBe(401);
  });

  it('gives nobody the session of another person, or of the admin token', async () => {
    const ada = await openSigned();
    await ada.open('/console');
    const eve = await openSigned({ email: 'eve@acme.com' });
    for (const [name, value] of ada.cookies) eve.cookies.set(name, value);
    const { html } = await eve.open('/console');
    expect(html).toContain('eve@acme.com');
    expect(html).not.toContain('ada@acme.com');
    const before = new ConsoleDeployment({ ADMIN_TOKEN: deployment.bindings.ADMIN_TOKEN });
    const earlier = await before.signIn();
    for (const [name, value] of earlier.cookies) eve.cookies.set(name, value);
    expect((await eve.open('/console')).html).toContain('eve@acme.com');
  });

  it('gives each person the role of their address or group, and refuses others', async () => {
    deployment.bindings.ACCESS_ROLES = 'eve@acme.com=viewer, Privacy=privacy';
    const eve = await openSigned({ email: 'Eve@acme.com' });
    expect((await eve.open('/console/teams')).status).toBe(200);
    expect((await eve.open(NEW_TEAM)).html).not.toContain(`action="${NEW_TEAM}"`);
    expect((await eve.open('/console/records')).status).toBe(403);
    const bo = await openSigned({ email: 'bo@acme.com', groups: ['privacy'] });
    expect((await bo.open('/console/records')).status).toBe(200);
    const { status, html } = await (await openSigned()).open('/console');
    expect([status, html.includes('have no role')]).toEqual([403, true]);
  });

  it('opens for nobody while it is configured only in part, or its keys are unreachable', async () => {
    const half = new ConsoleDeployment({ ACCESS_AUDIENCE: 'audience-of-the-console' });
    expect((await half.openBrowser().open('/console')).status).toBe(503);
    access.isDown = true;
    expect((await (await openSigned()).open('/console')).status).toBe(503);
  });
});
