// What pushes of a deployment are made with, from its settings.
import type { DevelopmentEnv, Env } from '../../env.ts';
import type { Platform } from '../../gateway/platform.ts';
import { AccessTokens, type CachedToken, readServiceAccount, type ServiceAccount } from './access-tokens.ts';
import type { GooglePlatform } from './google-http.ts';
import { RateLimiter } from './rate-limiter.ts';
import { SheetsClient } from './sheets-client.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SHEETS_URL = 'https://sheets.googleapis.com/v4/spreadsheets';

/** What pushes need of the settings. */
export type PushEnv = Pick<Env, 'ENVIRONMENT' | 'GOOGLE_SERVICE_ACCOUNT'> &
  Partial<Pick<DevelopmentEnv, 'GOOGLE_TOKEN_URL' | 'GOOGLE_SHEETS_URL'>>;

/** What pushes share as long as the isolate lives, by the account's address. */
export interface PushCache {
  tokens: Map<string, CachedToken>;
  limiters: Map<string, { read: RateLimiter; write: RateLimiter }>;
}

/** Pushes into the spreadsheets of one service account. */
export interface Pusher {
  /** The address that spreadsheets are shared with. */
  account: string;
  client: SheetsClient;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A memory that holds nothing yet. */
export function createPushCache(): PushCache {
  return { tokens: new Map(), limiters: new Map() };
}

const isolateCache = createPushCache();

/** The platform of the real platform. */
export function createGooglePlatform({
  now,
  after,
  random,
}: Pick<Platform, 'now' | 'after' | 'random'>): GooglePlatform {
  return {
    now,
    after,
    random,
    fetch: (url, init) => fetch(url, init),
    timeout: (ms) => AbortSignal.timeout(ms),
  };
}

function getRateLimiters(
  { limiters }: PushCache,
  account: string,
): { read: RateLimiter; write: RateLimiter } {
  const own = limiters.get(account) ?? { read: new RateLimiter(), write: new RateLimiter() };
  limiters.set(account, own);
  return own;
}

/**
 * The service account of a deployment.
 * @returns undefined where none is set
 * @throws ProblemError `push_not_configured` where what is set is no key file
 */
export function getServiceAccount({ GOOGLE_SERVICE_ACCOUNT }: PushEnv): ServiceAccount | undefined {
  return GOOGLE_SERVICE_ACCOUNT ? readServiceAccount(GOOGLE_SERVICE_ACCOUNT) : undefined;
}

/**
 * The address that spreadsheets are shared with.
 * @returns null where no service account is set, or what is set is no key file
 */
export function getPushAccount(env: PushEnv): string | null {
  try {
    return getServiceAccount(env)?.email ?? null;
  } catch {
    return null;
  }
}

/**
 * The pusher of a deployment.
 * @param platform - of the platform, by {@link createGooglePlatform}
 * @param memory - the isolate's own where none is given
 * @returns undefined where no service account is set
 * @throws ProblemError `push_not_configured` where GOOGLE_SERVICE_ACCOUNT is no key file
 */
export function createPusher(
  env: PushEnv,
  platform: GooglePlatform,
  memory: PushCache = isolateCache,
): Pusher | undefined {
  const account = getServiceAccount(env);
  if (account === undefined) return undefined;
  const development = env.ENVIRONMENT === 'development';
  // Elsewhere nobody but Google is asked, whatever is set.
  const tokenUrl = (development && env.GOOGLE_TOKEN_URL) || TOKEN_URL;
  const sheetsUrl = (development && env.GOOGLE_SHEETS_URL) || SHEETS_URL;
  const tokens = new AccessTokens(account, tokenUrl, platform, memory.tokens);
  const paces = getRateLimiters(memory, account.email);
  return {
    account: account.email,
    client: new SheetsClient({ tokens, platform: platform, limiters: paces, url: sheetsUrl }),
    now: platform.now,
  };
}
