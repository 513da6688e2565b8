// GET /health: reports that the Worker runs and has its settings. It needs no token and exposes no data but the deployed commit.
// GET /health/deep: checks everything that the gateway depends on, for admins. GET /metrics: the same in figures, as Prometheus text.
import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import type { Services } from '../gateway/services.ts';
import { readPreviousAdminToken } from '../http/previous-admin-token.ts';
import { methodNotAllowed } from '../http/problem-error.ts';
import { getPublicOrigin } from '../http/public-origin.ts';
import { readSecret } from '../http/secrets.ts';
import { formatVersion } from '../lib/format.ts';
import { checkHealth } from '../operations/health-check.ts';
import { readOperatorSettings } from '../operations/operator-settings.ts';
import { PROMETHEUS_TYPE, readPrometheusMetrics } from '../operations/prometheus.ts';
import { requireAdmin } from './admin/authenticate.ts';

const headers = { 'cache-control': 'no-store' };

/** @throws ProblemError `not_configured` */
async function checkSettings(env: Env, request: Request, now: number): Promise<void> {
  await Pseudonyms.load(env);
  readSecret(env, 'ENCRYPTION_SECRET');
  readSecret(env, 'ADMIN_TOKEN');
  readPreviousAdminToken(env, now);
  getPublicOrigin(env, request);
}

export function createHealthRoutes<E extends Env>(
  services: Pick<Services<E>, 'now' | 'sleep' | 'getUpstream'>,
) {
  const routes = new Hono<{ Bindings: E }>();
  routes.get('/', async (c) => {
    await checkSettings(c.env, c.req.raw, services.now());
    const { VERSION } = c.env;
    const health = { status: 'ok', version: formatVersion(VERSION), version_id: VERSION?.id ?? null };
    return c.json(health, 200, headers);
  });
  routes.all('/', methodNotAllowed('GET, HEAD'));
  routes.use('/deep', requireAdmin(services.now, 'deepHealth'));
  routes.get('/deep', async (c) => {
    const health = await checkHealth({
      env: c.env,
      platform: services,
      getUpstream: services.getUpstream,
      checkSettings: async () => {
        await checkSettings(c.env, c.req.raw, services.now());
        readOperatorSettings(c.env);
      },
    });
    return c.json(health, health.status === 'ok' ? 200 : 503, headers);
  });
  routes.all('/deep', methodNotAllowed('GET, HEAD'));
  return routes;
}

export function createMetricsRoutes<E extends Env>(services: Pick<Services<E>, 'now' | 'getUpstream'>) {
  const routes = new Hono<{ Bindings: E }>();
  routes.use(requireAdmin(services.now, 'metrics'));
  routes.get('/', async (c) => {
    const getUpstream = async () => services.getUpstream(c.env);
    const text = await readPrometheusMetrics({ env: c.env, now: services.now(), getUpstream });
    return c.body(text, 200, { ...headers, 'content-type': PROMETHEUS_TYPE });
  });
  routes.all('/', methodNotAllowed('GET, HEAD'));
  return routes;
}
