// Only the admin comes in: whoever shows the deployment's ADMIN_TOKEN.
import { createMiddleware } from 'hono/factory';
import type { Env } from '../../env.ts';
import { bearerToken } from '../../gateway/authenticate.ts';
import { addressOf, Strangers } from '../../gateway/strangers.ts';
import { sameHash } from '../../gateway/tokens.ts';
import { sha256Hex } from '../../hash.ts';
import { ProblemError } from '../../problem-error.ts';

const FIX = 'Send the deployment’s ADMIN_TOKEN as Authorization: Bearer.';

/**
 * Makes the middleware before the admin surface. Hashes are compared, in constant time; an address that guessed too often
 * is refused for a minute whatever it shows.
 * @param now - milliseconds since 1970
 * @throws ProblemError `unauthorised`, `rate_limited`; `not_configured` where no ADMIN_TOKEN is set
 */
export function admitAdmin(now: () => number) {
  const strangers = new Strangers('admin', now);
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    const { ADMIN_TOKEN: expected } = c.env;
    if (!expected) {
      throw new ProblemError(
        'not_configured',
        'This gateway has no admin token yet.',
        'Set the secret ADMIN_TOKEN, then deploy again.',
      );
    }
    const { headers } = c.req.raw;
    const address = addressOf(headers);
    strangers.admit(address);
    const shown = bearerToken(headers);
    if (shown === undefined || !sameHash(await sha256Hex(shown), await sha256Hex(expected))) {
      await strangers.failed(c.env, address);
      throw new ProblemError('unauthorised', 'The admin token is missing or wrong.', FIX);
    }
    await next();
  });
}
