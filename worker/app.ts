// The Hono app: middleware, routes and error handling in the order of a request.
import { type Context, Hono, type Next } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { createProblem } from '../shared/problems.ts';
import type { Env } from './env.ts';
import type { Platform } from './gateway/platform.ts';
import { createServices } from './gateway/services.ts';
import { compose } from './http/compose.ts';
import { findRefusal } from './http/maintenance.ts';
import { ProblemError, problemResponse } from './http/problem-error.ts';
import { type RequestVariables, requestLog } from './http/request-log.ts';
import type { TimingEnv } from './http/server-timing.ts';
import { toUnexpectedProblem } from './http/unexpected-error.ts';
import { createAdminRoutes } from './routes/admin/index.ts';
import { createCdapiRoutes } from './routes/cdapi/index.ts';
import { createErrorResponse } from './routes/cdapi/responses.ts';
import { addServiceHeaders } from './routes/cdapi/service-headers.ts';
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

/** Drop-in clients are no browsers, so they get the service's headers instead of browser security headers. */
function isDropIn({ req: { path } }: Context): boolean {
  return path.startsWith('/cdapi/') || path === '/cdapi';
}

const setSecurityHeaders = secureHeaders(securityHeaderOptions);

async function browserSecurityHeaders(c: Context, next: Next): Promise<void> {
  await setSecurityHeaders(c, next);
}

/** Adds the request id and server timings to each response. */
async function responseHeaders(
  c: Context<{ Variables: RequestVariables & Partial<TimingEnv['Variables']> }>,
  next: Next,
): Promise<void> {
  await next();
  const { headers } = c.res;
  headers.set('x-request-id', c.get('requestId'));
  const timings = c.get('timings');
  if (timings !== undefined) headers.set('server-timing', timings.toString());
}

function respondToError(error: Error, c: Context): Response {
  const id = c.get('requestId');
  if (isDropIn(c)) return createErrorResponse(error, c.req.raw, id);
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
  const app = new Hono<{ Bindings: E }>();

  const defaultMiddleware = compose(responseHeaders, browserSecurityHeaders);
  const dropInMiddleware = compose(responseHeaders, addServiceHeaders(services.getProviderAccount));
  app.use(
    compose(requestLog(platform.now), (c, next) =>
      (isDropIn(c) ? dropInMiddleware : defaultMiddleware)(c, () => {
        const refusal = findRefusal(c.env, c.req.path);
        if (refusal === undefined) return next();
        c.error = refusal;
        c.res = respondToError(refusal, c);
        return Promise.resolve();
      }),
    ),
  );
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
