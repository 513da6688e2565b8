// Entry point in development: the deployed app plus the sandbox and the playground.
import type { Context, Next } from 'hono';
import { playgroundNonceHeader } from '../shared/playground.ts';
import { createApp } from './app.ts';
import {
  ACCESS_PATH,
  ALERTS_PATH,
  assertIdentity,
  createAccessIssuer,
  createAlertReceiver,
} from './development/index.ts';
import type { DevelopmentEnv } from './env.ts';
import { ensureTeam, isSameHash } from './gateway/auth/tokens.ts';
import type { Platform } from './gateway/platform.ts';
import { SingleFlightObject as BaseSingleFlightObject } from './gateway/single-flight/single-flight-object.ts';
import { isLoopback, readConfiguredUpstream } from './gateway/upstream/configured-upstream.ts';
import type { Upstream } from './gateway/upstream/upstream.ts';
import { ProblemError } from './http/problem-error.ts';
import { createWorker } from './jobs/run-jobs.ts';
import { systemClock } from './lib/clock.ts';
import { sha256Hex } from './lib/hash.ts';
import { withAbort } from './lib/with-abort.ts';
import { createSandbox, type SandboxApp } from './sandbox/app.ts';
import { getRecordRepository } from './sandbox/record-repository.ts';
import type { SandboxStatus } from './sandbox/record-routes.ts';

type Development = { Bindings: DevelopmentEnv };

const TEAM = { id: 'development', name: 'Development' };
/** Generous, because the sandbox's records are fictional. */
const LIMITS = { caps: { day: 1_000_000, month: null }, ratePerMinute: 600_000 };

/** How long the version of the sandbox's records is cached, unless this isolate changes them. */
const VERSION_CACHE_MS = 1000;

/** How long a response waits for the rest of its request, and how much of it is read. More closes the connection. */
const MAX_UPLOAD_WAIT_MS = 5000;
const MAX_DRAINED_BYTES = 4_000_000;

/**
 * Drains the request before each response of a handler. The local platform closes the connection of a request that was not
 * read to the end, and doesn't announce it: the client's next request is reset.
 * @param handle - may leave the body unread, or cancel it
 */
function drainRequests<E>(
  handle: (request: Request, env: E, ctx: ExecutionContext) => Response | Promise<Response>,
) {
  return async (request: Request, env: E, ctx: ExecutionContext): Promise<Response> => {
    if (request.body === null) return handle(request, env, ctx);
    const copy = request.clone();
    const response = await handle(copy, env, ctx);
    // An unread copy would be kept in memory.
    if (!copy.bodyUsed) await copy.body?.cancel();
    let left = MAX_DRAINED_BYTES;
    const rest = request.body.pipeTo(
      new WritableStream<Uint8Array>({
        write: ({ byteLength }) => {
          left -= byteLength;
          if (left < 0) throw new Error('The rest of the request is too long.');
        },
      }),
    );
    // The client may be slow or gone.
    await withAbort(AbortSignal.timeout(MAX_UPLOAD_WAIT_MS), rest).catch(() => {});
    return response;
  };
}

/** Checks in constant time whether the page was opened from the address that this start printed. */
async function hasPlaygroundNonce({ env, req }: Context<Development>): Promise<boolean> {
  const [expected, sent] = [env.PLAYGROUND_NONCE, req.header(playgroundNonceHeader)];
  if (!expected || sent === undefined) return false;
  return isSameHash(await sha256Hex(sent), await sha256Hex(expected));
}

/**
 * Lets only the playground's page pass. A page of another site can reach this address under its own host name (DNS rebinding)
 * and forge the URL by a header of the local platform, but lacks the nonce.
 * @throws ProblemError `unauthorised`
 */
async function requirePlayground(c: Context<Development>, next: Next): Promise<Response | undefined> {
  if (!isLoopback(new URL(c.req.url).hostname)) return c.notFound();
  if (!(await hasPlaygroundNonce(c))) {
    throw new ProblemError(
      'unauthorised',
      'This page was not opened from the address that npm start printed.',
      'Open the address that npm start printed.',
    );
  }
  await next();
}

/** Returns the session of the playground's page, which contains the team token. */
async function createPlaygroundSession(c: Context<Development>, provider: SandboxApp): Promise<Response> {
  const url = new URL(c.req.url);
  const status = await provider.request('/status', { headers: { apikey: c.env.SANDBOX_KEY } }, c.env);
  const { records, websites, posts } = await status.json<SandboxStatus>();
  const remote = await readConfiguredUpstream(c.env);
  return c.json(
    {
      url: url.origin,
      team_token: c.env.TEAM_TOKEN,
      sandbox: remote === undefined,
      records: records.company_clean ?? 0,
      examples: websites,
      posts,
    },
    200,
    { 'cache-control': 'no-store' },
  );
}

/** Creates the Worker of an isolate, with its caches. */
export function createDevelopment() {
  const sandbox = createSandbox();
  let cachedVersion: { version: string; at: number } | undefined;
  let isSeeded = false;

  async function readSandboxVersion(env: DevelopmentEnv): Promise<string> {
    const now = Date.now();
    if (cachedVersion !== undefined && now < cachedVersion.at + VERSION_CACHE_MS)
      return cachedVersion.version;
    const version = String(await getRecordRepository(env.SANDBOX_DB).store.readVersion());
    cachedVersion = { version, at: now };
    return version;
  }

  /** Returns the sandbox as provider. Its identity changes with its records, so the cache never has replaced records. */
  async function getSandboxUpstream(env: DevelopmentEnv): Promise<Upstream> {
    const version = await readSandboxVersion(env);
    return {
      identity: `sandbox-${version}`,
      baseUrl: 'http://sandbox/cdapi',
      apiKey: env.SANDBOX_KEY,
      isSandbox: true,
      fetch: (request) => withAbort(request.signal, sandbox.fetch(request, env)),
    };
  }

  /** Adds the development team, once per isolate. */
  let teamAdded: Promise<void> | undefined;
  function ensureDevelopmentTeam(env: DevelopmentEnv): Promise<void> {
    teamAdded ??= ensureTeam(env, TEAM, env.TEAM_TOKEN, LIMITS, Date.now()).catch((error: unknown) => {
      teamAdded = undefined;
      throw error;
    });
    return teamAdded;
  }

  const platform: Platform<DevelopmentEnv> = { ...systemClock, sandbox: getSandboxUpstream };

  const app = createApp<DevelopmentEnv>(platform, (extended) => {
    // /health reports ready only after the sample records are imported.
    extended.get('/health', async (c, next) => {
      if (c.env.AWAIT_SEED !== 'true' || isSeeded) return next();
      return c.json({ status: 'seeding' }, 503, { 'cache-control': 'no-store', 'retry-after': '1' });
    });
    extended.put('/provider/seeded', async (c) => {
      if (c.req.header('apikey') !== c.env.SANDBOX_KEY) return c.json({ message: 'Unauthorized' }, 401);
      isSeeded = true;
      return c.body(null, 204);
    });
    extended.get('/playground/session', requirePlayground, (c) => createPlaygroundSession(c, sandbox));
    // Signs the browser of the playground in to the console. The page never has the admin token.
    extended.post('/playground/console', requirePlayground, async (c) => {
      const body = new URLSearchParams({ token: c.env.ADMIN_TOKEN ?? '' });
      const response = await app.request('/console/sign-in', { method: 'POST', body }, c.env);
      const cookies = response.headers.getSetCookie();
      if (response.status !== 303 || cookies.length === 0) return response;
      return new Response(null, { status: 204, headers: cookies.map((cookie) => ['set-cookie', cookie]) });
    });
    extended.route(ALERTS_PATH, createAlertReceiver(platform.now));
    extended.route(ACCESS_PATH, createAccessIssuer(requirePlayground));
    extended.use('/console/*', assertIdentity);
    extended.mount('/provider', async (request, env: DevelopmentEnv) => {
      const response = await sandbox.fetch(request, env);
      if (request.method !== 'GET') cachedVersion = undefined;
      return response;
    });
  });
  const worker = createWorker(app, platform);
  return {
    sandboxUpstream: getSandboxUpstream,
    platform,
    worker: {
      ...worker,
      fetch: drainRequests(async (request, env: DevelopmentEnv, ctx) => {
        // The health check responds before the database is ready.
        if (new URL(request.url).pathname !== '/health') await ensureDevelopmentTeam(env);
        return worker.fetch(request, env, ctx);
      }),
      // The local platform consumes one message after the other; a deployment consumes them concurrently.
      queue: async (batch: MessageBatch, env: DevelopmentEnv, ctx: ExecutionContext) =>
        ctx.waitUntil(worker.queue(batch, env, ctx)),
    },
  };
}

const { platform, worker } = createDevelopment();

/** Single flight with the sandbox as provider. */
export class SingleFlightObject extends BaseSingleFlightObject<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, platform);
  }
}

export { LedgerObject } from './gateway/ledger/ledger-object.ts';
export { ProviderThrottleObject } from './gateway/provider-throttle/provider-throttle-object.ts';
export { SandboxAccount } from './sandbox/account/account.ts';
export { SandboxRequests } from './sandbox/requests/requests-object.ts';

export default worker satisfies ExportedHandler<DevelopmentEnv>;
