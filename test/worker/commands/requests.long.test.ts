// Data requests on a running instance with real webhooks and queues.
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../faults/listen.ts';

const session = inject('session');
const PATIENCE_MS = 30_000;

const callDropIn = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${session.url}/cdapi/v2/data_requests/${path}`, {
    ...init,
    headers: { apikey: session.team_token, ...init.headers },
  });

it('notifies a caller of the drop-in surface with a signed webhook and serves its files', async () => {
  const webhooks: { headers: IncomingHttpHeaders; body: string }[] = [];
  const { origin, close } = await listen((request, response) => {
    void text(request).then((body) => {
      webhooks.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  onTestFinished(close);
  const created = await fetch(`${session.url}/admin/v1/teams/development/webhook-secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.admin_token}` },
  });
  const { secret }: { secret: string } = JSON.parse(await created.text());
  const answer = await callDropIn('company_clean/es_dsl', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      es_dsl_query: { query: { match_all: {} } },
      limit: 7,
      webhook_url: `${origin}/ready`,
    }),
  });
  expect(answer.status).toBe(201);
  const { request_id: id }: { request_id: string } = JSON.parse(await answer.text());
  await expect.poll(() => webhooks.length, { timeout: PATIENCE_MS }).toBe(1);
  const [webhook] = webhooks;
  const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(webhook?.headers[name]),
  ]);
  const payload = new Webhook(secret).verify(webhook?.body ?? '', Object.fromEntries(signatureHeaders));
  expect(payload).toEqual({ data_request_id: id, status: 'ready' });

  const list = await callDropIn(`${id}/files`);
  expect(list.status).toBe(200);
  const { data_request_files: files }: { data_request_files: string[] } = JSON.parse(await list.text());
  const file = await callDropIn(`${id}/files/${files[0]}`);
  const gunzip = createGunzip();
  gunzip.end(Buffer.from(await file.arrayBuffer()));
  expect((await text(gunzip)).trim().split('\n')).toHaveLength(7);
});

it('the provider’s webhook wakes a waiting request', async () => {
  const callSheets = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${session.url}/sheets/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${session.team_token}` },
    });
    return JSON.parse(await answer.text());
  };
  // Without the webhook the request would end with the poll after 15 seconds.
  const setDuration = (run_ms: number) =>
    fetch(`${session.url}/provider/control`, {
      method: 'PUT',
      headers: { apikey: session.provider_key },
      body: JSON.stringify({ run_ms }),
    });
  await setDuration(8_000);
  const startedAt = Date.now();
  const body = JSON.stringify({
    // At most 20 of these records were bought for the pictures, so the provider has to deliver others.
    family: 'employee_base',
    kind: 'es_dsl',
    es_dsl: { match_all: {} },
    limit: 29,
  });
  const { id } = await callSheets('requests', { method: 'POST', body });
  await expect
    .poll(async () => (await callSheets(`requests/${id}`)).state, { timeout: PATIENCE_MS, interval: 200 })
    .toBe('ready');
  await setDuration(2_000);
  // Polls run after 1, 3, 7 and 15 seconds.
  expect(Date.now() - startedAt).toBeLessThan(14_000);
  const { rows, cached, credits } = await callSheets(`requests/${id}`);
  expect(rows).toBe(29);
  expect(cached).toBeLessThanOrEqual(20);
  expect(credits).toMatchObject({ reserved: 0, charged: 10 * (29 - cached) });
});
