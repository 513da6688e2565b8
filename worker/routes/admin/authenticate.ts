// Authenticates admins: by the deployment's ADMIN_TOKEN or, for a while after a rotation, the previous one, as owner; or by an
// admin token, with its role.
import { createMiddleware } from 'hono/factory';
import { type AdminRole, mayUse } from '../../../shared/api/admin-roles.ts';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { readBearerToken } from '../../gateway/auth/authenticate.ts';
import { isSameHash } from '../../gateway/auth/tokens.ts';
import { readPreviousAdminToken } from '../../http/previous-admin-token.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { findSecret, readSecret } from '../../http/secrets.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { type Admin, findAdminByToken } from '../../operations/admin-tokens.ts';

const FIX = 'Send the deployment’s ADMIN_TOKEN, or an admin token, as Authorization: Bearer.';

/** Hono environment of an admin request. */
export interface AdminEnv<E extends Env = Env> {
  Bindings: E;
  Variables: { admin: Admin };
}

/**
 * Lists the tokens of the deployment by name. Absent ones are undefined.
 * @throws ProblemError `not_configured` if ADMIN_TOKEN_PREVIOUS is malformed
 */
export const listDeploymentTokens = (env: Env, now: number) =>
  [
    ['current', findSecret(env, 'ADMIN_TOKEN')],
    ['previous', readPreviousAdminToken(env, now)],
  ] as const;

/** Verifies the admin token. Clients that fail too often are blocked for a minute, whatever token they send. */
export class AdminAuthenticator {
  readonly #throttle: AuthThrottle;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#throttle = new AuthThrottle('admin', now);
    this.#now = now;
  }

  /**
   * Finds the admin of a token.
   * @param address - from {@link getClientAddress}
   * @returns undefined if no admin has it
   * @throws ProblemError `rate_limited`; `not_configured` if ADMIN_TOKEN_PREVIOUS is malformed
   */
  async identify(env: Env, token: string | undefined, address: string): Promise<Admin | undefined> {
    this.#throttle.check(address);
    // Pages of other sites can send requests without a token from the admin's browser. They must not block its address.
    if (token === undefined) return undefined;
    const hash = await sha256Hex(token);
    for (const [name, expected] of listDeploymentTokens(env, this.#now())) {
      if (expected !== undefined && isSameHash(hash, await sha256Hex(expected)))
        return { adminToken: name, role: 'owner' };
    }
    const admin = await findAdminByToken(env.DB, token, this.#now());
    if (admin !== undefined) return admin;
    await this.#throttle.recordFailure(env, address);
    return undefined;
  }
}

/** @throws ProblemError `forbidden_scope` */
export function requireRole(role: AdminRole, roles: readonly AdminRole[]): void {
  if (mayUse(role, { roles })) return;
  throw new ProblemError(
    'forbidden_scope',
    `Roles that may do this: ${[...new Set(['owner', ...roles])].join(', ')}. Yours is ${role}.`,
    'Ask an owner of the gateway to do it, or for an admin token with that role.',
  );
}

/**
 * Creates the middleware that authenticates admins.
 * @param roles - that may use the only endpoint, if it is no part of the admin API
 * @throws ProblemError `unauthorised`, `rate_limited`, `forbidden_scope`; `not_configured` if ADMIN_TOKEN is not set or too short
 */
export function requireAdmin(now: () => number, roles?: readonly AdminRole[]) {
  const authenticator = new AdminAuthenticator(now);
  return createMiddleware<AdminEnv>(async (c, next) => {
    readSecret(c.env, 'ADMIN_TOKEN');
    const { headers } = c.req.raw;
    const admin = await authenticator.identify(c.env, readBearerToken(headers), getClientAddress(headers));
    if (admin === undefined) {
      throw new ProblemError('unauthorised', 'The admin token is missing or wrong.', FIX);
    }
    if (roles !== undefined) requireRole(admin.role, roles);
    c.set('admin', admin);
    await next();
  });
}
