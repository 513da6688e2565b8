// The Worker's entry in development: the same app, with the embedded provider and the playground added.
import type { Context } from 'hono';
import { createApp } from './app.ts';
import { RequestWorkflow as BaseRequestWorkflow } from './data-requests/workflow.ts';
import type { DevelopmentEnv } from './env.ts';
import { ensureTeam } from './gateway/auth/tokens.ts';
import { type Platform, systemPlatform } from './gateway/platform.ts';
import { SingleFlightObject as BaseSingleFlightObject } from './gateway/single-flight/single-flight-object.ts';
import { configuredUpstream, isLoopback } from './gateway/upstream/configured-upstream.ts';
import type { Upstream } from './gateway/upstream/upstream.ts';
import { workerOf } from './jobs/create-worker.ts';
import { untilAborted } from './lib/with-abort.ts';
import { createProvider, type ProviderApp } from './sandbox/app.ts';
import { libraryOf } from './sandbox/library.ts';
import type { ProviderStatus } from './sandbox/manage.ts';

type Development = { Bindings: DevelopmentEnv };

const TEAM = { id: 'development', name: 'Development' };
/** Room for every trial; the records are fictional. */
const LIMITS = { caps: { day: 1_000_000, month: null }, ratePerMinute: 600_000 };

/** How long the version of the embedded records is taken to be the same, unless this isolate changes them. */
const VERSION_MS = 1000;

/** What the playground's page needs to start: it is the page of whoever started the Worker. */
async function playgroundSession(c: Context<Development>, provider: ProviderApp): Promise<Response> {
  const url = new URL(c.req.url);
  // A name that points at this machine from elsewhere must not get at the token (DNS rebinding).
  if (!isLoopback(url.hostname)) return c.notFound();
  const status = await provider.request('/status', { headers: { apikey: c.env.PROVIDER_KEY } }, c.env);
  const { records, websites, posts } = await status.json<ProviderStatus>();
  const remote = await configuredUpstream(c.env);
  return c.json(
    {
      url: url.origin,
      team_token: c.env.TEAM_TOKEN,
      embedded: remote === undefined,
      records: records.company_clean ?? 0,
      examples: websites,
      posts,
    },
    200,
    { 'cache-control': 'no-store' },
  );
}

/** Makes the Worker of an isolate, with all that it remembers of its databases. */
export function createDevelopment() {
  const provider = createProvider();
  let known: { version: string; at: number } | undefined;
  let isSeeded = false;

  async function embeddedVersion(env: DevelopmentEnv): Promise<string> {
    const now = Date.now();
    if (known !== undefined && now < known.at + VERSION_MS) return known.version;
    const version = String(await libraryOf(env.PROVIDER_DB).store.version());
    known = { version, at: now };
    return version;
  }

  /** Its identity changes with its records, so that nothing is remembered of records that were replaced. */
  async function embedded(env: DevelopmentEnv): Promise<Upstream> {
    const version = await embeddedVersion(env);
    return {
      identity: `embedded-${version}`,
      baseUrl: 'http://embedded/cdapi',
      apiKey: env.PROVIDER_KEY,
      embedded: true,
      fetch: (request) => untilAborted(request.signal, provider.fetch(request, env)),
    };
  }

  /** Adds the development team; the work is done once for an isolate. */
  let teamAdded: Promise<void> | undefined;
  function ensureDevelopmentTeam(env: DevelopmentEnv): Promise<void> {
    teamAdded ??= ensureTeam(env, TEAM, env.TEAM_TOKEN, LIMITS, Date.now()).catch((error: unknown) => {
      teamAdded = undefined;
      throw error;
    });
    return teamAdded;
  }

  const platform: Platform<DevelopmentEnv> = { ...systemPlatform, embedded };

  const app = createApp<DevelopmentEnv>(platform, (extended) => {
    // Whoever waits for /health finds the sample records in.
    extended.get('/health', async (c, next) => {
      if (c.env.AWAIT_SEED !== 'true' || isSeeded) return next();
      return c.json({ status: 'seeding' }, 503, { 'cache-control': 'no-store', 'retry-after': '1' });
    });
    extended.use(async (c, next) => {
      await ensureDevelopmentTeam(c.env);
      await next();
    });
    extended.put('/provider/seeded', async (c) => {
      if (c.req.header('apikey') !== c.env.PROVIDER_KEY) return c.json({ message: 'Unauthorized' }, 401);
      isSeeded = true;
      return c.body(null, 204);
    });
    extended.get('/playground/session', (c) => playgroundSession(c, provider));
    extended.mount('/provider', async (request, env: DevelopmentEnv) => {
      const response = await provider.fetch(request, env);
      if (request.method !== 'GET') known = undefined;
      return response;
    });
  });
  return { embedded, platform, worker: workerOf(app, platform) };
}

const { platform, worker } = createDevelopment();

/** Flights that know the embedded provider. */
export class SingleFlightObject extends BaseSingleFlightObject<DevelopmentEnv> {
  constructor(ctx: DurableObjectState, env: DevelopmentEnv) {
    super(ctx, env, platform);
  }
}

/** Data requests that know the embedded provider. */
export class RequestWorkflow extends BaseRequestWorkflow<DevelopmentEnv> {
  constructor(ctx: ExecutionContext, env: DevelopmentEnv) {
    super(ctx, env, platform);
  }
}

export { Ledger } from './gateway/ledger/ledger-object.ts';
export { Gate } from './gateway/provider-throttle/provider-throttle-object.ts';
export { ProviderAccount } from './sandbox/account/object.ts';
export { ProviderRequests } from './sandbox/requests/object.ts';

export default worker satisfies ExportedHandler<DevelopmentEnv>;
