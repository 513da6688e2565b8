// What pushes of a deployment are made with, from its settings.
import type { DevelopmentEnv, Env } from '../../env.ts';
import type { Edges } from '../../gateway/platform.ts';
import { AccountTokens, type KeptToken, readServiceAccount, type ServiceAccount } from './access-tokens.ts';
import type { GoogleEdges } from './google-http.ts';
import { Pace } from './rate-limiter.ts';
import { SheetsClient } from './sheets-client.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SHEETS_URL = 'https://sheets.googleapis.com/v4/spreadsheets';

/** What pushes need of the settings. */
export type PushEnv = Pick<Env, 'ENVIRONMENT' | 'GOOGLE_SERVICE_ACCOUNT'> &
  Partial<Pick<DevelopmentEnv, 'GOOGLE_TOKEN_URL' | 'GOOGLE_SHEETS_URL'>>;

/** What pushes share as long as the isolate lives, by the account's address. */
export interface PushMemory {
  tokens: Map<string, KeptToken>;
  paces: Map<string, { read: Pace; write: Pace }>;
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
export function newPushMemory(): PushMemory {
  return { tokens: new Map(), paces: new Map() };
}

const isolate = newPushMemory();

/** The edges of the real platform. */
export function googlePlatform({
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

function pacesOf({ paces }: PushMemory, account: string): { read: Pace; write: Pace } {
  const own = paces.get(account) ?? { read: new Pace(), write: new Pace() };
  paces.set(account, own);
  return own;
}

/**
 * The service account of a deployment.
 * @returns undefined where none is set
 * @throws ProblemError `push_not_configured` where what is set is no key file
 */
export function serviceAccountOf({ GOOGLE_SERVICE_ACCOUNT }: PushEnv): ServiceAccount | undefined {
  return GOOGLE_SERVICE_ACCOUNT ? readServiceAccount(GOOGLE_SERVICE_ACCOUNT) : undefined;
}

/**
 * The address that spreadsheets are shared with.
 * @returns null where no service account is set, or what is set is no key file
 */
export function pushAccountOf(env: PushEnv): string | null {
  try {
    return serviceAccountOf(env)?.email ?? null;
  } catch {
    return null;
  }
}

/**
 * The pusher of a deployment.
 * @param platform - of the platform, by {@link googlePlatform}
 * @param memory - the isolate's own where none is given
 * @returns undefined where no service account is set
 * @throws ProblemError `push_not_configured` where GOOGLE_SERVICE_ACCOUNT is no key file
 */
export function pusherOf(
  env: PushEnv,
  platform: GooglePlatform,
  memory: PushMemory = isolate,
): Pusher | undefined {
  const account = serviceAccountOf(env);
  if (account === undefined) return undefined;
  const development = env.ENVIRONMENT === 'development';
  // Elsewhere nobody but Google is asked, whatever is set.
  const tokenUrl = (development && env.GOOGLE_TOKEN_URL) || TOKEN_URL;
  const sheetsUrl = (development && env.GOOGLE_SHEETS_URL) || SHEETS_URL;
  const tokens = new AccountTokens(account, tokenUrl, platform, memory.tokens);
  const paces = pacesOf(memory, account.email);
  return {
    account: account.email,
    client: new SheetsClient({ tokens, platform, paces, url: sheetsUrl }),
    now: platform.now,
  };
}
