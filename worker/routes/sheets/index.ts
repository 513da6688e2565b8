// The surface of the add-on: /sheets/v1.
import { Hono } from 'hono';
import type { Env } from '../../env.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { Entered, Services } from '../../gateway/services.ts';
import { setRequestSummary } from '../../http/log.ts';
import { addRoutes } from '../route.ts';
import { requestEvents } from './data-request-events.ts';
import { sheetsRouteTable } from './routes.ts';

/**
 * Makes the routes of the add-on.
 * @param services - what the routes reach the world through
 */
export function sheetsRoutes<E extends Env>(services: Services<E>): Hono<Entered<E>> {
  const routes = new Hono<Entered<E>>();
  routes.get('/requests/:id/events', requestEvents(services));
  routes.use(services.enter(readBearerToken));
  addRoutes(routes, sheetsRouteTable, (c) => ({
    env: c.env,
    request: c.req.raw,
    caller: c.get('caller'),
    now: services.now(),
    newId: () => crypto.randomUUID(),
    heardRemaining: c.get('heardRemaining'),
    context: async () => services.context(c, 'formula'),
    provider: () => services.provider(c.env),
    tell: (told) => setRequestSummary(c, told),
  }));
  return routes;
}
