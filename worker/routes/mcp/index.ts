// /mcp: the Model Context Protocol for assistants, over Streamable HTTP and without sessions, and its OAuth. The libraries take
// longer to load than other requests to answer, so each is loaded with the first request that needs it.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { type AuthenticatedEnv, readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { isLoopback } from '../../gateway/upstream/configured-upstream.ts';
import { methodNotAllowed, ProblemError } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { createRouteContext } from '../sheets/index.ts';

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/**
 * Refuses requests under a foreign host name (DNS rebinding), and those of pages of other sites. Clients that are no browsers
 * send no `Origin`.
 */
const refuseForeignOrigins: MiddlewareHandler<{ Bindings: Env }> = async ({ env, req, json }, next) => {
  const { raw } = req;
  const isLocal = env.ENVIRONMENT === 'development' && env.PUBLIC_URL === undefined;
  const own = isLocal ? undefined : new URL(getPublicOrigin(env, raw)).hostname;
  const isOwn = (address: string): boolean => {
    const hostname = URL.parse(address)?.hostname ?? '';
    return own === undefined ? isLoopback(hostname) : hostname === own;
  };
  const [host, origin] = [req.header('host') ?? new URL(raw.url).host, req.header('origin')];
  if (isOwn(`http://${host}`) && (origin === undefined || isOwn(origin))) return next();
  const message = 'The Host or Origin of the request is not that of the gateway.';
  return json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, 403);
};

/** Creates the routes of /mcp, with those of OAuth. */
export function createMcpRoutes<E extends Env>(services: Services<E>): Hono<GatewayEnv<E>> {
  const routes = new Hono<GatewayEnv<E>>();
  const throttle = new AuthThrottle('oauth', services.now);
  const openOAuth = async () => {
    const { OAuth } = await import('./oauth.ts');
    return new OAuth(services, throttle);
  };
  const findCaller = async ({
    env,
    req: { raw },
  }: Context<GatewayEnv<E>>): Promise<AuthenticatedEnv['Variables']> => {
    try {
      const token = readBearerToken(raw.headers);
      // The form of the library's tokens. Each request leases one call, as if another was fetching a lease for it.
      if (token?.includes(':'))
        return {
          caller: await (await openOAuth()).findCaller(env, raw, token),
          lease: { allowance: undefined, fetchingSince: services.now() },
        };
      const address = getClientAddress(raw.headers);
      return await services.tokenCache.verify(env, token, address, { mustVerify: true });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.code !== 'unauthorised') throw error;
      // Tells clients where they get a token (RFC 9728, 5.1).
      throw new ProblemError('unauthorised', undefined, undefined, {
        'www-authenticate': `Bearer resource_metadata="${getPublicOrigin(env, raw)}${METADATA_PATH}"`,
      });
    }
  };
  routes.use('/mcp/*', refuseForeignOrigins);
  routes.use('/.well-known/*', refuseForeignOrigins);
  routes.get(METADATA_PATH, ({ env, req, json }) => {
    const origin = getPublicOrigin(env, req.raw);
    return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
  });
  routes.on(['GET', 'POST'], '/mcp/authorize', async ({ env, req }) =>
    (await openOAuth()).authorize(env, req.raw),
  );
  const serve = async (request: Request, env: E, context: ExecutionContext): Promise<Response> =>
    (await openOAuth()).serve(env, request, context);
  for (const path of ['/.well-known/oauth-authorization-server', '/mcp/token', '/mcp/register'])
    routes.mount(path, serve, { replaceRequest: false });
  routes.use('/mcp', services.admitCaller(findCaller));
  routes.post('/mcp', async (c) => {
    const { serveMcp } = await import('./server.ts');
    return serveMcp(createRouteContext(services, c, 'assistant'));
  });
  routes.all('/mcp', methodNotAllowed('POST'));
  return routes;
}
