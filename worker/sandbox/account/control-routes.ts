// `/control`: reads and changes the sandbox's settings.
import { Hono } from 'hono';
import { readJson, readText } from '../api/json-body.ts';
import type { SandboxBindings } from '../bindings.ts';
import { getAccount } from './account-object.ts';
import { parseControl } from './control.ts';

/** Creates `GET /control`, which returns the settings, and `PUT /control`, which changes the given ones. */
export function controlRoutes(): Hono<{ Bindings: SandboxBindings }> {
  const routes = new Hono<{ Bindings: SandboxBindings }>();
  routes.get('/control', async (c) => c.json(await getAccount(c.env).getState()));
  routes.put('/control', async (c) => {
    const change = parseControl(readJson(await readText(c.req.raw)));
    return c.json(await getAccount(c.env).applyControl(change));
  });
  return routes;
}
