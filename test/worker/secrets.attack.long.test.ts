// Attacks on the secrets of a deployment and on the data that they protect.
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Alert } from '../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../shared/api/sheets-endpoints.ts';
import { findBulkOperation } from '../../worker/data-requests/order/order.ts';
import { Pseudonyms } from '../../worker/gateway/refusal-list/pseudonyms.ts';
import { sha256Hex } from '../../worker/lib/hash.ts';
import { ServiceHarness } from './data-requests/service-harness.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway, type Gateway } from './harness.ts';
import { captureErrorLog } from './logged-errors.ts';
import { createClient, createToken, createTokenClient } from './routes/sheets/callers.ts';

const generateSecret = (): string => crypto.randomUUID() + crypto.randomUUID();

beforeAll(async () => {
  // An earlier file may have verified the secret against a database that was reset since.
  await Pseudonyms.load({ ...env, PSEUDONYM_SECRET: generateSecret() });
  await env.DB.prepare('DELETE FROM settings').run();
  await Pseudonyms.load(env);
});

/** Reads every value of every table of D1. */
async function dumpDatabase(): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all();
  const dumps = await Promise.all(
    tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all<Record<string, unknown>>()),
  );
  return dumps.flatMap(({ results }) => results.flatMap((row) => Object.values(row).map(String)));
}

async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const callAdmin = (gateway: Gateway, method: string, path: string): Promise<Response> =>
  gateway.request(`/admin/v1${path}`, { method, headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } });

const eraseCompany = (gateway: Gateway, website: string): Promise<Response> =>
  callAdmin(gateway, 'DELETE', `/records/company_clean/${website}`);

const lookupCompany = (gateway: Gateway, website: string): Promise<Response> =>
  gateway.request(
    '/sheets/v1/lookup',
    buildTeamRequest({ family: 'company_clean', by: 'website', keys: [website], fields: ['id'] }),
  );

it('the whole database is copied: nothing in it tells whether a known website was erased', async () => {
  const website = 'erased-1.example';
  const gateway = createGateway(buildCompanyResponse);
  expect((await eraseCompany(gateway, website)).status).toBe(200);
  const { results } = await env.DB.prepare('SELECT pseudonym FROM erased_keys').all();
  const erased = results.map(({ pseudonym }) => pseudonym);
  const text = `company:website:${website}`;
  expect(erased).toContain(await sign(env.PSEUDONYM_SECRET ?? '', text));
  const values = [...new Set(await dumpDatabase())].filter((value) => value !== '');
  for (const value of values) {
    expect(value).not.toContain(env.PSEUDONYM_SECRET);
    expect(erased).not.toContain(await sign(value, text));
  }
});

it('the whole database is copied: nothing in it tells whether a known company was ordered', async () => {
  const harness = new ServiceHarness();
  const { id } = await harness.createRequest({ keys: ['4711'] });
  const values = await dumpDatabase();
  expect(values).toContain(id);
  const operation = findBulkOperation('company_clean', 'ids');
  const order = JSON.stringify([operation?.path, { keys: ['4711'] }, null, null]);
  for (const text of [order, `order:${order}`]) expect(values).not.toContain(await sha256Hex(text));
  expect(values).toContain(await sign(env.PSEUDONYM_SECRET ?? '', `order:${order}`));
  await harness.runSteps(id);
});

it.each([
  ['is exchanged', generateSecret(), /PSEUDONYM_SECRET has changed/, /earlier value/],
  ['is missing', '', /PSEUDONYM_SECRET is not set/, /32 random characters/],
  ['is guessable', 'x'.repeat(31), /PSEUDONYM_SECRET is too short/, /32 random characters/],
])(
  'the pseudonym secret %s, to buy an erased record again: refused, and nothing is bought',
  async (...args) => {
    const [, PSEUDONYM_SECRET, detail, fix] = args;
    const website = `${crypto.randomUUID()}.example`;
    await eraseCompany(createGateway(buildCompanyResponse), website);
    const attacked = createGateway(buildCompanyResponse, undefined, undefined, { PSEUDONYM_SECRET });
    const dropIn = await attacked.request(`/cdapi/v2/company_clean/enrich?website=${website}`, {
      headers: { apikey: env.TEAM_TOKEN },
    });
    expect([dropIn.status, dropIn.headers.get('x-problem')]).toEqual([503, 'not_configured']);
    for (const response of [
      await lookupCompany(attacked, website),
      await eraseCompany(attacked, website),
      await attacked.request('/health'),
    ]) {
      expect(response.status).toBe(503);
      const problem = { code: 'not_configured', detail: expect.stringMatching(detail) };
      expect(await response.json()).toMatchObject({ ...problem, fix: expect.stringMatching(fix) });
    }
    expect(attacked.requestedKeys).toEqual([]);
  },
);

const ALERT_URL = 'https://hooks.example.com/services/alert-path';
const CALLER_WEBHOOK_URL = 'https://caller.example/webhook-path';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Accepts all webhooks. @returns the requests */
function mockReceivers(): Request[] {
  const requests: Request[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    requests.push(new Request(input, init));
    return new Response();
  });
  return requests;
}

async function createWebhookSecret(team: string): Promise<string> {
  const response = await callAdmin(
    createGateway(buildCompanyResponse),
    'POST',
    `/teams/${team}/webhook-secret`,
  );
  expect(response.status).toBe(201);
  return (await response.json<{ secret: string }>()).secret;
}

it('the whole database is copied: it shows no alert address, webhook address or webhook secret, and all of them work', async () => {
  const client = await createClient('copied');
  const requests = mockReceivers();
  const { id } = await client.ok<Alert>('POST', '/alerts', { url: ALERT_URL, on: ['failure'] });
  expect(await client.ok<Alert>('POST', `/alerts/${id}/test`)).toMatchObject({ last: { delivered: true } });
  const secret = await createWebhookSecret('team');
  const harness = new ServiceHarness();
  const { id: request } = await harness.createRequest({ webhookUrl: CALLER_WEBHOOK_URL });
  await harness.runSteps(request);
  expect(requests.map(({ url }) => url)).toEqual([ALERT_URL, CALLER_WEBHOOK_URL]);
  const [, delivered] = requests;
  const body = (await delivered?.text()) ?? '';
  vi.useFakeTimers({ now: Number(delivered?.headers.get('webhook-timestamp')) * 1000, toFake: ['Date'] });
  expect(() => new Webhook(secret).verify(body, Object.fromEntries(delivered?.headers ?? []))).not.toThrow();
  vi.useRealTimers();
  const dump = (await dumpDatabase()).join('\n');
  // The dump has the rows.
  for (const text of [id, request]) expect(dump).toContain(text);
  for (const text of ['alert-path', 'webhook-path', secret.slice('whsec_'.length), env.ENCRYPTION_SECRET]) {
    expect(dump).not.toContain(text);
  }
});

it('an alert address is moved to the row of another team, to read its host or to receive its alerts: refused', async () => {
  const [victim, attacker] = [await createClient('victim'), await createClient('attacker')];
  const requests = mockReceivers();
  captureErrorLog();
  const { id: theirs } = await victim.ok<Alert>('POST', '/alerts', { url: ALERT_URL, on: ['failure'] });
  const url = 'https://attacker.example/x';
  const { id: own } = await attacker.ok<Alert>('POST', '/alerts', { url, on: ['failure'] });
  await env.DB.prepare('UPDATE alerts SET url = (SELECT url FROM alerts WHERE id = ?) WHERE id = ?')
    .bind(theirs, own)
    .run();
  for (const response of [
    await attacker.call('GET', '/alerts'),
    await attacker.call('POST', `/alerts/${own}/test`),
    await attacker.call('PUT', `/alerts/${own}`, { url, on: ['change'] }),
  ]) {
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'not_configured' });
    expect(text).not.toContain('hooks.example.com');
  }
  expect(requests).toEqual([]);
  expect((await victim.ok<SheetsResponse<'listAlerts'>>('GET', '/alerts')).alerts).toMatchObject([
    { id: theirs },
  ]);
});

it.each([
  ['requests', 'webhook_url', 'id'],
  ['webhook_secrets', 'secret', 'team_id'],
])(
  'the value of another row is moved to %s.%s: nothing is sent or signed with it, and the admin sees why',
  async (...args) => {
    const [table, column, key] = args;
    await createToken('moved');
    const requests = mockReceivers();
    captureErrorLog();
    await createWebhookSecret('team');
    await createWebhookSecret('moved');
    const harness = new ServiceHarness();
    const [one, two] = [
      await harness.createRequest({ webhookUrl: CALLER_WEBHOOK_URL }),
      await harness.createRequest({ webhookUrl: `${CALLER_WEBHOOK_URL}-2`, keys: ['3'] }),
    ];
    const [from, to] = table === 'requests' ? [two.id, one.id] : ['moved', 'team'];
    await env.DB.prepare(
      `UPDATE ${table} SET ${column} = (SELECT ${column} FROM ${table} WHERE ${key} = ?) WHERE ${key} = ?`,
    )
      .bind(from, to)
      .run();
    await harness.runSteps(one.id);
    expect((await harness.getRow(one.id)).phase).toBe('ready');
    expect(requests).toEqual([]);
    const letters = await callAdmin(createGateway(buildCompanyResponse), 'GET', '/dead-letters');
    const error = expect.stringContaining('ENCRYPTION_SECRET');
    expect((await letters.json<{ dead_letters: object[] }>()).dead_letters).toContainEqual(
      expect.objectContaining({ kind: 'webhook', request: one.id, error }),
    );
    await harness.runSteps(two.id);
  },
);

/** Orders a company through the drop-in API. */
function orderWithWebhook(gateway: Gateway): Promise<Response> {
  const body = new FormData();
  body.append('ids', '1');
  body.append('webhook_url', CALLER_WEBHOOK_URL);
  return gateway.request('/cdapi/v2/data_requests/company_clean/ids', {
    method: 'POST',
    headers: { apikey: env.TEAM_TOKEN },
    body,
  });
}

it.each([
  ['removed', ''],
  ['shortened', 'x'.repeat(31)],
  ['exchanged', generateSecret()],
])(
  'the encryption secret is %s: alerts, webhook secrets and orders with a webhook answer with what to do, and nothing is ordered',
  async (_, ENCRYPTION_SECRET) => {
    const token = await createToken('exchanged');
    const body = { url: ALERT_URL, on: ['failure'] };
    await createTokenClient(token).ok('POST', '/alerts', body);
    const gateway = createGateway(buildCompanyResponse, undefined, undefined, { ENCRYPTION_SECRET });
    const client = createTokenClient(token, gateway);
    const isUsable = ENCRYPTION_SECRET.length >= 32;
    const responses = [
      await client.call('GET', '/alerts'),
      ...(isUsable
        ? []
        : [
            await client.call('POST', '/alerts', body),
            await callAdmin(gateway, 'POST', '/teams/team/webhook-secret'),
            await orderWithWebhook(gateway),
            await gateway.request('/health'),
          ]),
    ];
    for (const response of responses) {
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('ENCRYPTION_SECRET');
    }
    expect(gateway.requestedKeys).toEqual([]);
  },
);
