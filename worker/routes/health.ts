// GET /health: reports that the Worker runs. It needs no token and exposes no data.
import { Hono } from 'hono';
import { methodNotAllowed } from '../http/problem-error.ts';

/** Creates the health check route. */
export function createHealthRoutes(): Hono {
  return new Hono()
    .get('/', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
    .all('/', methodNotAllowed('GET, HEAD'));
}
