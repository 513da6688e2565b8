// Verifies who Cloudflare Access has signed in.
// https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
import { errors } from 'jose';
import * as z from 'zod';
import { type AdminRole, adminRoles } from '../../../shared/api/admin-roles.ts';
import type { DevelopmentEnv, Env } from '../../env.ts';
import { PublicKeys } from '../../gateway/auth/identity/public-keys.ts';
import type { Platform } from '../../gateway/platform.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** Request header with the signed assertion of Access. */
export const ASSERTION_HEADER = 'cf-access-jwt-assertion';
const TEAM_DOMAIN = /^[a-z0-9-]+\.cloudflareaccess\.com$/;

const groups = z.array(z.string()).catch([]);

/** Groups are in a token if the identity provider's settings list the claim `groups`. */
const claimsSchema = z.object({
  email: z.string().min(3).max(320),
  groups: groups.optional(),
  custom: z.object({ groups: groups.optional() }).optional().catch(undefined),
});

export interface AccessPerson {
  /** In lower case. */
  email: string;
  role: AdminRole;
}

const rolesSchema = z.record(z.string(), z.enum(adminRoles));

/**
 * Reads the roles of people and groups of Access.
 * @returns undefined if everybody whom Access lets in is an owner
 * @throws ProblemError `not_configured` if the setting is malformed
 */
export function readAccessRoles({
  ACCESS_ROLES: text = '',
}: Pick<Env, 'ACCESS_ROLES'>): ReadonlyMap<string, AdminRole> | undefined {
  if (text === '') return undefined;
  const pairs = text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()] as const;
  });
  const roles = rolesSchema.safeParse(Object.fromEntries(pairs));
  if (roles.success && pairs.every(([name]) => name !== '')) return new Map(Object.entries(roles.data));
  throw new ProblemError(
    'not_configured',
    'The setting ACCESS_ROLES is malformed.',
    `Set it to pairs such as ada@acme.com=owner, Finance=finance. Roles: ${adminRoles.join(', ')}.`,
  );
}

/** Finds the role with the most rights of an address and its groups. */
export function findAccessRole(
  roles: ReadonlyMap<string, AdminRole>,
  names: readonly string[],
): AdminRole | undefined {
  const found = names.map((name) => roles.get(name.toLowerCase()));
  return adminRoles.find((role) => found.includes(role));
}

export interface AccessApplication {
  teamDomain: string;
  audience: string;
  /** Address of the keys that sign assertions. */
  keysUrl: string;
  /** By e-mail address or group, in lower case. Undefined: everybody is an owner. */
  roles: ReadonlyMap<string, AdminRole> | undefined;
}

/**
 * Reads the settings of Access.
 * @returns undefined if Access is not in use
 * @throws ProblemError `not_configured` if one of the two is missing or wrong: the console must not open without them
 */
export function readAccessApplication(
  env: Pick<Env, 'ACCESS_TEAM_DOMAIN' | 'ACCESS_AUDIENCE' | 'ACCESS_ROLES'> &
    Partial<Pick<DevelopmentEnv, 'ACCESS_KEYS_URL' | 'ENVIRONMENT'>>,
): AccessApplication | undefined {
  const { ACCESS_TEAM_DOMAIN: teamDomain = '', ACCESS_AUDIENCE: audience = '' } = env;
  if (teamDomain === '' && audience === '') return undefined;
  // Only development may replace Access.
  const ownKeysUrl = env.ENVIRONMENT === 'development' ? env.ACCESS_KEYS_URL : undefined;
  const keysUrl = ownKeysUrl ?? `https://${teamDomain}/cdn-cgi/access/certs`;
  if (TEAM_DOMAIN.test(teamDomain) && audience !== '')
    return { teamDomain, audience, keysUrl, roles: readAccessRoles(env) };
  throw new ProblemError(
    'not_configured',
    'Cloudflare Access is configured only in part.',
    'Set ACCESS_TEAM_DOMAIN, such as acme.cloudflareaccess.com, and ACCESS_AUDIENCE, or neither.',
  );
}

const refuse = (): ProblemError =>
  new ProblemError(
    'unauthorised',
    'Cloudflare Access has not signed you in for this console.',
    'Open the console through its protected address, and sign in there.',
  );

const refuseWithoutRole = (): ProblemError =>
  new ProblemError(
    'forbidden_scope',
    'You are signed in, but have no role in this console.',
    'Ask an owner of the gateway to add your address or group to ACCESS_ROLES.',
  );

const createUnavailable = (): ProblemError =>
  new ProblemError(
    'gateway_unavailable',
    'The keys of Cloudflare Access, which confirm who you are, can’t be fetched.',
    'Try again in a minute.',
  );

/** Verifies the assertions of Access. The isolate caches the keys. */
export class AccessVerifier {
  readonly #platform: Pick<Platform, 'now' | 'sleep'>;
  readonly #keys = new Map<string, PublicKeys>();

  constructor(platform: Pick<Platform, 'now' | 'sleep'>) {
    this.#platform = platform;
  }

  #getKeys(url: string): PublicKeys {
    const known = this.#keys.get(url);
    if (known !== undefined) return known;
    const keys = new PublicKeys(url, {
      ...this.#platform,
      fetch: (url, init) => fetch(url, init),
      timeout: (ms) => AbortSignal.timeout(ms),
      failureCode: 'access_call_failed',
      createUnavailable,
    });
    this.#keys.set(url, keys);
    return keys;
  }

  /**
   * Returns the verified person of a request, and their role.
   * @throws ProblemError `unauthorised`, `forbidden_scope`; `gateway_unavailable` if the keys can't be fetched
   */
  async verify(
    { teamDomain, audience, roles, keysUrl }: AccessApplication,
    headers: Headers,
  ): Promise<AccessPerson> {
    const token = headers.get(ASSERTION_HEADER);
    if (token === null) throw refuse();
    const keys = this.#getKeys(keysUrl);
    try {
      const payload = await keys.verify(token, {
        issuer: `https://${teamDomain}`,
        audience,
        requiredClaims: ['exp', 'iat'],
      });
      const { data } = claimsSchema.safeParse(payload);
      if (data === undefined) throw refuse();
      const email = data.email.toLowerCase();
      const names = [email, ...(data.groups ?? []), ...(data.custom?.groups ?? [])];
      const role = roles === undefined ? 'owner' : findAccessRole(roles, names);
      if (role === undefined) throw refuseWithoutRole();
      return { email, role };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refuse();
      throw error;
    }
  }
}
