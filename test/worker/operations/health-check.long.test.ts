// GET /health/deep: each check fails on its own, and the response discloses nothing.
import { createExecutionContext, env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeepHealth, deepHealth } from '../../../shared/api/health.ts';
import { createApp } from '../../../worker/app.ts';
import type { Platform } from '../../../worker/gateway/platform.ts';
import { getProviderThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import type { Upstream } from '../../../worker/gateway/upstream/upstream.ts';
import { runCron } from '../../../worker/jobs/run-jobs.ts';
import { recordCronRun, SILENT_AFTER_MS } from '../../../worker/operations/cron-runs.ts';
import wranglerToml from '../../../wrangler.toml?raw';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls, testPlatform } from '../platform.ts';
import { openBreaker, permit } from './permit.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
const SECRET = 'jane-doe';

/** A provider that no other test knows. */
const createUpstream = (): Upstream => ({
  identity: `health-${crypto.randomUUID()}`,
  baseUrl: 'http://provider.example/cdapi',
  apiKey: env.SANDBOX_KEY,
  fetch: () => Promise.reject(new Error('unexpected call')),
});

interface Call {
  settings?: Record<string, unknown>;
  upstream?: Upstream;
  platform?: Partial<Platform>;
  headers?: Record<string, string>;
}

function request({ settings = {}, upstream = createUpstream(), platform = {}, headers }: Call = {}) {
  const app = createApp({ ...testPlatform, ...platform, sandbox: () => upstream });
  return app.request(
    '/health/deep',
    {
      headers: headers ?? {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'cf-connecting-ip': crypto.randomUUID(),
      },
    },
    { ...env, ADMIN_TOKEN, ...settings },
    createExecutionContext(),
  );
}

async function check(call: Call = {}): Promise<DeepHealth> {
  const response = await request(call);
  const text = await response.text();
  for (const secret of [SECRET, ADMIN_TOKEN, env.SANDBOX_KEY]) expect(text).not.toContain(secret);
  const health = deepHealth.strict().parse(JSON.parse(text));
  expect([response.status, response.headers.get('cache-control')]).toEqual([
    health.status === 'ok' ? 200 : 503,
    'no-store',
  ]);
  return health;
}

const listFailures = ({ checks }: DeepHealth) =>
  checks.flatMap(({ name, ok, reason }) => (ok && reason === null ? [] : [[name, reason]]));

beforeEach(() => recordCronRun(env.DB, [], clock.now));

/** Replaces a binding by one whose every call fails. */
const failing = (): object =>
  new Proxy(
    {},
    {
      get: () => () => {
        throw new Error(SECRET);
      },
    },
  );

describe('GET /health/deep', () => {
  it('succeeds with all bindings of wrangler.toml', async () => {
    const health = await check();
    expect(listFailures(health)).toEqual([]);
    const [production = ''] = wranglerToml.split('\n[env.dev]');
    const declared = [...production.matchAll(/^\s*(?:binding|name) = "([A-Z_]+)"/gm)]
      .map(([, name]) => name)
      // Every call of it would add a data point.
      .filter((name) => name !== 'METRICS');
    expect(declared.length).toBeGreaterThan(6);
    expect(health.checks.map(({ name }) => name).sort()).toEqual(
      [...declared, 'settings', 'cron', 'provider'].sort(),
    );
    expect(health.cron).toMatchObject({ failing: [] });
    expect(health.provider).toEqual({ breaker: 'closed', balance: null, balance_at: null });
  });

  it.each(['RECORDS', 'ROWS', 'JOBS', 'SINGLE_FLIGHT', 'LEDGER', 'AUTH_RATE_LIMIT'])(
    'names %s if it fails or is missing',
    async (name) => {
      const errors = captureErrorLog();
      expect(listFailures(await check({ settings: { [name]: failing() } }))).toEqual([[name, 'failed']]);
      expect(listFailures(await check({ settings: { [name]: undefined } }))).toEqual([[name, 'failed']]);
      expect(errors).toMatchObject([
        { event: 'health_check_failed', check: name },
        { event: 'health_check_failed', check: name },
      ]);
      expect(JSON.stringify(errors)).not.toContain(SECRET);
    },
  );

  it('names the database, and what cannot be read without it', async () => {
    captureErrorLog();
    const health = await check({ settings: { DB: failing() } });
    expect(listFailures(health)).toContainEqual(['DB', 'failed']);
    expect(listFailures(health)).toContainEqual(['cron', 'failed']);
    expect(health.cron).toBeNull();
  });

  it('names the provider throttle, and the provider that cannot be judged without it', async () => {
    captureErrorLog();
    const health = await check({ settings: { PROVIDER_THROTTLE: failing() } });
    expect(listFailures(health)).toEqual([
      ['PROVIDER_THROTTLE', 'failed'],
      ['provider', 'failed'],
    ]);
    expect(health.provider).toBeNull();
  });

  it('gives up a check that does not answer', async () => {
    const hanging = { get: () => new Promise(() => {}) };
    const platform = { sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 300)) };
    const health = await check({ settings: { RECORDS: hanging }, platform });
    expect(listFailures(health)).toContainEqual(['RECORDS', 'timed_out']);
  });

  it.each([
    { ENCRYPTION_SECRET: 'short' },
    { OPERATOR_ALERT_URL: `http://hooks.example.com/${SECRET}` },
    { OPERATOR_ALERT_URL: `https://hooks.example.com/${SECRET}`, OPERATOR_LOW_BALANCE: 'many' },
  ])('reports settings that are missing or wrong: %o', async (settings) => {
    expect(listFailures(await check({ settings }))).toEqual([['settings', 'not_configured']]);
  });

  it('reports a provider that is not configured', async () => {
    const settings = { CDAPI_BASE_URL: 'https://provider.example/cdapi', CDAPI_KEY: '' };
    expect(listFailures(await check({ settings }))).toEqual([['provider', 'not_configured']]);
  });

  it('refuses callers without the admin token, before any check', async () => {
    const settings = Object.fromEntries(['RECORDS', 'ROWS'].map((name) => [name, failing()]));
    const response = await request({ settings, headers: { authorization: `Bearer ${env.TEAM_TOKEN}` } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unauthorised' });
  });
});

describe('the cron', () => {
  it('is reported if it never ran', async () => {
    await env.DB.prepare('DELETE FROM cron_runs').run();
    expect(listFailures(await check())).toEqual([['cron', 'never_ran']]);
  });

  it('is reported if it is silent', async () => {
    await recordCronRun(env.DB, [], clock.now - SILENT_AFTER_MS - 2_000);
    const health = await check();
    expect(listFailures(health)).toEqual([['cron', 'silent']]);
    expect(health.cron?.age_s).toBeGreaterThan(SILENT_AFTER_MS / 1000);
  });

  it('leaves its heartbeat with each run, and names the sweeps that fail', async () => {
    const errors = captureErrorLog();
    const context = { platform: testPlatform, waitUntil: () => {} };
    await env.DB.prepare('DELETE FROM cron_runs').run();
    await runCron({ ...context, env });
    expect(listFailures(await check())).toEqual([]);
    const DB = interceptCalls(env.DB, (method, [sql]) => {
      if (method === 'prepare' && String(sql).includes('from "jobs"')) throw new Error(SECRET);
    });
    await runCron({ ...context, env: { ...env, DB } });
    const health = await check();
    expect(health.cron?.failing).toContain('jobs');
    expect(listFailures(health)).toEqual([['cron', 'sweeps_failing']]);
    expect(errors).toContainEqual(expect.objectContaining({ event: 'sweep_failed', sweep: 'jobs' }));
  });
});

describe('the provider', () => {
  it('is reported with an empty account', async () => {
    const upstream = createUpstream();
    const throttle = getProviderThrottle(env, upstream.identity);
    await throttle.acquire(permit);
    await throttle.report([{ outcome: 'answered', balance: 0, charged: 1, unclear: 0 }]);
    const health = await check({ upstream });
    expect(listFailures(health)).toEqual([['provider', 'out_of_credits']]);
    expect(health.provider).toMatchObject({ balance: 0, balance_at: expect.stringMatching(/Z$/) });
  });

  it('is reported while its circuit breaker is open', async () => {
    const upstream = createUpstream();
    await openBreaker(getProviderThrottle(env, upstream.identity));
    expect(listFailures(await check({ upstream }))).toEqual([['provider', 'breaker_open']]);
  });
});
