// Authenticates the admin with the deployment's ADMIN_TOKEN.
import { createMiddleware } from 'hono/factory';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import { isSameHash } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';

const FIX = 'Send the deployment’s ADMIN_TOKEN as Authorization: Bearer.';

/** Verifies the admin token. Clients that fail too often are blocked for a minute, whatever token they send. */
export class AdminAuthenticator {
  readonly #throttle: AuthThrottle;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#throttle = new AuthThrottle('admin', now);
  }

  /**
   * Verifies a token by comparing hashes in constant time.
   * @param token - from the request
   * @param address - from {@link getClientAddress}
   * @returns true for the deployment's ADMIN_TOKEN
   * @throws ProblemError `rate_limited`
   */
  async isAdmin(env: Env, token: string | undefined, address: string): Promise<boolean> {
    this.#throttle.check(address);
    const { ADMIN_TOKEN: expected } = env;
    if (expected && token !== undefined && isSameHash(await sha256Hex(token), await sha256Hex(expected))) {
      return true;
    }
    await this.#throttle.recordFailure(env, address);
    return false;
  }
}

/**
 * Creates the middleware that authenticates the admin.
 * @param now - milliseconds since 1970
 * @throws ProblemError `unauthorised`, `rate_limited`; `not_configured` if ADMIN_TOKEN is not set
 */
export function requireAdmin(now: () => number) {
  const authenticator = new AdminAuthenticator(now);
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    if (!c.env.ADMIN_TOKEN) {
      throw new ProblemError(
        'not_configured',
        'This gateway has no admin token yet.',
        'Set the secret ADMIN_TOKEN, then deploy again.',
      );
    }
    const { headers } = c.req.raw;
    if (!(await authenticator.isAdmin(c.env, readBearerToken(headers), getClientAddress(headers)))) {
      throw new ProblemError('unauthorised', 'The admin token is missing or wrong.', FIX);
    }
    await next();
  });
}
