// Signs admins in to the console, recognises them by a cookie, and signs them out.
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AdminRole } from '../../../shared/api/admin-roles.ts';
import type { Env } from '../../env.ts';
import { getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { isSameHash } from '../../gateway/auth/tokens.ts';
import type { Platform } from '../../gateway/platform.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readSecret } from '../../http/secrets.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { type Admin, findAdminById } from '../../operations/admin-tokens.ts';
import {
  type ConsoleSession,
  createSession,
  endSession,
  findSession,
  fingerprintCredential,
} from '../../operations/console-sessions.ts';
import { buildAuditInsert } from '../admin/audit-log.ts';
import { AdminAuthenticator, listDeploymentTokens } from '../admin/authenticate.ts';
import type { Actor } from '../admin/route.ts';
import { AccessVerifier, readAccessApplication } from './access.ts';
import type { ConsoleEnv } from './context.ts';

const COOKIE = 'cdapi_console';

/** Start of the credential of a session that an admin token opened; its id follows. */
const ADMIN_TOKEN_CREDENTIAL = 'admin_tokens ';

/** An open session, and what its requests need. */
export interface OpenSession extends ConsoleSession {
  actor: Actor;
  /** Token that every form of the session sends back. */
  csrf: string;
}

type ConsoleRequest<E extends Env> = Context<ConsoleEnv<E>>;

/** Browsers store `__Host-` cookies only over https, so development does without. */
const isSecure = (env: Env): boolean => env.ENVIRONMENT !== 'development';
const getCookieOptions = (env: Env) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(env),
    ...(isSecure(env) ? { prefix: 'host' as const } : {}),
  }) as const;

const readCookie = <E extends Env>(c: ConsoleRequest<E>): string | undefined =>
  isSecure(c.env) ? getCookie(c, COOKIE, 'host') : getCookie(c, COOKIE);

const createCsrfToken = (secret: string): Promise<string> => sha256Hex(`csrf ${secret}`);

export class ConsoleSessions {
  readonly #now: () => number;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #authenticator: AdminAuthenticator;
  readonly #access: AccessVerifier;

  /** @param randomBytes - a cryptographic random source */
  constructor(platform: Pick<Platform, 'now' | 'sleep'>, randomBytes: (length: number) => Uint8Array) {
    this.#now = platform.now;
    this.#randomBytes = randomBytes;
    this.#authenticator = new AdminAuthenticator(platform.now);
    this.#access = new AccessVerifier(platform);
  }

  /**
   * Finds the session of a request. If Cloudflare Access signs admins in, opens one for a new admin.
   * @returns undefined if the admin has to sign in
   * @throws ProblemError `unauthorised` if Access is in use and did not sign the admin in; `not_configured`
   */
  async find<E extends Env>(c: ConsoleRequest<E>): Promise<OpenSession | undefined> {
    readSecret(c.env, 'ADMIN_TOKEN');
    const application = readAccessApplication(c.env);
    const person = application && (await this.#access.verify(application, c.req.raw.headers));
    const email = person?.email ?? null;
    const secret = readCookie(c);
    const session = secret === undefined ? undefined : await findSession(c.env, secret, this.#now());
    if (secret !== undefined && session !== undefined && session.email === email) {
      const admin = await this.#findAdmin(c.env, session.credential, person?.role);
      if (admin !== undefined) return this.#toOpenSession(session, admin, secret);
    }
    if (application === undefined || person === undefined) return undefined;
    const credential = await fingerprintCredential(`access ${application.audience}`);
    return this.#open(c, { adminToken: null, role: person.role }, credential, email);
  }

  /**
   * Signs in with an admin token. It opens a new session and ends the one of the request, so a planted cookie is worthless.
   * @returns undefined if the token is wrong
   * @throws ProblemError `rate_limited`, `not_configured`; `unauthorised` if Access signs admins in
   */
  async signIn<E extends Env>(
    c: ConsoleRequest<E>,
    token: string | undefined,
  ): Promise<OpenSession | undefined> {
    readSecret(c.env, 'ADMIN_TOKEN');
    if (readAccessApplication(c.env) !== undefined)
      throw new ProblemError(
        'unauthorised',
        'Cloudflare Access signs admins in to this console.',
        'Open the console through its protected address.',
      );
    const admin = await this.#authenticator.identify(c.env, token, getClientAddress(c.req.raw.headers));
    if (admin === undefined || token === undefined) return undefined;
    const earlier = readCookie(c);
    const replaced = earlier === undefined ? undefined : await findSession(c.env, earlier, this.#now());
    if (replaced !== undefined) await endSession(c.env, replaced.id, this.#now());
    const isDeployment = admin.adminToken === 'current' || admin.adminToken === 'previous';
    const credential = isDeployment
      ? await fingerprintCredential(token)
      : `${ADMIN_TOKEN_CREDENTIAL}${admin.adminToken}`;
    return this.#open(c, admin, credential, null);
  }

  async signOut<E extends Env>(c: ConsoleRequest<E>, { id, actor }: OpenSession): Promise<void> {
    const at = this.#now();
    await endSession(c.env, id, at);
    await buildAuditInsert({ env: c.env, now: at, actor }, 'session.end', id);
    deleteCookie(c, COOKIE, getCookieOptions(c.env));
  }

  /** Tells whether a form was sent by a page of the session. Compares in constant time. */
  async isFromSession({ csrf }: OpenSession, sent: string | null): Promise<boolean> {
    return isSameHash(await sha256Hex(csrf), await sha256Hex(sent ?? ''));
  }

  async #open<E extends Env>(
    c: ConsoleRequest<E>,
    admin: Admin,
    credential: string,
    email: string | null,
  ): Promise<OpenSession> {
    const at = this.#now();
    const { session, secret } = await createSession(c.env, { credential, email }, at, this.#randomBytes);
    const open = await this.#toOpenSession(session, admin, secret);
    const { actor, id } = open;
    await buildAuditInsert({ env: c.env, now: at, actor }, 'session.begin', id);
    setCookie(c, COOKIE, secret, getCookieOptions(c.env));
    return open;
  }

  async #toOpenSession(session: ConsoleSession, admin: Admin, secret: string): Promise<OpenSession> {
    return { ...session, actor: { ...admin, sessionId: session.id }, csrf: await createCsrfToken(secret) };
  }

  /**
   * Finds the admin of a session by its credential: the Access application, an admin token, or ADMIN_TOKEN.
   * @returns undefined if the credential is no longer accepted
   */
  async #findAdmin(
    env: Env,
    credential: string,
    accessRole: AdminRole | undefined,
  ): Promise<Admin | undefined> {
    const application = readAccessApplication(env);
    if (application !== undefined) {
      const isCurrent = credential === (await fingerprintCredential(`access ${application.audience}`));
      return isCurrent && accessRole !== undefined ? { adminToken: null, role: accessRole } : undefined;
    }
    if (credential.startsWith(ADMIN_TOKEN_CREDENTIAL))
      return findAdminById(env.DB, credential.slice(ADMIN_TOKEN_CREDENTIAL.length), this.#now());
    for (const [adminToken, token] of listDeploymentTokens(env, this.#now())) {
      if (token !== undefined && credential === (await fingerprintCredential(token)))
        return { adminToken, role: 'owner' };
    }
    return undefined;
  }
}
