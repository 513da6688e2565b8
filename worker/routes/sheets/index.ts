// The surface of the add-on: /sheets/v1.
import { Hono } from 'hono';
import type { Env } from '../../env.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { setRequestSummary } from '../../http/log.ts';
import { addRoutes } from '../route.ts';
import { requestEvents } from './data-request-events.ts';
import { sheetsRouteTable } from './routes.ts';

/**
 * Makes the routes of the add-on.
 * @param services - what the routes reach the world through
 */
export function sheetsRoutes<E extends Env>(services: Services<E>): Hono<GatewayEnv<E>> {
  const routes = new Hono<GatewayEnv<E>>();
  routes.get('/requests/:id/events', requestEvents(services));
  routes.use(services.requireCaller(readBearerToken));
  addRoutes(routes, sheetsRouteTable, (c) => ({
    env: c.env,
    request: c.req.raw,
    caller: c.get('caller'),
    now: services.now(),
    newId: () => crypto.randomUUID(),
    heardRemaining: c.get('heardRemaining'),
    context: async () => services.createContext(c, 'formula'),
    provider: () => services.getUpstream(c.env),
    tell: (told) => setRequestSummary(c, told),
  }));
  return routes;
}
