// Verifies who Cloudflare Access has signed in.
// https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
import { errors } from 'jose';
import * as z from 'zod';
import type { Env } from '../../env.ts';
import { PublicKeys } from '../../gateway/auth/identity/public-keys.ts';
import type { Platform } from '../../gateway/platform.ts';
import { ProblemError } from '../../http/problem-error.ts';

const ASSERTION_HEADER = 'cf-access-jwt-assertion';
const TEAM_DOMAIN = /^[a-z0-9-]+\.cloudflareaccess\.com$/;

const claimsSchema = z.object({ email: z.string().min(3).max(320) });

/** The Access application that protects the console. */
export interface AccessApplication {
  teamDomain: string;
  audience: string;
}

/**
 * Reads the settings of Access.
 * @returns undefined if Access is not in use
 * @throws ProblemError `not_configured` if one of the two is missing or wrong: the console must not open without them
 */
export function readAccessApplication(
  env: Pick<Env, 'ACCESS_TEAM_DOMAIN' | 'ACCESS_AUDIENCE'>,
): AccessApplication | undefined {
  const { ACCESS_TEAM_DOMAIN: teamDomain = '', ACCESS_AUDIENCE: audience = '' } = env;
  if (teamDomain === '' && audience === '') return undefined;
  if (TEAM_DOMAIN.test(teamDomain) && audience !== '') return { teamDomain, audience };
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

  #getKeys(teamDomain: string): PublicKeys {
    const known = this.#keys.get(teamDomain);
    if (known !== undefined) return known;
    const keys = new PublicKeys(`https://${teamDomain}/cdn-cgi/access/certs`, {
      ...this.#platform,
      fetch: (url, init) => fetch(url, init),
      timeout: (ms) => AbortSignal.timeout(ms),
      failureCode: 'access_call_failed',
      createUnavailable,
    });
    this.#keys.set(teamDomain, keys);
    return keys;
  }

  /**
   * Returns the verified e-mail address of a request.
   * @throws ProblemError `unauthorised`; `gateway_unavailable` if the keys can't be fetched
   */
  async verify({ teamDomain, audience }: AccessApplication, headers: Headers): Promise<string> {
    const token = headers.get(ASSERTION_HEADER);
    if (token === null) throw refuse();
    const keys = this.#getKeys(teamDomain);
    try {
      const payload = await keys.verify(token, {
        issuer: `https://${teamDomain}`,
        audience,
        requiredClaims: ['exp', 'iat'],
      });
      const { data } = claimsSchema.safeParse(payload);
      if (data === undefined) throw refuse();
      return data.email.toLowerCase();
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refuse();
      throw error;
    }
  }
}
