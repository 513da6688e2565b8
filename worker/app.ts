// The Worker's HTTP surface; it reads top to bottom as the way of a request.
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { type Problem, problem, problems } from '../shared/problems.ts';
import type { Env } from './env.ts';
import type { Edges } from './gateway/edges.ts';
import { logError, requestLog } from './log.ts';
import { ProblemError, problemResponse } from './problem-error.ts';
import { adminRoutes } from './routes/admin/index.ts';
import { cdapiRoutes } from './routes/cdapi/index.ts';
import { connectRoutes } from './routes/connect.ts';
import { docsRoutes } from './routes/docs/index.ts';
import { healthRoutes } from './routes/health.ts';
import { hookRoutes } from './routes/hooks/index.ts';
import { sheetsRoutes } from './routes/sheets/index.ts';
import { createServices } from './services.ts';

/** Headers for browsers that are gone, and a hint that only pages with frames have a use for. */
const withoutRelics = {
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

/**
 * Makes the app.
 * @param edges - time, and the embedded provider where there is one
 * @param extend - adds routes that a deployment does not have
 */
export function createApp<E extends Env = Env>(
  edges: Edges<E>,
  extend: (app: Hono<{ Bindings: E }>) => void = () => {},
): Hono<{ Bindings: E }> {
  const services = createServices(edges);
  const app = new Hono<{ Bindings: E }>();

  // Ids are our own: one that a caller chose could say anything, and the log tells it.
  app.use(requestId({ headerName: '' }));
  app.use(requestLog(edges.now));
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('x-request-id', c.get('requestId'));
  });
  // A client of the drop-in surface is no browser: what it could be told there, each answer says itself.
  const forBrowsers = secureHeaders(withoutRelics);
  app.use((c, next) => (c.req.path.startsWith('/cdapi/') ? next() : forBrowsers(c, next)));
  extend(app);
  app.route('/health', healthRoutes());
  app.route('/connect', connectRoutes());
  app.route('/', docsRoutes(services));
  app.route('/cdapi', cdapiRoutes(services));
  app.route('/sheets/v1', sheetsRoutes(services));
  app.route('/hooks', hookRoutes(services.now));
  app.route('/admin/v1', adminRoutes(services));

  app.notFound(() => problemResponse(problem('unknown_address')));
  app.onError((error, c) => {
    const id = c.get('requestId');
    const respond = (body: Problem, headers?: Record<string, string>): Response =>
      problemResponse({ ...body, instance: `urn:uuid:${id}` }, headers);
    if (error instanceof ProblemError) return respond(error.problem, error.headers);
    if (error instanceof HTTPException) return error.getResponse();
    logError('internal_error', error, { request: id });
    return respond(problem('internal', `${problems.internal.title} Request id: ${id}.`));
  });
  return app;
}
