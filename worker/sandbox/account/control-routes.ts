// `/control`: how the owner of the sandbox steers it.
import { Hono } from 'hono';
import { readJson, readText } from '../api/json-body.ts';
import type { SandboxBindings } from '../bindings.ts';
import { getAccount } from './account-object.ts';
import { parseControl } from './control.ts';

/** Makes `GET /control`, which answers what is set, and `PUT /control`, which changes what its body names. */
export function controlRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/control', async (c) => c.json(await getAccount(c.env).getState()));
  routes.put('/control', async (c) => {
    const change = parseControl(readJson(await readText(c.req.raw)));
    return c.json(await getAccount(c.env).applyControl(change));
  });
  return routes;
}
