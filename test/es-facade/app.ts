// Plain Elasticsearch paths over the embedded engine, for development: so that public suites for that API can run.
import { Hono } from 'hono';
import { answer, refusal } from './answers.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { documentRoutes } from './document-routes.ts';
import type { Facade, FacadeRoutes } from './facade.ts';
import { indexRoutes } from './index-routes.ts';
import { searchRoutes } from './search-routes.ts';

/**
 * Makes the app.
 * @param facadeOf - the façade on a request's bindings
 */
export function createFacadeApp<Bindings extends object>(
  facadeOf: (env: Bindings) => Facade,
): Hono<FacadeRoutes & { Bindings: Bindings }> {
  const app = new Hono<FacadeRoutes & { Bindings: Bindings }>();
  app.use(async (c, next) => {
    c.set('facade', facadeOf(c.env));
    await next();
  });
  for (const part of [clusterRoutes, searchRoutes, documentRoutes, indexRoutes]) app.route('/', part());
  app.notFound((c) => {
    const url = new URL(c.req.url);
    const reason = `no handler found for uri [${url.pathname}] and method [${c.req.method}]`;
    return answer(url, { error: reason, status: 400 }, 400);
  });
  app.onError((error, c) => refusal(new URL(c.req.url), error));
  return app;
}
