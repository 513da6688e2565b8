// `/control`: how the owner of the sandbox steers it.
import { Hono } from 'hono';
import { readJson, readText } from '../api/json-body.ts';
import type { SandboxBindings } from '../bindings.ts';
import { readControl } from './control.ts';
import { accountOf } from './account-object.ts';

/** Makes `GET /control`, which answers what is set, and `PUT /control`, which changes what its body names. */
export function controlRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/control', async (c) => c.json(await accountOf(c.env).state()));
  routes.put('/control', async (c) => {
    const change = readControl(readJson(await readText(c.req.raw)));
    return c.json(await accountOf(c.env).control(change));
  });
  return routes;
}
