// The Worker's entry in development: the same app, with the embedded provider and the playground added.
import type { Context } from 'hono';
import { createApp } from './app.ts';
import type { DevelopmentEnv } from './env.ts';
import { configuredUpstream, isLoopback } from './gateway/configure.ts';
import { platformEdges } from './gateway/edges.ts';
import { addTeamWithToken } from './gateway/tokens.ts';
import type { Upstream } from './gateway/upstream.ts';
import { createProvider } from './provider/app.ts';
import { libraryOf } from './provider/library.ts';
import type { ProviderStatus } from './provider/manage.ts';

import { untilAborted } from './until-aborted.ts';

type Development = { Bindings: DevelopmentEnv };

const TEAM = { id: 'development', name: 'Development' };

const provider = createProvider();

/** Its identity changes with its records, so that nothing is remembered of records that were replaced. */
async function embedded(env: DevelopmentEnv): Promise<Upstream> {
  const version = await libraryOf(env.PROVIDER_DB).store.version();
  return {
    identity: `embedded-${version}`,
    baseUrl: 'http://embedded/cdapi',
    apiKey: env.PROVIDER_KEY,
    fetch: (request) => untilAborted(request.signal, provider.fetch(request, env)),
  };
}

/** Adds the development team; the work is done once for an isolate. */
let teamAdded: Promise<void> | undefined;
function ensureTeam(env: DevelopmentEnv): Promise<void> {
  teamAdded ??= addTeamWithToken(env.DB, TEAM, env.TEAM_TOKEN, Date.now()).catch((error: unknown) => {
    teamAdded = undefined;
    throw error;
  });
  return teamAdded;
}

/** What the playground's page needs to start: it is the page of whoever started the Worker. */
async function playgroundSession(c: Context<Development>): Promise<Response> {
  const url = new URL(c.req.url);
  // A name that points at this machine from elsewhere must not get at the token (DNS rebinding).
  if (!isLoopback(url.hostname)) return c.notFound();
  const status = await provider.request('/status', { headers: { apikey: c.env.PROVIDER_KEY } }, c.env);
  const { records, websites } = await status.json<ProviderStatus>();
  const remote = await configuredUpstream(c.env);
  return c.json(
    {
      url: url.origin,
      team_token: c.env.TEAM_TOKEN,
      embedded: remote === undefined,
      records: records.company_clean ?? 0,
      examples: websites,
    },
    200,
    { 'cache-control': 'no-store' },
  );
}

const app = createApp<DevelopmentEnv>({ ...platformEdges, embedded }, (extended) => {
  extended.use(async (c, next) => {
    await ensureTeam(c.env);
    await next();
  });
  extended.get('/playground/session', playgroundSession);
  extended.mount('/provider', (request, env: DevelopmentEnv) => provider.fetch(request, env));
});

export { Flight } from './gateway/flight/object.ts';
export { Gate } from './gateway/gate/object.ts';
export { Ledger } from './gateway/ledger/object.ts';
export { ProviderAccount } from './provider/account/object.ts';
export { ProviderRequests } from './provider/requests/object.ts';

export default app satisfies ExportedHandler<DevelopmentEnv>;
