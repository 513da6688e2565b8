// Plain Elasticsearch paths over the sandbox search engine, for development: so that public suites for that API can run.
import type { Hono } from 'hono';
import { clusterRoutes } from './cluster-routes.ts';
import { documentRoutes } from './document-routes.ts';
import type { Facade } from './facade.ts';
import { indexRoutes } from './index-routes.ts';
import { createApp } from './route.ts';
import { searchRoutes } from './search-routes.ts';

/**
 * Makes the app.
 * @param facadeOf - the façade on a request's bindings
 */
export function createFacadeApp<Bindings extends object>(
  facadeOf: (env: Bindings) => Facade,
): Hono<{ Bindings: Bindings }> {
  return createApp([...clusterRoutes, ...searchRoutes, ...documentRoutes, ...indexRoutes], facadeOf);
}
