// GET /metrics: parsed as Prometheus text, with the values of the deployment.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import dashboard from '../../../docs/grafana-dashboard.json?raw';
import type { AdminRole } from '../../../shared/api/admin-roles.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { createApp } from '../../../worker/app.ts';
import { systemClock } from '../../../worker/lib/clock.ts';
import { buildAdminTokenInsert, createAdminTokenRow } from '../../../worker/operations/admin-tokens.ts';
import { recordCronRun } from '../../../worker/operations/cron-runs.ts';
import { metricNames } from '../../../worker/operations/prometheus.ts';

const ADMIN_TOKEN = crypto.randomUUID();
const NOW = Date.parse('2026-03-04T05:06:07Z');

const provider = { CDAPI_KEY: crypto.randomUUID(), CDAPI_BASE_URL: 'https://provider.example/cdapi' };

const app = createApp({ ...systemClock, now: () => NOW });

const get = (token: string): Promise<Response> =>
  Promise.resolve(
    app.request(
      'https://gateway.example/metrics',
      { headers: { authorization: `Bearer ${token}`, 'cf-connecting-ip': crypto.randomUUID() } },
      { ...env, ...provider, ADMIN_TOKEN },
      { waitUntil: () => {}, passThroughOnException: () => {}, props: {} },
    ),
  );

async function issue(role: AdminRole): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)), 'admin');
  const orm = drizzle(env.DB);
  await buildAdminTokenInsert(
    orm,
    await createAdminTokenRow(token, { name: role, role, expiresAt: null }, NOW),
  );
  return token;
}

/** Parses the exposition format strictly: help and type once before the samples of a name, a number in each sample. */
function parse(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  const described = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z_]+) \S.*$/.exec(line)?.[1];
    const type = /^# TYPE ([a-z_]+) gauge$/.exec(line)?.[1];
    if (help !== undefined) {
      expect(described).not.toContain(help);
      described.add(help);
      current = help;
    } else if (type !== undefined) expect(type).toBe(current);
    else {
      const [, key = '', name = '', value = ''] =
        /^(([a-z_]+)(?:\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})?) (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ??
        [];
      expect([line, name]).toEqual([line, current]);
      expect(samples).not.toContain(key);
      samples.set(key, Number(value));
    }
  }
  return samples;
}

describe('the metrics', () => {
  it('are Prometheus text with the state of the deployment', async () => {
    await recordCronRun(env.DB, [], NOW - 61_000);
    const response = await get(ADMIN_TOKEN);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const samples = parse(await response.text());
    expect(samples.get('cdapi_cron_last_run_timestamp_seconds')).toBe((NOW - 61_000) / 1000);
    expect(samples.get('cdapi_alert{kind="cron_silent"}')).toBe(0);
    expect(samples.get('cdapi_credits_spent{period="day"}')).toBe(0);
    expect(samples.get('cdapi_provider_breaker{state="closed"}')).toBe(1);
    expect(samples.get('cdapi_dead_letters')).toBe(0);
  });

  it('show a problem as its alert', async () => {
    await recordCronRun(env.DB, [], NOW - 600_000);
    expect(parse(await (await get(ADMIN_TOKEN)).text()).get('cdapi_alert{kind="cron_silent"}')).toBe(1);
  });

  it('need an admin, and the role monitor is enough', async () => {
    expect((await get(await issue('monitor'))).status).toBe(200);
    expect((await get(await issue('finance'))).status).toBe(403);
    expect((await get('')).status).toBe(401);
  });
});

it('the dashboard shows every metric but the version', () => {
  const shown = new Set(dashboard.match(/\bcdapi_\w+/g));
  expect([...shown].toSorted()).toEqual(metricNames.filter((name) => name !== 'cdapi_info').toSorted());
});
