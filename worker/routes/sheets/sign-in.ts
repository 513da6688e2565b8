// POST /sheets/v1/sign-in: exchanges Google's identity token for a token of a team. Callers have no token yet.

import { drizzle } from 'drizzle-orm/d1';
import type { Context } from 'hono';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import type { DevelopmentEnv, Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { PublicKeys } from '../../gateway/auth/identity/public-keys.ts';
import { signIn } from '../../gateway/auth/identity/sign-in.ts';
import { type Identity, verifyIdentity } from '../../gateway/auth/identity/verify-identity.ts';
import type { Platform } from '../../gateway/platform.ts';
import type { GatewayEnv } from '../../gateway/services.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { deleteTokenSearches } from '../../tables/saved/saved-searches.ts';
import { type Route as AnyRoute, createRouteBuilder } from '../route.ts';

const KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs';
const MAX_BODY_BYTES = 16 * 1024;

interface SignInRouteContext {
  env: Env;
  request: Request;
  now: number;
  /**
   * Verifies an identity token before anything is read or written.
   * @throws ProblemError
   */
  verify: (identityToken: string) => Promise<Identity>;
}

const route = createRouteBuilder<SignInRouteContext>({
  maxBodyBytes: MAX_BODY_BYTES,
  tooLargeFix: `Send at most ${MAX_BODY_BYTES / 1024} KB.`,
  problems: [],
  notFound: () => new ProblemError('unknown_address'),
});

const post = route(endpoints.signIn, {
  summary: 'Connect a person by Google’s confirmation of the account',
  description:
    'The domain of the account must be assigned to a team, for the release of the add-on that got the identity token.',
  returns: 'The person’s token',
  handle: async ({ body: { identity_token: token } }, { env, now, verify }) =>
    signIn(
      {
        env,
        now,
        randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
        onRevoked: async (id) => void (await deleteTokenSearches(drizzle(env.DB), id)),
      },
      await verify(token),
    ),
});

/** The routes that need no token. The API reference is generated from them too. */
export const signInRouteTable: readonly AnyRoute<SignInRouteContext>[] = [post];

/** Only development may replace Google. */
function getKeysUrl(env: Env & Partial<Pick<DevelopmentEnv, 'GOOGLE_KEYS_URL'>>): string {
  return (env.ENVIRONMENT === 'development' && env.GOOGLE_KEYS_URL) || KEYS_URL;
}

/** Creates the function that creates the context of a sign-in. The isolate caches Google's keys. */
export function createSignInContext<E extends Env>({ now, sleep }: Pick<Platform<E>, 'now' | 'sleep'>) {
  const throttle = new AuthThrottle('identity', now);
  const caches = new Map<string, PublicKeys>();
  const getKeys = (url: string): PublicKeys => {
    const keys =
      caches.get(url) ??
      new PublicKeys(url, {
        now,
        sleep,
        fetch: (address, init) => fetch(address, init),
        timeout: (ms) => AbortSignal.timeout(ms),
        failureCode: 'google_call_failed',
        createUnavailable: () =>
          new ProblemError(
            'google_unavailable',
            'Google’s keys, which confirm who you are, can’t be fetched.',
            'Try again in a minute.',
          ),
      });
    caches.set(url, keys);
    return keys;
  };
  return ({ env, req }: Context<GatewayEnv<E>>): SignInRouteContext => ({
    env,
    request: req.raw,
    now: now(),
    verify: async (identityToken) => {
      try {
        return await verifyIdentity(identityToken, getKeys(getKeysUrl(env)));
      } catch (error) {
        // All scripts of Google share addresses, so an address with many failures must not stop a valid token.
        if (error instanceof ProblemError && error.problem.code === 'sign_in_refused') {
          const address = getClientAddress(req.raw.headers);
          throttle.check(address);
          await throttle.recordFailure(env, address);
        }
        throw error;
      }
    },
  });
}
