// Data requests on a running instance: the provider's webhook, the queue, the Workflow and the caller's webhook are the real
// ones.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const session = inject('session');
const PATIENCE_MS = 30_000;

const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    heard.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});

beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve())));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

function address(): string {
  const own = receiver.address();
  return `http://127.0.0.1:${typeof own === 'object' && own !== null ? own.port : 0}/ready`;
}

const through = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${session.url}/cdapi/v2/data_requests/${path}`, {
    ...init,
    headers: { apikey: session.team_token, ...init.headers },
  });

async function newSecret(): Promise<string> {
  const answer = await fetch(`${session.url}/admin/v1/teams/development/webhook-secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.admin_token}` },
  });
  return JSON.parse(await answer.text()).secret;
}

it('a caller of the drop-in surface is told by a signed webhook, and finds the files', async () => {
  const secret = await newSecret();
  const answer = await through('company_clean/es_dsl', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ es_dsl_query: { query: { match_all: {} } }, limit: 7, webhook_url: address() }),
  });
  expect(answer.status).toBe(201);
  const { request_id: id }: { request_id: string } = JSON.parse(await answer.text());
  await expect.poll(() => heard.length, { timeout: PATIENCE_MS }).toBe(1);
  const [word] = heard;
  const own = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(word?.headers[name]),
  ]);
  const told = new Webhook(secret).verify(word?.body ?? '', Object.fromEntries(own));
  expect(told).toEqual({ data_request_id: id, status: 'ready' });

  const list = await through(`${id}/files`);
  expect(list.status).toBe(200);
  const { data_request_files: files }: { data_request_files: string[] } = JSON.parse(await list.text());
  const file = await through(`${id}/files/${files[0]}`);
  const gunzip = createGunzip();
  gunzip.end(Buffer.from(await file.arrayBuffer()));
  expect((await text(gunzip)).trim().split('\n')).toHaveLength(7);
});

it('the provider’s own webhook wakes a request that is waiting', async () => {
  const api = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${session.url}/sheets/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${session.team_token}` },
    });
    return JSON.parse(await answer.text());
  };
  // Longer than the first looks: whoever only looked would come too late.
  const control = (run_ms: number) =>
    fetch(`${session.url}/provider/control`, {
      method: 'PUT',
      headers: { apikey: session.provider_key },
      body: JSON.stringify({ run_ms }),
    });
  await control(8_000);
  const begun = Date.now();
  const body = JSON.stringify({
    // Nothing else on this instance buys base records of employees: the provider has to be asked.
    family: 'employee_base',
    kind: 'es_dsl',
    es_dsl: { match_all: {} },
    limit: 9,
  });
  const { id } = await api('requests', { method: 'POST', body });
  await expect
    .poll(async () => (await api(`requests/${id}`)).state, { timeout: PATIENCE_MS, interval: 200 })
    .toBe('ready');
  await control(2_000);
  // Looks are after 1, 3, 7 and 15 seconds: the last would be late by so much.
  expect(Date.now() - begun).toBeLessThan(14_000);
  expect(await api(`requests/${id}`)).toMatchObject({ rows: 9, credits: { reserved: 0, charged: 90 } });
});
