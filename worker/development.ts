// The Worker's entry in development: the same app, with the embedded provider and the playground added.
import { type Context, Hono } from 'hono';
import { createApp } from './app.ts';
import type { DevelopmentEnv } from './env.ts';
import { configuredUpstream } from './gateway/configure.ts';
import { addTeamWithToken } from './gateway/tokens.ts';
import type { Upstream } from './gateway/upstream.ts';
import { createProvider } from './provider/app.ts';
import type { ProviderStatus } from './provider/manage.ts';
import { platformEdges } from './services.ts';

type Development = { Bindings: DevelopmentEnv };

const TEAM = { id: 'development', name: 'Development' };
const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

const provider = createProvider();

function embedded(env: DevelopmentEnv): Upstream {
  return {
    identity: 'embedded',
    baseUrl: 'http://embedded/cdapi',
    apiKey: env.PROVIDER_KEY,
    fetch: async (request) => provider.fetch(request, env),
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
  if (!LOOPBACK_HOSTS.has(url.hostname)) return c.notFound();
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

const app = new Hono<Development>();
app.use(async (c, next) => {
  await ensureTeam(c.env);
  await next();
});
app.get('/playground/session', playgroundSession);
app.mount('/provider', (request, env: DevelopmentEnv) => provider.fetch(request, env));
app.route('/', createApp<DevelopmentEnv>({ ...platformEdges, embedded }));

export default app satisfies ExportedHandler<DevelopmentEnv>;
