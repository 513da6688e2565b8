// The Hono app: middleware, routes and error handling in the order of a request.
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { createProblem } from '../shared/problems.ts';
import type { Env } from './env.ts';
import type { Platform } from './gateway/platform.ts';
import { addRateLimitHeaders } from './gateway/rate-limit/rate-limit.ts';
import { createServices } from './gateway/services.ts';
import { findRefusal } from './http/maintenance.ts';
import { ProblemError, problemResponse } from './http/problem-error.ts';
import { finishRequest } from './http/request-log.ts';
import { SurfaceRouter } from './http/surface-router.ts';
import { toUnexpectedProblem } from './http/unexpected-error.ts';
import { createAdminRoutes } from './routes/admin/index.ts';
import { createCdapiRoutes } from './routes/cdapi/index.ts';
import { createConnectRoutes } from './routes/connect.ts';
import { createConsoleRoutes } from './routes/console/index.ts';
import { createDocsRoutes } from './routes/docs/index.ts';
import { createHealthRoutes, createMetricsRoutes } from './routes/health.ts';
import { createHookRoutes } from './routes/hooks/index.ts';
import { createMcpRoutes } from './routes/mcp/index.ts';
import { createSheetsRoutes } from './routes/sheets/index.ts';

/** Disables headers of obsolete browsers, and one that only pages with frames need. */
const securityHeaderOptions = {
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

const setSecurityHeaders = secureHeaders(securityHeaderOptions);

function respondToError(error: Error, c: Context): Response {
  const id = c.get('requestId');
  if (error instanceof HTTPException) return error.getResponse();
  const { problem: body, headers } = error instanceof ProblemError ? error : toUnexpectedProblem(error, id);
  return problemResponse({ ...body, instance: `urn:uuid:${id}` }, headers);
}

/**
 * Creates the app.
 * @param platform - clock, timers, randomness, and the sandbox in development
 * @param extend - adds routes of development
 */
export function createApp<E extends Env = Env>(
  platform: Platform<E>,
  extend: (app: Hono<{ Bindings: E }>) => void = () => {},
): Hono<{ Bindings: E }> {
  const services = createServices(platform);
  const app = new Hono<{ Bindings: E }>({ router: new SurfaceRouter() });

  // All but the drop-in API, whose clients are no browsers (`SurfaceRouter`).
  app.use(async (c: Context, next) => {
    const startedAt = platform.now();
    // A caller must not choose the id, because the log contains it.
    c.set('requestId', crypto.randomUUID());
    const refusal = findRefusal(c.env, c.req.path);
    if (refusal === undefined) await next();
    else {
      c.error = refusal;
      c.res = respondToError(refusal, c);
    }
    await setSecurityHeaders(c, () => Promise.resolve());
    const now = platform.now();
    addRateLimitHeaders(c.res.headers, c.get('lease'), now);
    finishRequest(c, c.res, startedAt, now);
  });
  extend(app);
  app.route('/health', createHealthRoutes(services));
  app.route('/metrics', createMetricsRoutes(services));
  app.route('/connect', createConnectRoutes());
  app.route('/', createDocsRoutes(services));
  app.route('/cdapi', createCdapiRoutes(services));
  app.route('/sheets/v1', createSheetsRoutes(services));
  app.route('/hooks', createHookRoutes(services));
  app.route('/', createMcpRoutes(services));
  app.route('/admin/v1', createAdminRoutes(services));
  app.route('/console', createConsoleRoutes(services));

  app.notFound(() => problemResponse(createProblem('unknown_address')));
  app.onError(respondToError);
  return app;
}
