// /docs and /openapi.json: public in development, authenticated in deployments, and self-contained.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../shared/openapi/document.ts';
import type { Problem } from '../../../shared/problems.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { createApp } from '../../../worker/app.ts';
import type { Env } from '../../../worker/env.ts';
import { createRateLimit, testPlatform } from '../platform.ts';

const ADMIN_TOKEN = crypto.randomUUID();
const unknownToken = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));

/** Creates a client of a gateway with these settings and a new address. */
function createClient(settings: Partial<Env>) {
  const app = createApp(testPlatform);
  const bindings = { ...env, ADMIN_TOKEN, PUBLIC_URL: 'https://gateway.example', ...settings };
  const address = crypto.randomUUID();
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('cf-connecting-ip', address);
    return app.request(
      `https://gateway.example${path}`,
      { ...init, headers },
      bindings,
      createExecutionContext(),
    );
  };
}

const development = createClient({});
const deployed = createClient({ ENVIRONMENT: 'production' });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const form = (fields: Record<string, string>, headers: Record<string, string> = browser): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

describe('in development', () => {
  it('the OpenAPI document is public, and the page contains every operation', async () => {
    const response = await development('/openapi.json');
    expect(response.status).toBe(200);
    const { openapi, servers, paths } = await response.json<OpenApiDocument>();
    expect(openapi).toBe('3.1.0');
    expect(servers).toEqual([{ url: 'https://gateway.example' }]);
    expect(Object.keys(paths).length).toBeGreaterThan(50);
    const page = await (await development('/docs')).text();
    for (const item of Object.values(paths)) {
      for (const { operationId } of Object.values(item)) {
        expect(page).toContain(`<details class="operation" id="${operationId}">`);
      }
    }
    for (const path of Object.keys(paths)) expect(page).toContain(`<code>${path}</code>`);
  });
});

describe('the page', () => {
  it('runs no script and loads only the style sheet, enforced by its policy', async () => {
    for (const response of [
      await development('/docs'),
      await deployed('/docs', { headers: browser }),
      await deployed('/help'),
    ]) {
      expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/i);
      const page = await response.text();
      expect(page).not.toMatch(/<script|<iframe|<object|<embed|<img|\son\w+=|javascript:|@import|url\(/i);
      const links = [...page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, link]) => link);
      const allowed = /^(?:#|data:|\/console\/style\.css$|\/openapi\.json$|\/docs$|\/help(?:#\w+)?$)/;
      expect(links.filter((link) => !allowed.test(link ?? ''))).toEqual([]);
      expect(page).not.toMatch(/<style|\sstyle=/);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });
});

describe('troubleshooting', () => {
  it('is public, and every link to a problem leads to its place', async () => {
    const response = await deployed('/help');
    expect(response.status).toBe(200);
    const page = await response.text();
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const reference = await (await development('/docs')).text();
    const linked = [...reference.matchAll(/href="\/help#(\w+)"/g)].map(([, code]) => code);
    expect(linked.length).toBeGreaterThan(30);
    expect(linked.filter((code) => !ids.includes(code))).toEqual([]);
  });
});

describe('deployed', () => {
  const paths = ['/openapi.json', '/docs'] as const;
  const opens: [string, Record<string, string>][] = [
    ['a team token as Bearer', bearer(env.TEAM_TOKEN)],
    ['a team token as apikey', { apikey: env.TEAM_TOKEN }],
    ['the admin token', bearer(ADMIN_TOKEN)],
    ['the admin token as apikey', { apikey: ADMIN_TOKEN }],
  ];
  const closed: [string, Record<string, string>][] = [
    ['nothing', {}],
    ['an unknown token', bearer(unknownToken)],
    ['a malformed token', bearer('token')],
    ['a part of the admin token', bearer(ADMIN_TOKEN.slice(1))],
    ['the provider’s key', { apikey: env.SANDBOX_KEY }],
    ['a token in another scheme', { authorization: `Basic ${btoa(`:${env.TEAM_TOKEN}`)}` }],
    ['a token in a cookie', { cookie: `token=${env.TEAM_TOKEN}` }],
  ];

  it.each(opens)('accepts %s', async (_, headers) => {
    for (const path of paths) {
      const response = await deployed(path, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
    }
  });

  it.each(closed)('rejects %s without revealing anything', async (_, headers) => {
    for (const path of paths) {
      const response = await deployed(path, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code: 'unauthorised', fix: expect.stringMatching(/\.$/) });
      expect(text).not.toContain('enrich');
    }
  });

  it('rejects a token in the URL', async () => {
    for (const path of paths) {
      expect((await deployed(`${path}?token=${env.TEAM_TOKEN}&apikey=${env.TEAM_TOKEN}`)).status).toBe(401);
    }
  });

  it('is protected in every environment except development', async () => {
    for (const ENVIRONMENT of ['production', 'staging', '', 'Development']) {
      expect((await createClient({ ENVIRONMENT })('/openapi.json')).status).toBe(401);
    }
  });

  it('accepts only team tokens without ADMIN_TOKEN', async () => {
    const ask = createClient({ ENVIRONMENT: 'production', ADMIN_TOKEN: '' });
    expect((await ask('/openapi.json', { headers: bearer('undefined') })).status).toBe(401);
    expect((await ask('/openapi.json', { headers: { apikey: '' } })).status).toBe(401);
    expect((await ask('/openapi.json', { headers: bearer(env.TEAM_TOKEN) })).status).toBe(200);
  });
});

describe('a browser', () => {
  it('gets a sign-in form and nothing else', async () => {
    const response = await deployed('/docs', { headers: browser });
    expect(response.status).toBe(401);
    const page = await response.text();
    expect(page).toContain('<form method="post" action="/docs">');
    expect(page).toContain('type="password"');
    expect(page).not.toContain('company_clean');
  });

  it.each([
    ['team', env.TEAM_TOKEN],
    ['admin', ADMIN_TOKEN],
    ['team, pasted with a line end', `${env.TEAM_TOKEN}\n`],
  ])('gets the reference with the token of the %s, which is not stored', async (_, token) => {
    const response = await deployed('/docs', form({ token }));
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    const page = await response.text();
    expect(page).toContain('post_sheets_lookup');
    expect(page).not.toContain(token.trim());
  });

  it('can download the OpenAPI document', async () => {
    const response = await deployed('/docs', form({ token: env.TEAM_TOKEN, as: 'json' }));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="openapi.json"');
    expect((await response.json<OpenApiDocument>()).openapi).toBe('3.1.0');
  });

  it.each([
    ['wrong', { token: unknownToken }],
    ['no token', { token: 'hunter2' }],
    ['empty', { token: '' }],
    ['much too long', { token: 'x'.repeat(100_000) }],
  ])('gets an error if the token is %s', async (_, fields: Record<string, string>) => {
    const response = await deployed('/docs', form(fields));
    expect(response.status).toBe(401);
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).not.toContain(fields.token || 'nothing');
    const program = await deployed('/docs', form(fields, {}));
    expect(await program.json<Problem>()).toMatchObject({ code: 'unauthorised' });
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://other.example' },
  ])('gets nothing if a page of another origin sends the token: %j', async (from: Record<string, string>) => {
    const response = await deployed('/docs', form({ token: env.TEAM_TOKEN }, { ...browser, ...from }));
    expect(response.status).toBe(401);
  });

  it('is throttled if it guesses', async () => {
    const ask = createClient({ ENVIRONMENT: 'production', AUTH_RATE_LIMIT: createRateLimit(3) });
    for (const status of [401, 401, 401, 429]) {
      expect((await ask('/docs', form({ token: 'guess' }))).status).toBe(status);
    }
    const right = await ask('/openapi.json', { headers: bearer(ADMIN_TOKEN) });
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '60']);
  });
});

it.each([
  ['/openapi.json', 'POST', 'GET, HEAD'],
  ['/docs', 'DELETE', 'GET, HEAD, POST'],
])('%s rejects %s with an Allow header', async (path, method, allowed) => {
  const response = await development(path, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
});
