// `/control`: how the owner of the embedded provider steers it.
import { Hono } from 'hono';
import { readJson, readText } from '../api/json-body.ts';
import type { ProviderBindings } from '../bindings.ts';
import { readControl } from './control.ts';
import { accountOf } from './object.ts';

/** Makes `GET /control`, which answers what is set, and `PUT /control`, which changes what its body names. */
export function controlRoutes(): Hono<{ Bindings: ProviderBindings }> {
  const routes = new Hono<{ Bindings: ProviderBindings }>();
  routes.get('/control', async (c) => c.json(await accountOf(c.env).state()));
  routes.put('/control', async (c) => {
    const change = readControl(readJson(await readText(c.req.raw)));
    return c.json(await accountOf(c.env).control(change));
  });
  return routes;
}
