// Creates the Sheets client of a deployment from its settings.
import type { DevelopmentEnv, Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { AccessTokens, type CachedToken, readServiceAccount, type ServiceAccount } from './access-tokens.ts';
import { type GooglePlatform, RateLimiter } from './google-http.ts';
import { SheetsClient } from './sheets-client.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SHEETS_URL = 'https://sheets.googleapis.com/v4/spreadsheets';

export type PushEnv = Pick<Env, 'ENVIRONMENT' | 'GOOGLE_SERVICE_ACCOUNT'> &
  Partial<Pick<DevelopmentEnv, 'GOOGLE_TOKEN_URL' | 'GOOGLE_SHEETS_URL'>>;

/** How a deployment reaches Google; tests replace it. */
export interface GoogleAccess {
  settings: PushEnv;
  google: GooglePlatform;
  cache: PushCache;
}

/** Access to the spreadsheets of one service account. */
export interface Pusher {
  /** Address that spreadsheets are shared with. */
  account: string;
  client: SheetsClient;
  now: () => number;
}

/** Creates a cache of tokens and rate limits by account address, which an isolate shares. */
export const createPushCache = () => ({
  tokens: new Map<string, CachedToken>(),
  limiters: new Map<string, { read: RateLimiter; write: RateLimiter }>(),
});
export type PushCache = ReturnType<typeof createPushCache>;

const isolateCache = createPushCache();

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

/** @throws ProblemError `push_not_configured` when there is no service account, or the setting is not a key file */
export function requireServiceAccount(settings: PushEnv): ServiceAccount {
  const account = getServiceAccount(settings);
  if (account === undefined) throw new ProblemError('push_not_configured');
  return account;
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
 * @throws ProblemError `push_not_configured` when GOOGLE_SERVICE_ACCOUNT is missing or not a key file
 */
export function createPusher({ settings, google, cache }: GoogleAccess): Pusher {
  const account = requireServiceAccount(settings);
  // Deployments ignore configured URLs: the key goes to Google only.
  const isDevelopment = settings.ENVIRONMENT === 'development';
  const tokenUrl = (isDevelopment && settings.GOOGLE_TOKEN_URL) || TOKEN_URL;
  const sheetsUrl = (isDevelopment && settings.GOOGLE_SHEETS_URL) || SHEETS_URL;
  const tokens = new AccessTokens(account, tokenUrl, google, cache.tokens);
  const limiters = getRateLimiters(cache, account.email);
  return {
    account: account.email,
    client: new SheetsClient({ tokens, platform: google, limiters, url: sheetsUrl }),
    now: google.now,
  };
}

export function createGoogleAccess<E extends Env>({ env, platform }: JobContext<E>): GoogleAccess {
  const { now, sleep, random } = platform;
  const google: GooglePlatform = {
    now,
    sleep,
    random,
    fetch: (url, init) => fetch(url, init),
    timeout: (ms) => AbortSignal.timeout(ms),
  };
  return { settings: env, google, cache: isolateCache };
}
