// Elasticsearch's REST API on the sandbox search engine, so that public test suites of that API can run against it.
import { Hono } from 'hono';
import { Call, jsonResponse } from './call.ts';
import { documentRoutes } from './document-routes.ts';
import { EsError, illegalArgument, toEsError } from './errors.ts';
import type { Facade } from './facade.ts';
import { indexRoutes } from './index-routes.ts';
import { searchRoutes } from './search-routes.ts';

function errorResponse(error: unknown): Response {
  const known =
    error instanceof RangeError ? illegalArgument('the request is nested too deep') : toEsError(error);
  if (known === undefined) console.error(JSON.stringify({ event: 'es_facade_error', error: String(error) }));
  const { body, status } = known ?? new EsError(500, 'exception', 'internal error of the façade');
  return jsonResponse(body, status);
}

/**
 * Creates the app.
 * @param getFacade - returns the façade on a request's bindings
 */
export function createFacadeApp<Bindings extends object>(
  getFacade: (env: Bindings) => Facade,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  for (const [methods, paths, handle] of [...searchRoutes, ...documentRoutes, ...indexRoutes]) {
    app.on(methods.split(' '), paths.split(' '), async (c) => {
      const call = new Call(getFacade(c.env), c.req.raw, c.req.param());
      const result = await handle(call);
      return result instanceof Response ? result : jsonResponse(result);
    });
  }
  app.notFound((c) => {
    const url = new URL(c.req.url);
    const reason = `no handler found for uri [${url.pathname}] and method [${c.req.method}]`;
    return jsonResponse({ error: reason, status: 400 }, 400);
  });
  app.onError(errorResponse);
  return app;
}
