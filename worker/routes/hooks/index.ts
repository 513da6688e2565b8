// /hooks/requests/{id}/{secret}: the provider's webhook. Every invalid URL gets the same answer.
import { Hono } from 'hono';
import { handleWebhook, MAX_WEBHOOK_BYTES, verifyWebhook } from '../../data-requests/provider-webhooks.ts';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import type { Services } from '../../gateway/services.ts';
import { redactKey } from '../../gateway/upstream/redact-key.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readRequestText } from '../../http/read-body.ts';

/** Creates the routes of the provider's webhooks. */
export function createHookRoutes<E extends Env>({
  now,
  getUpstream,
}: Pick<Services<E>, 'now' | 'getUpstream'>): Hono<{ Bindings: E }> {
  const routes = new Hono<{ Bindings: E }>();
  const throttle = new AuthThrottle('hook', now);
  routes.all('/requests/:id/:secret', async (c) => {
    const { id, secret } = c.req.param();
    // Unknown, forged and expired URLs look like addresses that never existed.
    if (c.req.method !== 'POST') throw new ProblemError('unknown_address');
    const address = getClientAddress(c.req.raw.headers);
    throttle.check(address);
    if (!(await verifyWebhook(c.env, id, secret, now()))) {
      await throttle.recordFailure(c.env, address);
      throw new ProblemError('unknown_address');
    }
    const body = await readRequestText(c.req.raw, MAX_WEBHOOK_BYTES);
    if (body === undefined)
      throw new ProblemError(
        'too_large',
        undefined,
        'Send only a short message. The gateway fetches the files itself.',
      );
    // The body is stored and delivered to the caller, so the provider key must not be in it.
    const { apiKey } = await getUpstream(c.env);
    await handleWebhook(c.env, id, redactKey(apiKey, body), now());
    return c.body(null, 204);
  });
  return routes;
}
