// Operator alerts that hold, and the test message.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import type { OperatorAlertList } from '../../../../../shared/api/admin-settings.ts';
import { OperatorAlertStore } from '../../../../../worker/operations/alert-store.ts';
import { captureErrorLog } from '../../../logged-errors.ts';
import { admin } from '../harness.ts';
import { ALERT_URL, MARKER } from './markers.ts';

const configured = { OPERATOR_ALERT_URL: ALERT_URL };
const store = new OperatorAlertStore(env.DB);
const SECOND = 1_000;
const message = { text: 'text', level: 1 };
const refused = 'The receiver answered 404.';

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM operator_alerts').run();
  return () => vi.restoreAllMocks();
});

describe('the list', () => {
  it('has the alerts that hold, with what became of their messages', async () => {
    await store.begin('dead_letters', message, 1 * SECOND);
    await store.begin('cron_silent', message, 2 * SECOND);
    await store.begin('breaker_open', message, 3 * SECOND);
    await store.begin('ledger_drift', message, 4 * SECOND);
    for (const alert of await store.leaseDue(5 * SECOND, 6 * SECOND)) {
      if (alert.kind === 'dead_letters') await store.recordDelivery(alert);
      if (alert.kind === 'cron_silent') await store.recordFailure(alert, refused, 9 * SECOND);
      if (alert.kind === 'breaker_open') await store.recordFailure(alert, refused, null);
    }
    const ended = (await store.list()).find(({ kind }) => kind === 'ledger_drift');
    if (ended === undefined) throw new Error('no alert');
    await store.notify(ended, message, 7 * SECOND, null);

    const { ok } = admin(configured);
    const view = await ok<OperatorAlertList>('GET', '/alerts');
    const at = (seconds: number): string => new Date(seconds * SECOND).toISOString();
    expect(view).toEqual({
      configured: true,
      problem: null,
      alerts: [
        { kind: 'dead_letters', since: at(1), last_notified_at: at(1), delivery: 'delivered', error: null },
        { kind: 'cron_silent', since: at(2), last_notified_at: at(2), delivery: 'pending', error: refused },
        { kind: 'breaker_open', since: at(3), last_notified_at: at(3), delivery: 'dropped', error: refused },
      ],
    });
    expect(JSON.stringify(view)).not.toContain(MARKER);
    await store.dropPending();
    const dropped = await ok<OperatorAlertList>('GET', '/alerts');
    expect(dropped.alerts.map(({ delivery }) => delivery)).toEqual(['delivered', 'dropped', 'dropped']);
  });

  it('is empty without alerts', async () => {
    const view = await admin(configured).ok('GET', '/alerts');
    expect(view).toEqual({ configured: true, problem: null, alerts: [] });
  });

  it('is empty without settings, because nothing updates it', async () => {
    await store.begin('dead_letters', message, 0);
    const unset = { configured: false, problem: null, alerts: [] };
    expect(await admin().ok('GET', '/alerts')).toEqual(unset);
    const view = await admin({ OPERATOR_ALERT_URL: `http://${MARKER}.example` }).ok('GET', '/alerts');
    expect(view).toMatchObject({ configured: true, alerts: [] });
    expect(view).toHaveProperty('problem', 'OPERATOR_ALERT_URL is not a public https address.');
  });
});

describe('the test message', () => {
  const receive = (respond: () => Promise<Response>) =>
    vi.spyOn(globalThis, 'fetch').mockImplementation(respond);

  it('is sent once for each call, and logged', async () => {
    const fetch = receive(async () => new Response(MARKER));
    const { ok } = admin(configured);
    for (let sent = 1; sent <= 2; sent += 1) {
      const result = await ok('POST', '/alerts/test');
      expect(result).toEqual({ accepted: true, problem: null });
      expect(fetch).toHaveBeenCalledTimes(sent);
    }
    const [url, init] = fetch.mock.lastCall ?? [];
    expect(url).toBe(ALERT_URL);
    expect(init?.body).toBe(
      JSON.stringify({ text: 'CDAPI for Sheets: This is a test. Operator alerts arrive here.' }),
    );
    const { audit } = await ok<AuditList>('GET', '/audit');
    const entries = audit.filter(({ action }) => action === 'alert.test');
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain(MARKER);
  });

  it('says that the receiver refused it, without the address and the answer', async () => {
    receive(async () => new Response(MARKER, { status: 404 }));
    const result = await admin(configured).ok('POST', '/alerts/test');
    expect(result).toEqual({ accepted: false, problem: 'The receiver answered 404.' });
    const logged = captureErrorLog();
    receive(() => Promise.reject(new Error(`no route to ${MARKER}`)));
    const failed = await admin(configured).ok('POST', '/alerts/test');
    expect(failed).toEqual({ accepted: false, problem: 'The receiver did not answer.' });
    expect(JSON.stringify(logged)).not.toContain(MARKER);
  });

  it('is refused without a webhook, and nothing is logged', async () => {
    const fetch = receive(async () => new Response());
    const { problem, ok } = admin();
    const { audit: before } = await ok<AuditList>('GET', '/audit');
    expect(await problem('POST', '/alerts/test')).toMatchObject({
      code: 'not_configured',
      detail: 'OPERATOR_ALERT_URL is not set.',
    });
    expect(fetch).not.toHaveBeenCalled();
    expect((await ok<AuditList>('GET', '/audit')).audit).toEqual(before);
  });
});
