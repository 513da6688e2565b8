// Only the admin comes in: whoever shows the deployment's ADMIN_TOKEN.
import { createMiddleware } from 'hono/factory';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import { isSameHash } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';

const FIX = 'Send the deployment’s ADMIN_TOKEN as Authorization: Bearer.';

/** The admin's door. An address that guessed too often is not listened to for a minute, whatever it shows. */
export class AdminAuthenticator {
  readonly #strangers: AuthThrottle;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#strangers = new AuthThrottle('admin', now);
  }

  /**
   * Compares hashes, in constant time.
   * @param shown - the token as it was sent
   * @param address - from {@link getClientAddress}
   * @returns is it the deployment's ADMIN_TOKEN?
   * @throws ProblemError `rate_limited`
   */
  async isAdmin(env: Env, shown: string | undefined, address: string): Promise<boolean> {
    this.#strangers.check(address);
    const { ADMIN_TOKEN: expected } = env;
    if (expected && shown !== undefined && isSameHash(await sha256Hex(shown), await sha256Hex(expected))) {
      return true;
    }
    await this.#strangers.recordFailure(env, address);
    return false;
  }
}

/**
 * Makes the middleware before the admin surface.
 * @param now - milliseconds since 1970
 * @throws ProblemError `unauthorised`, `rate_limited`; `not_configured` where no ADMIN_TOKEN is set
 */
export function requireAdmin(now: () => number) {
  const door = new AdminAuthenticator(now);
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    if (!c.env.ADMIN_TOKEN) {
      throw new ProblemError(
        'not_configured',
        'This gateway has no admin token yet.',
        'Set the secret ADMIN_TOKEN, then deploy again.',
      );
    }
    const { headers } = c.req.raw;
    if (!(await door.isAdmin(c.env, readBearerToken(headers), getClientAddress(headers)))) {
      throw new ProblemError('unauthorised', 'The admin token is missing or wrong.', FIX);
    }
    await next();
  });
}
