// The admin API over the real D1 and Durable Objects, with a simulated clock.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect } from 'vitest';
import type { IssuedToken, TeamView } from '../../../../shared/api/admin.ts';
import type { Problem } from '../../../../shared/problems.ts';
import type { Env } from '../../../../worker/env.ts';
import { type AuthenticatedEnv, authenticate } from '../../../../worker/gateway/auth/authenticate.ts';
import type { Upstream } from '../../../../worker/gateway/upstream/upstream.ts';
import { ProblemError, problemResponse } from '../../../../worker/http/problem-error.ts';
import { adminRouteTable, createAdminRoutes } from '../../../../worker/routes/admin/index.ts';
import { checkProblem, findRoute } from '../../listed-problems.ts';
import { readSuccess } from '../check-response.ts';

/** The admin token of every test. */
export const ADMIN_TOKEN = crypto.randomUUID();

const TOKEN = /cd[as]_[0-9A-Za-z]{38}/;

/** A request of the admin. */
export interface AdminCall {
  body?: unknown;
  headers?: Record<string, string>;
}

/** The admin API with helpers. */
export interface Admin {
  /** Milliseconds since 1970, set by the test. */
  clock: { now: number };
  /** Sends a request to a path below `/admin/v1`. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends a request with the admin token. */
  call: (method: string, path: string, call?: AdminCall) => Promise<Response>;
  /** Sends a request that must succeed and match the route's response schema. */
  ok: <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  /** Sends a DELETE that must succeed. */
  remove: (path: string) => Promise<void>;
  /** Sends a request that must end with a problem. */
  problem: (method: string, path: string, call?: AdminCall) => Promise<Problem>;
  /** Reads all items of a list in pages. `cursor`: name of the cursor parameter. */
  pages: <P extends { next: string | number | null }, T>(
    path: string,
    limit: number,
    getItems: (page: P) => readonly T[],
    cursor?: string,
  ) => Promise<T[]>;
  /** Sends a team token to another route and returns the status. */
  sendToken: (token: string) => Promise<number>;
  team: (body?: Record<string, unknown>) => Promise<TeamView>;
  token: (team: string, body?: Record<string, unknown>) => Promise<IssuedToken>;
}

/** Settings of a deployment. undefined removes one. */
type Settings = { [Name in keyof Env]?: Env[Name] | undefined };

/** Checks that a response contains no secrets, except a new token. */
async function checkSecrets(response: Response, isTokenResponse: boolean): Promise<void> {
  const text = (await response.clone().text()) + JSON.stringify([...response.headers]);
  expect(text).not.toContain(ADMIN_TOKEN);
  expect(text).not.toContain(env.SANDBOX_KEY);
  expect(text).not.toMatch(/[0-9a-f]{64}/);
  if (!isTokenResponse) expect(text).not.toMatch(TOKEN);
}

/**
 * Creates an admin API.
 * @param settings - override the defaults
 * @param upstream - the provider
 */
export function admin(settings: Settings = {}, upstream?: () => Promise<Upstream>): Admin {
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const sandbox: Upstream = {
    identity: 'admin-tests',
    baseUrl: 'http://provider.example/cdapi',
    apiKey: env.SANDBOX_KEY,
    fetch: () => Promise.reject(new Error('unexpected call')),
  };
  const app = new Hono<AuthenticatedEnv<Env>>();
  app.route(
    '/admin/v1',
    createAdminRoutes({
      now,
      getUpstream: async () => (await upstream?.()) ?? sandbox,
      evictAnswers: () => {},
    }),
  );
  app.use('/elsewhere', authenticate(now));
  app.get('/elsewhere', (c) => c.text('in'));
  app.notFound(() => new Response('not routed', { status: 404 }));
  app.onError((error) => {
    if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
    throw error;
  });
  const bindings = { ...env, ADMIN_TOKEN, ...settings };
  const address = crypto.randomUUID();

  const request: Admin['request'] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', address);
    const response = await app.request(`/admin/v1${path}`, { ...init, headers }, bindings);
    await checkProblem(init.method ?? 'GET', `/admin/v1${path}`, response);
    await checkSecrets(response, init.method === 'POST' && /^(\/teams\/[^/]+\/tokens|\/admins)$/.test(path));
    return response;
  };
  const call: Admin['call'] = (method, path, { body, headers = {} } = {}) =>
    request(path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const ok = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> => {
    const response = await call(method, path, { body, headers });
    return (await readSuccess(findRoute(adminRouteTable, method, path), response)) as T;
  };
  return {
    clock,
    request,
    call,
    ok,
    remove: (path) => ok('DELETE', path),
    problem: async (method, path, options) => {
      const response = await call(method, path, options);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      const body = await response.json<Problem>();
      expect(body).toMatchObject({ status: response.status, fix: expect.stringMatching(/\.$/) });
      return body;
    },
    pages: async (path, limit, itemsOf, cursor = 'after') => {
      const all = [];
      let from = '';
      for (;;) {
        const page: Parameters<typeof itemsOf>[0] = await ok('GET', `${path}limit=${limit}${from}`);
        const items = itemsOf(page);
        expect(items.length).toBeLessThanOrEqual(limit);
        all.push(...items);
        if (page.next === null) return all;
        from = `&${cursor}=${page.next}`;
      }
    },
    sendToken: async (token) => {
      const headers = { authorization: `Bearer ${token}`, 'cf-connecting-ip': address };
      return (await app.request('/elsewhere', { headers }, bindings)).status;
    },
    team: (body = {}) => ok('POST', '/teams', { name: 'Sales', ...body }),
    token: (team, body = {}) => ok('POST', `/teams/${team}/tokens`, body),
  };
}
