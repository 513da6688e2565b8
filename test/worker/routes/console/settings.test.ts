// Setup, settings and audit log of the console.
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { captureErrorLog } from '../../logged-errors.ts';
import { ConsoleDeployment } from './browser.ts';

const WEBHOOK = 'https://hooks.example/secret-path-of-the-operator';

describe('the setup', () => {
  it('says what a deployment lacks, and the overview points to it', async () => {
    const missing = { CDAPI_KEY: undefined, OPERATOR_ALERT_URL: undefined };
    const browser = await new ConsoleDeployment(missing).signIn();
    const { html } = await browser.open('/console/setup');
    expect(html).toContain('The provider’s key works');
    expect(html).toContain('Set the secret OPERATOR_ALERT_URL');
    expect((await browser.open('/console')).html).toContain('class="figures"');
  });
});

describe('the settings', () => {
  it('show what is in effect, without the value of a secret', async () => {
    const deployment = new ConsoleDeployment({
      OPERATOR_ALERT_URL: WEBHOOK,
      CDAPI_BASE_URL: 'https://provider.example/cdapi',
      CDAPI_KEY: 'key-of-the-provider',
      FRESH_FOR: 'job=36h',
    });
    const { html } = await (await deployment.signIn()).open('/console/settings');
    expect(html).toContain('36 hours');
    expect(html).toContain('Everything is in order.');
    for (const secret of [WEBHOOK, 'secret-path', 'key-of-the-provider', deployment.bindings.ADMIN_TOKEN])
      expect(html).not.toContain(secret);
  });

  it.each([
    [200, 'The test message was accepted'],
    [500, 'not_configured'],
  ])('send a test message, which the receiver answers with %i', async (status, expected) => {
    captureErrorLog();
    const fetch = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('<b>', { status }));
    const browser = await new ConsoleDeployment({ OPERATOR_ALERT_URL: WEBHOOK }).signIn();
    await browser.open('/console/settings');
    const { html } = await browser.submit('/console/settings/test-alert');
    expect(html).toContain(expected);
    expect(html).not.toMatch(/secret-path|<b>/);
    expect(fetch).toHaveBeenCalledTimes(1);
    fetch.mockRestore();
  });
});

describe('the audit log', () => {
  it('names the session of each change, in pages, and shows every detail as text', async () => {
    const browser = await new ConsoleDeployment().signIn();
    const name = `Audit <img src=x onerror=alert(1)>`;
    await browser.open('/console/new-team');
    await browser.submit('/console/new-team', { name });
    const copy = env.DB.prepare(
      `INSERT INTO audit (at, admin_token, session_id, action, target, detail)
         SELECT at, admin_token, session_id, action, target, detail FROM audit ORDER BY number DESC LIMIT 1`,
    );
    await env.DB.batch(Array(50).fill(copy));
    const { html } = await browser.open('/console/settings/audit');
    expect(html.match(/>Team created</g)).toHaveLength(50);
    expect(html).not.toContain(': –');
    expect(html).toContain('Audit &lt;img');
    expect(html).not.toContain('<img');
    const [, next = ''] = /href="(\/console\/settings\/audit\?before=\d+)"/.exec(html) ?? [];
    expect((await browser.open(next)).html).toMatch(/>Team created<[\s\S]*>Signed in</);
  });
});
