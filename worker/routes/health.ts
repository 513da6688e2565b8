// GET /health: the Worker runs. It says nothing about anybody.
import { Hono } from 'hono';
import { methodNotAllowed } from '../http/problem-error.ts';

/** Makes the route that monitors ask. */
export function createHealthRoutes(): Hono {
  return new Hono()
    .get('/', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
    .all('/', methodNotAllowed('GET, HEAD'));
}
