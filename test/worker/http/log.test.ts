// The log: one entry for each request and failure, without keys, secrets or personal data.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateToken } from '../../../shared/tokens.ts';
import { createApp } from '../../../worker/app.ts';
import type { Env } from '../../../worker/env.ts';
import { logError } from '../../../worker/http/log.ts';
import type { RequestLogEntry } from '../../../worker/http/request-log.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway } from '../harness.ts';
import { dataPoints, metricsDataset, scriptedProviders, testPlatform } from '../platform.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      lines.push(args.map(String).join(' '));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const isRequest = (line: { event: string }): line is RequestLogEntry => line.event === 'request';

function requests(): RequestLogEntry[] {
  return lines.map((line): { event: string } => JSON.parse(line)).filter(isRequest);
}

const REQUESTS = '/cdapi/v2/data_requests/jane-doe';

describe('a request entry', () => {
  it('contains the request id, route pattern, team, cache status and credits', async () => {
    const { request } = createGateway(buildCompanyResponse);
    const ask = () =>
      request('/cdapi/v2/company_clean/enrich?website=a7.example', { headers: { apikey: env.TEAM_TOKEN } });
    const answers = [await ask(), await ask()];
    expect(requests()).toEqual(
      answers.map((answer, at) => ({
        event: 'request',
        request: answer.headers.get('x-request-id'),
        method: 'GET',
        route: '/cdapi/v2/company_clean/enrich',
        surface: 'cdapi',
        status: 200,
        ms: expect.any(Number),
        team: 'team',
        cache: { [at === 0 ? 'miss' : 'hit']: 1 },
        credits: at === 0 ? 10 : 0,
        family: 'company_clean',
        operation: 'enrich',
        ...(at === 0 ? { upstream_ms: expect.any(Number) } : {}),
      })),
    );
  });

  it('is left out for cache hits with REQUEST_LOG=notable', async () => {
    const { request } = createGateway(buildCompanyResponse, undefined, undefined, { REQUEST_LOG: 'notable' });
    const ask = (website: string) =>
      request(`/cdapi/v2/company_clean/enrich?website=${website}`, { headers: { apikey: env.TEAM_TOKEN } });
    await ask('quiet.example');
    await ask('quiet.example');
    await request('/sheets/v1/me');
    expect(requests().map(({ cache, status }) => ({ cache, status }))).toEqual([
      { cache: { miss: 1 }, status: 200 },
      { cache: undefined, status: 401 },
    ]);
  });

  it('counts the rows of a lookup by status', async () => {
    const { lookup } = createGateway((key) =>
      key === 'none.example'
        ? Response.json({ detail: 'Company not found' }, { status: 404 })
        : buildCompanyResponse(key),
    );
    const body = { family: 'company_clean', by: 'website' } as const;
    await lookup({ ...body, keys: ['a8.example'] });
    await lookup({ ...body, keys: ['a8.example', 'a9.example', 'none.example', 'not a website'] });
    expect(requests()[1]).toMatchObject({
      route: '/sheets/v1/lookup',
      surface: 'sheets',
      cache: { hit: 1, fetched: 1, not_found: 1, invalid: 1 },
      credits: 10,
    });
  });

  it.each([
    ['/cdapi/v2/employee_clean/collect/jane-doe', '/cdapi/v2/employee_clean/collect/{key}', 'cdapi'],
    ['/cdapi/v2/nothing/jane-doe', '/cdapi/*', 'cdapi'],
    ['/sheets/v1/fields/jane-doe', '/sheets/v1/fields/{family}', 'sheets'],
    ['/sheets/v1/jane-doe', '/sheets/v1/*', 'sheets'],
    ['/admin/v1/records/employee_clean/jane-doe', '/admin/v1/records/{family}/{key}', 'admin'],
    ['/jane-doe', '/*', 'none'],
    [`${REQUESTS}/files`, '/cdapi/v2/data_requests/{data_request_id}/files', 'cdapi'],
    [
      `${REQUESTS}/files/jane-doe.json.gz`,
      '/cdapi/v2/data_requests/{data_request_id}/files/{file_name}',
      'cdapi',
    ],
    ['/health', '/health', 'health'],
    ['/docs', '/docs', 'docs'],
  ])('of %s has the pattern %s', async (path, route, surface) => {
    await createGateway(buildCompanyResponse).request(path, { headers: { apikey: env.TEAM_TOKEN } });
    expect(requests()).toMatchObject([{ route, surface }]);
  });

  it('contains the problem code, and the team if it is known', async () => {
    const { request } = createGateway(buildCompanyResponse);
    await request('/sheets/v1/me');
    await request('/cdapi/v2/company_clean/enrich', { headers: { apikey: 'wrong' } });
    await request('/sheets/v1/lookup', buildTeamRequest('{'));
    expect(requests()).toMatchObject([
      { status: 401, problem: 'unauthorised' },
      { status: 401, problem: 'unauthorised' },
      { status: 422, problem: 'invalid_request', team: 'team' },
    ]);
    expect(requests()[0]).not.toHaveProperty('team');
  });
});

describe('a failure entry', () => {
  it('contains name and position of the error, not its message', () => {
    logError(
      'single_flight_background_failed',
      new TypeError('jane-doe\n    at jane-doe (jane-doe.js:1:2)'),
      { shard: 3 },
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('jane-doe');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      event: 'single_flight_background_failed',
      shard: 3,
      error: 'TypeError',
      at: expect.arrayContaining([expect.stringMatching(/log\.test\.ts:\d+:\d+$/)]),
    });
  });

  it('contains the type of other thrown values', () => {
    logError('single_flight_background_failed', 'jane-doe');
    logError('single_flight_background_failed');
    expect(lines).toEqual([
      '{"event":"single_flight_background_failed","error":"string"}',
      '{"event":"single_flight_background_failed"}',
    ]);
  });
});

describe('no entry contains', () => {
  const person = 'jane-doe-of-acme';
  const address = '203.0.113.77';
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  const adminToken = crypto.randomUUID();
  const secrets = [person, 'jane', address, token, adminToken, env.TEAM_TOKEN, env.SANDBOX_KEY, 'sk-cookie'];

  /** Adds values that a caller can choose to all parts of a request. */
  function addCallerValues(
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): [string, RequestInit] {
    const headers = {
      'x-request-id': person,
      'user-agent': person,
      'cf-connecting-ip': address,
      'x-forwarded-for': address,
      referer: `https://example.com/${person}`,
      cookie: 'session=sk-cookie',
      'cache-control': `no-cache, ${person}`,
      'idempotency-key': person,
      ...init.headers,
    };
    return [`${path}${path.includes('?') ? '&' : '?'}name=${person}&token=${token}`, { ...init, headers }];
  }

  const apikey = { apikey: env.TEAM_TOKEN };
  const bearer = { authorization: `Bearer ${env.TEAM_TOKEN}` };
  const admin = { authorization: `Bearer ${adminToken}` };
  const post = (headers: Record<string, string>, body: unknown) => ({
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const dsl = { query: { match: { full_name: person } } };
  const lookup = { family: 'employee_clean', by: 'shorthand_name', keys: [person] };
  const calls: [string, RequestInit & { headers?: Record<string, string> }][] = [
    [`/cdapi/v2/employee_clean/collect/${person}`, { headers: apikey }],
    [`/cdapi/v2/employee_clean/collect/https%3A%2F%2Fexample.com%2Fin%2F${person}`, { headers: apikey }],
    [`/cdapi/v2/company_clean/enrich?website=${person}.example`, { headers: apikey }],
    ['/cdapi/v2/employee_clean/search/es_dsl', post(apikey, dsl)],
    ['/cdapi/v2/employee_clean/search/es_dsl/preview', post(apikey, dsl)],
    ['/cdapi/v2/employee_base/search/filter', post(apikey, { full_name: person })],
    [`/cdapi/v2/data_requests/employee_clean/urls`, post(apikey, person)],
    [`/cdapi/v2/${person}`, { headers: apikey }],
    [`/cdapi/v2/employee_clean/collect/${person}`, { headers: { apikey: token } }],
    [`/cdapi/v2/employee_clean/collect/${person}`, { headers: { apikey: person } }],
    ['/sheets/v1/lookup', post(bearer, lookup)],
    ['/sheets/v1/lookup', post(bearer, { ...lookup, by: person })],
    ['/sheets/v1/lookup', post(bearer, person)],
    ['/sheets/v1/search', post(bearer, { family: 'employee_clean', text: person })],
    ['/sheets/v1/preview', post(bearer, { family: 'employee_clean', es_dsl: dsl })],
    [`/sheets/v1/fields/${person}`, { headers: bearer }],
    [`/sheets/v1/${person}`, { headers: { authorization: `Bearer ${token}` } }],
    ['/sheets/v1/me', { headers: { authorization: `Basic ${btoa(`${person}:${token}`)}` } }],
    ['/admin/v1/teams', post(admin, { name: person })],
    [`/admin/v1/teams/${person}`, { headers: admin }],
    [`/admin/v1/teams/${person}/top-ups`, post(admin, { credits: 1, note: person })],
    [`/admin/v1/records/employee_clean/${person}`, { headers: admin }],
    ['/admin/v1/teams', { headers: { authorization: `Bearer ${token}` } }],
    ['/docs', post({ accept: 'text/html' }, `token=${token}&name=${person}`)],
    ['/openapi.json', { headers: { authorization: `Bearer ${adminToken}` } }],
    [`/health/${person}`, {}],
    [`/${person}`, { method: 'DELETE' }],
    [`/connect/${token}`, {}],
  ];

  const providers: [string, (request: Request) => Response | Promise<Response>][] = [
    ['answers', () => Response.json({ id: 1, full_name: person, shorthand_name: person })],
    ['refuses', () => Response.json({ detail: `no ${person}` }, { status: 422 })],
    ['fails', () => new Response(`${person} ${env.SANDBOX_KEY}`, { status: 500 })],
    ['sends invalid JSON', () => new Response(`{"${person}":`)],
    ['breaks', () => Promise.reject(new Error(`${person}\n    at ${person} (${person}.js:1:2)`))],
  ];

  function scriptedApp(answer: (request: Request) => Response | Promise<Response>) {
    const identity = crypto.randomUUID();
    createGateway((_, request) => answer(request), identity);
    const upstream = scriptedProviders.get(identity)?.upstream;
    if (upstream === undefined) throw new Error('no such provider');
    return createApp({ ...testPlatform, sandbox: () => upstream });
  }

  it.each(providers)('a name, key, token or address if the provider %s', async (name, answer) => {
    const app = scriptedApp(answer);
    const modes = name === 'answers' ? [true, false] : [true];
    // The other calls end before the provider.
    const sent =
      name === 'answers' ? calls : calls.filter(([path]) => /enrich|collect\/jane|es_dsl$|lookup/.test(path));
    for (const isProduction of modes) {
      const bindings: Env = {
        ...env,
        ADMIN_TOKEN: adminToken,
        METRICS: metricsDataset,
        ...(isProduction ? { ENVIRONMENT: 'production' } : {}),
      };
      for (const [path, init] of sent) {
        const response = await app.request(
          ...addCallerValues(path, init),
          bindings,
          createExecutionContext(),
        );
        await response.text();
        const id = response.headers.get('x-request-id');
        expect(requests().filter((line) => line.request === id)).toHaveLength(1);
      }
    }
    expect(requests()).toHaveLength(modes.length * sent.length);
    for (const line of lines) {
      expect(line).toMatch(/^\{.*\}$/);
      for (const secret of secrets) expect(line).not.toContain(secret);
    }
    // The provider’s calls are reported later.
    await expect.poll(() => dataPoints.length).toBeGreaterThan(modes.length * sent.length);
    const points = JSON.stringify(dataPoints);
    for (const secret of secrets) expect(points).not.toContain(secret);
  });

  it('the message of an internal error', async () => {
    const app = createApp({
      ...testPlatform,
      sandbox: () => Promise.reject(new Error(`${person} ${token}`)),
    });
    const paths = [`/cdapi/v2/employee_clean/collect/${person}`, '/sheets/v1/me'];
    for (const path of paths) {
      const headers = { ...apikey, ...bearer };
      const response = await app.request(path, { headers }, env, createExecutionContext());
      expect(response.status).toBe(500);
    }
    const text = lines.join('\n');
    expect(text).toContain('internal_error');
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
