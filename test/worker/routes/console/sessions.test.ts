// Sessions of the console: sign-in, cookie, expiry, rotation, sign-out, and the audit log.
import { desc } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { audit } from '../../../../worker/db/schema.ts';
import { ConsoleDeployment } from './browser.ts';

const HOUR_MS = 3_600_000;

describe('a session', () => {
  it('begins with the admin token, in a cookie that scripts and other sites cannot use', async () => {
    const deployment = new ConsoleDeployment();
    const browser = deployment.openBrowser();
    expect((await browser.open('/console')).path).toBe('/console/sign-in');
    const response = await browser.request('/console/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token: deployment.bindings.ADMIN_TOKEN ?? '' }),
    });
    expect(response.status).toBe(303);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-cdapi_console=[0-9a-f]{64}; /);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/'])
      expect(cookie.split('; ')).toContain(attribute);
    expect((await browser.open('/console')).html).toContain('Overview');
  });

  it('ends an hour after the last request, and twelve hours after the sign-in', async () => {
    const deployment = new ConsoleDeployment();
    const browser = await deployment.signIn();
    deployment.clock.now += HOUR_MS;
    expect((await browser.open('/console')).path).toBe('/console/sign-in');
    const busy = await deployment.signIn();
    for (let hours = 0; hours < 11.9; hours += 0.9) {
      expect((await busy.open('/console')).path).toBe('/console');
      deployment.clock.now += 0.9 * HOUR_MS;
    }
    expect((await busy.open('/console')).path).toBe('/console/sign-in');
  });

  it('ends when its admin token is replaced', async () => {
    const deployment = new ConsoleDeployment();
    const browser = await deployment.signIn();
    deployment.bindings.ADMIN_TOKEN = crypto.randomUUID();
    expect((await browser.open('/console')).path).toBe('/console/sign-in');
  });

  it('ends at the sign-out, also for a copy of its cookie', async () => {
    const deployment = new ConsoleDeployment();
    const browser = await deployment.signIn();
    const copy = deployment.openBrowser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await copy.open('/console')).path).toBe('/console');
    await browser.open('/console');
    expect((await browser.submit('/console/sign-out')).path).toBe('/console/sign-in');
    expect(browser.cookies.size).toBe(0);
    expect((await copy.open('/console')).path).toBe('/console/sign-in');
  });

  it('is in the audit log, with the changes that were made in it', async () => {
    const deployment = new ConsoleDeployment();
    const browser = await deployment.signIn();
    await browser.open('/console/new-team');
    const { status } = await browser.submit('/console/new-team', {
      name: 'Audited by the console',
      day: '5',
      month: '',
    });
    expect(status).toBe(200);
    await browser.submit('/console/sign-out');
    const [end, create, begin] = await drizzle(deployment.bindings.DB)
      .select()
      .from(audit)
      .orderBy(desc(audit.number))
      .limit(3);
    expect([begin?.action, create?.action, end?.action]).toEqual([
      'session.begin',
      'team.create',
      'session.end',
    ]);
    const id = begin?.target;
    expect([begin, create, end].map((entry) => entry?.sessionId)).toEqual([id, id, id]);
    expect(create?.detail).toMatchObject({ budget: { day: 5, month: null }, spending: false });
  });
});
