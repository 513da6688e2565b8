import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AdminTokenName } from '../../../shared/api/admin-reports.ts';
import type { Env } from '../../env.ts';
import { getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { isSameHash } from '../../gateway/auth/tokens.ts';
import type { Platform } from '../../gateway/platform.ts';
import { readPreviousAdminToken } from '../../http/previous-admin-token.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readSecret } from '../../http/secrets.ts';
import { sha256Hex } from '../../lib/hash.ts';
import {
  type ConsoleSession,
  createSession,
  endSession,
  findSession,
  fingerprintCredential,
} from '../../operations/console-sessions.ts';
import { buildAuditInsert } from '../admin/audit-log.ts';
import { AdminAuthenticator } from '../admin/authenticate.ts';
import type { Actor } from '../admin/route.ts';
import { AccessVerifier, readAccessApplication } from './access.ts';
import type { ConsoleEnv } from './context.ts';

const COOKIE = 'cdapi_console';

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

/** Opens, finds and ends sessions. */
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
    const email =
      application === undefined ? null : await this.#access.verify(application, c.req.raw.headers);
    const secret = readCookie(c);
    const session = secret === undefined ? undefined : await findSession(c.env, secret, this.#now());
    if (secret !== undefined && session !== undefined && session.email === email) {
      const accepted = await this.#listCredentials(c.env);
      const found = accepted.find(([, credential]) => credential === session.credential);
      if (found !== undefined) return this.#toOpenSession(session, found[0], secret);
    }
    if (application === undefined) return undefined;
    return this.#open(c, null, await fingerprintCredential(`access ${application.audience}`), email);
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
    const name = await this.#authenticator.identify(c.env, token, getClientAddress(c.req.raw.headers));
    if (name === undefined || token === undefined) return undefined;
    const earlier = readCookie(c);
    const replaced = earlier === undefined ? undefined : await findSession(c.env, earlier, this.#now());
    if (replaced !== undefined) await endSession(c.env, replaced.id, this.#now());
    return this.#open(c, name, await fingerprintCredential(token), null);
  }

  /** Ends a session and deletes its cookie. */
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
    adminToken: AdminTokenName | null,
    credential: string,
    email: string | null,
  ): Promise<OpenSession> {
    const at = this.#now();
    const { session, secret } = await createSession(c.env, { credential, email }, at, this.#randomBytes);
    const open = await this.#toOpenSession(session, adminToken, secret);
    const { actor, id } = open;
    await buildAuditInsert({ env: c.env, now: at, actor }, 'session.begin', id);
    setCookie(c, COOKIE, secret, getCookieOptions(c.env));
    return open;
  }

  async #toOpenSession(
    session: ConsoleSession,
    adminToken: AdminTokenName | null,
    secret: string,
  ): Promise<OpenSession> {
    return { ...session, actor: { adminToken, sessionId: session.id }, csrf: await createCsrfToken(secret) };
  }

  /** Lists the credentials that open sessions may have: of the admin tokens, or of the Access application. */
  async #listCredentials(env: Env): Promise<readonly (readonly [AdminTokenName | null, string])[]> {
    const application = readAccessApplication(env);
    if (application !== undefined)
      return [[null, await fingerprintCredential(`access ${application.audience}`)]];
    const previous = readPreviousAdminToken(env, this.#now());
    return [
      ['current', await fingerprintCredential(readSecret(env, 'ADMIN_TOKEN'))],
      ...(previous === undefined ? [] : [['previous', await fingerprintCredential(previous)] as const]),
    ];
  }
}
