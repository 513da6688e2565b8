// Attacks on the edges of a deployment: guessed secrets, forged hosts, private webhook addresses, revoked tokens, logs.
import { env } from 'cloudflare:workers';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { IssuedToken, TeamView } from '../../shared/api/admin.ts';
import { parseConnectionLink } from '../../shared/connection.ts';
import type { Problem } from '../../shared/problems.ts';
import { readAccessApplication } from '../../worker/routes/console/access.ts';
import { sheetsRouteTable } from '../../worker/routes/sheets/routes.ts';
import { writeLines } from '../../worker/tail.ts';
import { buildCompanyResponse, createGateway, type Gateway, type ProviderScript } from './harness.ts';
import { createRateLimit } from './platform.ts';
import { createToken } from './routes/sheets/callers.ts';

const ATTEMPTS = 3;
const ADMIN_TOKEN = crypto.randomUUID();
const EVIL = 'https://evil.example';

/** Creates a deployed gateway. */
const deploy = (settings: { PUBLIC_URL?: string }, script: ProviderScript = buildCompanyResponse): Gateway =>
  createGateway(script, undefined, undefined, { ENVIRONMENT: 'production', ADMIN_TOKEN, ...settings });

const post = (headers: Record<string, string>, body: BodyInit | object = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function createForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

it('a deployment with a missing or short ADMIN_TOKEN is not healthy', async () => {
  for (const token of ['', 'x'.repeat(31)]) {
    const settings = {
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://data.example.com',
      ADMIN_TOKEN: token,
    };
    const { request } = createGateway(buildCompanyResponse, undefined, undefined, settings);
    const response = await request('https://data.example.com/health');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: 'not_configured',
      detail: expect.stringContaining('ADMIN_TOKEN'),
    });
  }
});

it.each([
  ['secrets of webhooks', 'POST', () => `/hooks/requests/${crypto.randomUUID()}/${'0'.repeat(64)}`],
  ['tickets of event streams', 'GET', () => `/sheets/v1/requests/${crypto.randomUUID()}/events?ticket=0`],
])(
  'one address guesses %s: throttled like wrong tokens, without reading the database',
  async (_, method, path) => {
    const { request, listBindingCalls } = createGateway(buildCompanyResponse, undefined, undefined, {
      AUTH_RATE_LIMIT: createRateLimit(ATTEMPTS),
    });
    const guess = (address: string) => request(path(), { method, headers: { 'cf-connecting-ip': address } });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      expect((await guess('203.0.113.1')).status).toBe(404);
    expect((await guess('203.0.113.1')).status).toBe(429);
    const before = listBindingCalls().length;
    const refused = await guess('203.0.113.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(listBindingCalls()).toHaveLength(before);
    expect((await guess('203.0.113.2')).status).toBe(404);
  },
);

/** Requests whose answer or effect contains the gateway's own address. */
function listAddressRequests(team: string, token: string): [string, RequestInit][] {
  const order = { family: 'company_clean', kind: 'ids', keys: ['1'], max_credits: 100 };
  return [
    [`/admin/v1/teams/${team}/tokens`, post(bearer(ADMIN_TOKEN), { name: 'Forged' })],
    ['/openapi.json', { headers: bearer(token) }],
    ['/docs', { headers: bearer(token) }],
    ['/sheets/v1/requests', post(bearer(token), order)],
    ['/cdapi/v2/data_requests/company_clean/ids', post({ apikey: token }, createForm({ ids: '1' }))],
  ];
}

it.each([undefined, '', 'evil.example', 'http://data.example.com', 'https://data.example.com/path'])(
  'a forged Host reaches links, reference and webhooks of a deployment with PUBLIC_URL %s: refused, nothing is created',
  async (address) => {
    const { request, requestedKeys } = deploy(address === undefined ? {} : { PUBLIC_URL: address });
    const team = crypto.randomUUID();
    const token = await createToken(team);
    for (const [path, init] of listAddressRequests(team, token)) {
      const response = await request(`${EVIL}${path}`, init);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 503]);
      expect(text).toContain('PUBLIC_URL');
      expect(text).not.toContain('evil.example/');
    }
    const { results } = await env.DB.prepare('SELECT name FROM tokens WHERE team_id = ?').bind(team).all();
    expect(results).toHaveLength(1);
    expect(requestedKeys).toEqual([]);
    const health = await request(`${EVIL}/health`);
    expect([health.status, await health.text()]).toEqual([503, expect.stringContaining('PUBLIC_URL')]);
    expect((await request(`${EVIL}/sheets/v1/me`, { headers: bearer(token) })).status).toBe(200);
  },
);

it('a forged Host reaches the connection link of a deployment with PUBLIC_URL: the link leads to PUBLIC_URL', async () => {
  const { request } = deploy({ PUBLIC_URL: 'https://data.example.com' });
  const admin = bearer(ADMIN_TOKEN);
  const team = await (
    await request(`${EVIL}/admin/v1/teams`, post(admin, { name: 'Linked' }))
  ).json<TeamView>();
  const created = await request(`${EVIL}/admin/v1/teams/${team.id}/tokens`, post(admin, { name: 'Linked' }));
  const { connection_link: link } = await created.json<IssuedToken>();
  expect(parseConnectionLink(link)?.url).toBe('https://data.example.com');
  expect(await (await request(`${EVIL}/health`)).json()).toEqual({
    status: 'ok',
    version: 'development',
    version_id: null,
  });
});

it('a data request sends its webhook to this machine in development with a real provider: refused', async () => {
  const { request, requestedKeys } = createGateway(buildCompanyResponse);
  for (const host of ['http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:9229']) {
    const body = createForm({ ids: '1', webhook_url: `${host}/hook` });
    const response = await request(
      '/cdapi/v2/data_requests/company_clean/ids',
      post({ apikey: env.TEAM_TOKEN }, body),
    );
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', 'webhook_url'] }] });
  }
  expect(requestedKeys).toEqual([]);
});

/** Calls whose purchases the ledger refuses; the others with a body change something. */
const readingPaths = [
  '/lookup',
  '/estimate',
  '/search',
  '/preview',
  '/preview/estimate',
  '/estimate/data-request',
  '/match',
  '/match/estimate',
];

const changes = sheetsRouteTable.filter(
  ({ method, path }) => method !== 'GET' && !readingPaths.includes(path),
);

it('a token that was just revoked changes tables, schedules, alerts, searches, runs or orders: refused at once', async () => {
  const { request } = createGateway(buildCompanyResponse);
  const team = crypto.randomUUID();
  expect(changes.length).toBeGreaterThan(10);
  for (const { method, path } of changes) {
    const token = await createToken(team);
    const readAccount = async () => (await request('/sheets/v1/me', { headers: bearer(token) })).status;
    expect(await readAccount()).toBe(200);
    await env.DB.prepare('UPDATE tokens SET revoked_at = 1 WHERE team_id = ?').bind(team).run();
    // The verified token is cached for 30 seconds.
    expect(await readAccount()).toBe(200);
    const address = `/sheets/v1${path.replaceAll(/\{\w+\}/g, crypto.randomUUID())}`;
    const response = await request(address, { ...post(bearer(token)), method });
    expect([method, path, response.status]).toEqual([method, path, 401]);
    expect(await response.json<Problem>()).toMatchObject({ code: 'unauthorised' });
  }
});

it('a token that was just revoked orders by the drop-in API: refused at once', async () => {
  const { request, requestedKeys } = createGateway(buildCompanyResponse);
  const team = crypto.randomUUID();
  const token = await createToken(team);
  const path = '/cdapi/v2/data_requests/company_clean/ids';
  // Caches the token; the body is not valid.
  expect((await request(path, post({ apikey: token }, createForm({})))).status).toBe(422);
  await env.DB.prepare('UPDATE tokens SET revoked_at = 1 WHERE team_id = ?').bind(team).run();
  expect((await request(path, post({ apikey: token }, createForm({ ids: '1' })))).status).toBe(401);
  expect(requestedKeys).toEqual([]);
});

const PERSON = 'jane-doe-of-acme';

it.each<[string, ProviderScript]>([
  ['answers', () => Response.json({ id: 1, full_name: PERSON, shorthand_name: PERSON })],
  ['breaks', () => Promise.reject(new Error(`https://provider.example/${PERSON}`))],
])('the log of a deployment whose provider %s shows who was looked up: no line does', async (_, script) => {
  const lines: string[] = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.join(' ')));
    onTestFinished(() => spy.mockRestore());
  }
  const { request } = deploy({ PUBLIC_URL: 'https://data.example.com' }, script);
  const token = await createToken(crypto.randomUUID());
  const apikey = { headers: { apikey: token } };
  const lookup = { family: 'employee_clean', by: 'shorthand_name', keys: [PERSON] };
  const calls: [string, RequestInit][] = [
    [`/cdapi/v2/employee_clean/collect/${PERSON}`, apikey],
    [`/cdapi/v2/company_clean/enrich?website=${PERSON}.example`, apikey],
    [`/cdapi/v2/${PERSON}`, apikey],
    [`/cdapi/v2/employee_clean/collect/${PERSON}`, { headers: { apikey: PERSON } }],
    ['/sheets/v1/lookup', post(bearer(token), lookup)],
    ['/sheets/v1/search', post(bearer(token), { family: 'employee_clean', text: PERSON })],
    [`/admin/v1/records/employee_clean/${PERSON}`, { headers: bearer(ADMIN_TOKEN) }],
    [`/admin/v1/records/employee_clean/${PERSON}`, { method: 'DELETE', headers: bearer(ADMIN_TOKEN) }],
    [`/${PERSON}?name=${PERSON}`, {}],
  ];
  for (const [path, init] of calls) await (await request(path, init)).text();
  expect(lines.length).toBeGreaterThanOrEqual(calls.length);
  for (const line of lines) expect(line).not.toMatch(/jane|acme/i);
});

it('an uncaught exception names a person: the log Worker writes the name of the error only', () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)));
  onTestFinished(() => spy.mockRestore());
  const exception = { timestamp: 0, name: 'TypeError', message: PERSON, stack: `at ${PERSON}` };
  writeLines([
    {
      logs: [{ timestamp: 0, level: 'error', message: ['{"event":"push_failed"}'] }],
      exceptions: [exception],
    },
  ]);
  expect(lines).toEqual(['{"event":"push_failed"}', '{"event":"uncaught_exception","error":"TypeError"}']);
});

it('the log Worker adds the version of the gateway to each line of JSON', () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: unknown): void => void lines.push(JSON.parse(String(line)));
  const spies = (['log', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(write));
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  writeLines([
    {
      logs: [{ timestamp: 0, level: 'log', message: ['{"event":"request","status":200}'] }],
      exceptions: [{ timestamp: 0, name: 'TypeError', message: PERSON }],
      scriptVersion: { id: 'v-1', message: PERSON },
    },
  ]);
  expect(lines).toEqual([
    { version: 'v-1', event: 'request', status: 200 },
    { version: 'v-1', event: 'uncaught_exception', error: 'TypeError' },
  ]);
});

it('a deployment has no stand-ins of development, and takes no other keys of Access', async () => {
  const { request } = deploy({ PUBLIC_URL: 'https://data.example.com' });
  for (const path of [
    '/development/alerts',
    '/development/access',
    '/development/access/certs',
    '/playground/session',
  ])
    for (const method of ['GET', 'POST'])
      expect([path, (await request(path, { method })).status]).toEqual([path, 404]);
  const access = {
    ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com',
    ACCESS_AUDIENCE: 'app',
    ACCESS_KEYS_URL: EVIL,
  };
  for (const ENVIRONMENT of ['production', '', 'Development'])
    expect(readAccessApplication({ ...access, ENVIRONMENT })?.keysUrl).toBe(
      'https://acme.cloudflareaccess.com/cdn-cgi/access/certs',
    );
});
