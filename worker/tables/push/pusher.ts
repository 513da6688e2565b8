// Creates the Sheets client of a deployment from its settings.
import type { DevelopmentEnv, Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import type { Platform } from '../../gateway/platform.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { AccessTokens, type CachedToken, readServiceAccount, type ServiceAccount } from './access-tokens.ts';
import { type GooglePlatform, RateLimiter } from './google-http.ts';
import { SheetsClient } from './sheets-client.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SHEETS_URL = 'https://sheets.googleapis.com/v4/spreadsheets';

export type PushEnv = Pick<Env, 'ENVIRONMENT' | 'GOOGLE_SERVICE_ACCOUNT'> &
  Partial<Pick<DevelopmentEnv, 'GOOGLE_TOKEN_URL' | 'GOOGLE_SHEETS_URL'>>;

/** Tokens and rate limits by account address; shared by the isolate. */
export interface PushCache {
  tokens: Map<string, CachedToken>;
  limiters: Map<string, { read: RateLimiter; write: RateLimiter }>;
}

/** Access to the spreadsheets of one service account. */
export interface Pusher {
  /** Address that spreadsheets are shared with. */
  account: string;
  client: SheetsClient;
  now: () => number;
}

export function createPushCache(): PushCache {
  return { tokens: new Map(), limiters: new Map() };
}

const isolateCache = createPushCache();

/** Adds the network to a platform. */
function createGooglePlatform({
  now,
  sleep,
  random,
}: Pick<Platform, 'now' | 'sleep' | 'random'>): GooglePlatform {
  return {
    now,
    sleep,
    random,
    fetch: (url, init) => fetch(url, init),
    timeout: (ms) => AbortSignal.timeout(ms),
  };
}

function getRateLimiters(
  { limiters }: PushCache,
  account: string,
): { read: RateLimiter; write: RateLimiter } {
  const accountLimiters = limiters.get(account) ?? { read: new RateLimiter(), write: new RateLimiter() };
  limiters.set(account, accountLimiters);
  return accountLimiters;
}

/**
 * Returns the service account of a deployment; undefined when none is configured.
 * @throws ProblemError `push_not_configured` when the setting is not a key file
 */
export function getServiceAccount({ GOOGLE_SERVICE_ACCOUNT }: PushEnv): ServiceAccount | undefined {
  return GOOGLE_SERVICE_ACCOUNT ? readServiceAccount(GOOGLE_SERVICE_ACCOUNT) : undefined;
}

/** Returns the address that spreadsheets are shared with; null when no valid service account is configured. */
export function getPushAccount(env: PushEnv): string | null {
  try {
    return getServiceAccount(env)?.email ?? null;
  } catch {
    return null;
  }
}

/**
 * Creates the pusher of a deployment.
 * @param platform - from {@link createGooglePlatform}
 * @param cache - default: the cache of the isolate
 * @returns undefined when no service account is configured
 * @throws ProblemError `push_not_configured` when GOOGLE_SERVICE_ACCOUNT is not a key file
 */
export function createPusher(
  env: PushEnv,
  platform: GooglePlatform,
  cache: PushCache = isolateCache,
): Pusher | undefined {
  const account = getServiceAccount(env);
  if (account === undefined) return undefined;
  // Deployments ignore configured URLs: the key goes to Google only.
  const isDevelopment = env.ENVIRONMENT === 'development';
  const tokenUrl = (isDevelopment && env.GOOGLE_TOKEN_URL) || TOKEN_URL;
  const sheetsUrl = (isDevelopment && env.GOOGLE_SHEETS_URL) || SHEETS_URL;
  const tokens = new AccessTokens(account, tokenUrl, platform, cache.tokens);
  const limiters = getRateLimiters(cache, account.email);
  return {
    account: account.email,
    client: new SheetsClient({ tokens, platform, limiters, url: sheetsUrl }),
    now: platform.now,
  };
}

/** Access to Google of a job; tests replace it. */
export interface PushDependencies {
  google: GooglePlatform;
  /** @throws ProblemError `push_not_configured` */
  createPusher: (google: GooglePlatform) => Pusher;
}

export function createPushDependencies<E extends Env>({ env, platform }: JobContext<E>): PushDependencies {
  return {
    google: createGooglePlatform(platform),
    createPusher: (google) => {
      const pusher = createPusher(env, google);
      if (pusher === undefined) throw new ProblemError('push_not_configured');
      return pusher;
    },
  };
}
