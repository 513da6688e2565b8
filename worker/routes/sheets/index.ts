// The API of the add-on: /sheets/v1.
import { Hono } from 'hono';
import type { Env } from '../../env.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { setRequestSummary } from '../../http/log.ts';
import { addRoutes } from '../route.ts';
import { createEventsHandler } from './data-request-events.ts';
import { sheetsRouteTable } from './routes.ts';

/**
 * Creates the API of the add-on.
 */
export function createSheetsRoutes<E extends Env>(services: Services<E>): Hono<GatewayEnv<E>> {
  const routes = new Hono<GatewayEnv<E>>();
  routes.get('/requests/:id/events', createEventsHandler(services));
  routes.use(services.requireCaller(readBearerToken));
  addRoutes(routes, sheetsRouteTable, (c) => ({
    env: c.env,
    request: c.req.raw,
    caller: c.get('caller'),
    now: services.now(),
    newId: () => crypto.randomUUID(),
    updateRemaining: c.get('updateRemaining'),
    getGatewayContext: async () => services.createContext(c, 'formula'),
    getProvider: () => services.getUpstream(c.env),
    addToLog: (summary) => setRequestSummary(c, summary),
  }));
  return routes;
}
