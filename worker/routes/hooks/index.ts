// /hooks/requests/{id}/{secret}: the provider's webhook. Whatever is not a hook of a request is nothing at all.
import { Hono } from 'hono';
import type { Env } from '../../env.ts';
import { redactKey } from '../../gateway/redact-key.ts';
import { ProblemError } from '../../problem-error.ts';
import { readText } from '../../read-text.ts';
import { isHook, MAX_HOOK_BYTES } from '../../requests/hooks.ts';
import type { Services } from '../../services.ts';

/** Makes the routes of the provider's webhooks. */
export function hookRoutes<E extends Env>({
  now,
  provider,
}: Pick<Services<E>, 'now' | 'provider'>): Hono<{ Bindings: E }> {
  const routes = new Hono<{ Bindings: E }>();
  routes.all('/requests/:id/:secret', async (c) => {
    const { id, secret } = c.req.param();
    // Unknown, forged, expired: one answer, as for an address that never was.
    if (c.req.method !== 'POST' || !(await isHook(c.env, id, secret, now())))
      throw new ProblemError('unknown_address');
    const body = await readText(c.req.raw, MAX_HOOK_BYTES);
    if (body === undefined)
      throw new ProblemError('too_large', undefined, 'Send a few words; files are fetched.');
    // It is kept and relayed to the caller.
    const { apiKey } = await provider(c.env);
    await c.env.HOOKS.send({ request: id, body: redactKey(apiKey, body) });
    return c.body(null, 204);
  });
  return routes;
}
