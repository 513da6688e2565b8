// OAuth for assistants that can't send a header: metadata, the consent page, and the library's authorization server. A grant
// stands for the token of a team, with its scopes, budget and rate limit, and ends with it.
import {
  AuthorizationError,
  authorizationErrorRedirect,
  type ConsentDescription,
  OAuthAuthorizationServer,
  OAuthError,
} from '@cloudflare/workers-oauth-provider';
import { html } from 'hono/html';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import { type AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { OAuthStore } from '../../gateway/auth/oauth-store.ts';
import { type Caller, findCallerByTokenId } from '../../gateway/auth/tokens.ts';
import type { Services } from '../../gateway/services.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getPublicOrigin, isFromOtherSite } from '../../http/public-origin.ts';
import { readRequestText } from '../../http/read-body.ts';

const MAX_BODY_BYTES = 16 * 1024;

/** Key of the claim of a code, which lasts as long as its grant. @param token - a token, or user and grant */
const toClaimKey = (token: string): string => `code:${token.split(':').slice(0, 2).join(':')}`;

/** The environment that the library expects. */
interface OAuthEnv {
  OAUTH_KV: OAuthStore;
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

/** Renders the consent page. The client chooses its name. */
const renderConsent = (
  { clientName, redirectHost, redirectIsLoopback }: ConsentDescription,
  problem: string | undefined,
) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Connect an assistant · CDAPI for Sheets</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 34rem; margin: 8vh auto; padding: 0 1.5rem; }
      input { width: 100%; box-sizing: border-box; }
    </style>
  </head>
  <body>
    <main>
      <h1>Connect ${clientName}?</h1>
      <p>It will look up records and <b>spend credits from your budget</b>, within your connection’s limits. Its answers go to
        <b>${redirectHost}</b>${redirectIsLoopback ? ', a program on your own computer' : ''}. The name above is the program’s own claim: continue only
        if you have just started this in an assistant that you trust.</p>
      ${problem && html`<p role="alert"><b>${problem}</b></p>`}
      <form method="post">
        <p><label>Your connection link, or a code from the sidebar (<i>Activity → Connect an assistant</i>)
          <input name="connection" type="password" autocomplete="off" required autofocus></label></p>
        <p><button name="decision" value="allow">Connect</button>
          <button name="decision" value="deny" formnovalidate>Cancel</button></p>
      </form>
      <p>Your admin ends the connection by revoking its token in the console.</p>
    </main>
  </body>
</html>`;

const redirect = (location: string): Response => new Response(null, { status: 303, headers: { location } });

/** OAuth of one request. */
export class OAuth<E extends Env> {
  readonly #services: Services<E>;
  readonly #throttle: AuthThrottle;

  constructor(services: Services<E>, throttle: AuthThrottle) {
    this.#services = services;
    this.#throttle = throttle;
  }

  /** Creates the library's server, over our storage. */
  #open(settings: Env, request: Request) {
    const { now } = this.#services;
    const issuer = getPublicOrigin(settings, request);
    const resource = `${issuer}/mcp`;
    const store = new OAuthStore(settings.DB, now);
    const server = new OAuthAuthorizationServer<OAuthEnv>({
      issuer,
      resources: [resource],
      defaultResource: resource,
      authorizeEndpoint: '/mcp/authorize',
      tokenEndpoint: '/mcp/token',
      clientRegistrationEndpoint: '/mcp/register',
      // Anybody may register a client: without a consent it permits nothing.
      clientRegistrationCallback: async () => {
        const key = `register:${getClientAddress(request.headers)}`;
        const { success } = await settings.AUTH_RATE_LIMIT.limit({ key });
        if (success && (await store.list({ prefix: 'client:' })).list_complete) return undefined;
        return { code: 'temporarily_unavailable', description: 'Too many clients.', status: 429 };
      },
      // The library reads a grant before it marks its code as used: of two requests at once, the claim stops one.
      tokenExchangeCallback: async ({ grantType, grantId, userId, clientId }) => {
        const key = toClaimKey(`${userId}:${grantId}`);
        const isValid = await (grantType === 'authorization_code' ? store.claim(key) : store.isClaimed(key));
        if (isValid && (await findCallerByTokenId(settings.DB, userId, now())) !== undefined)
          return store.keepClient(clientId);
        throw new OAuthError('invalid_grant', { description: 'The connection has ended.' });
      },
      onError: () => undefined,
    });
    return { server, env: { OAUTH_KV: store }, store, resource };
  }

  /**
   * Finds the caller of an access token. Everything is read from D1, so that a revocation counts at once.
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async findCaller(settings: Env, request: Request, token: string): Promise<Caller> {
    const { server, env, store, resource } = this.#open(settings, request);
    const [valid, isClaimed] = await Promise.all([
      server.validateToken(resource, token, env),
      store.isClaimed(toClaimKey(token)),
    ]);
    const caller =
      valid !== null && isClaimed
        ? await findCallerByTokenId(settings.DB, valid.userId, this.#services.now())
        : undefined;
    return caller ?? this.#refuse(settings, request);
  }

  /** Counts a failure. Clients share addresses of their cloud, so one with many failures stops no valid token. */
  async #refuse(settings: Env, { headers }: Request): Promise<never> {
    const address = getClientAddress(headers);
    this.#throttle.check(address);
    await this.#throttle.recordFailure(settings, address);
    throw new ProblemError('unauthorised');
  }

  /**
   * Finds the caller of a connection link, a token, or a code of the sidebar, which works once.
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async #findConnection(settings: Env, request: Request, store: OAuthStore, text: string): Promise<Caller> {
    const link = parseConnectionLink(text);
    const token = link?.url === getPublicOrigin(settings, request) ? link.token : text.trim();
    if (isWellFormedToken(token)) {
      const address = getClientAddress(request.headers);
      return (await this.#services.tokenCache.verify(settings, token, address, { mustVerify: true })).caller;
    }
    const tokenId = await store.takeConnectCode(token);
    const caller =
      tokenId === undefined
        ? undefined
        : await findCallerByTokenId(settings.DB, tokenId, this.#services.now());
    return caller ?? this.#refuse(settings, request);
  }

  /** Shows the consent page, and issues a code when it is sent. The request is validated both times. */
  async #authorize(settings: Env, request: Request): Promise<Response> {
    const { server, env, store } = this.#open(settings, request);
    const helpers = server.getOAuthApi(env);
    const authorization = await helpers.parseAuthRequest(new Request(request.url));
    const showPage = async (problem?: string): Promise<Response> => {
      const page = await renderConsent(await helpers.describeConsent(authorization), problem);
      return new Response(String(page), {
        status: problem === undefined ? 200 : 403,
        headers: pageHeaders,
      });
    };
    if (request.method === 'GET') return showPage();
    if (isFromOtherSite(request))
      return showPage('Another site has sent this form. Check who asks, then connect here.');
    const form = new URLSearchParams((await readRequestText(request, MAX_BODY_BYTES)) ?? '');
    if (form.get('decision') !== 'allow')
      return redirect(authorizationErrorRedirect(authorization, 'access_denied'));
    try {
      const text = form.get('connection') ?? '';
      const { tokenId } = await this.#findConnection(settings, request, store, text);
      const { redirectTo } = await helpers.completeAuthorization({
        request: authorization,
        userId: tokenId,
        metadata: {},
        scope: authorization.scope,
        props: {},
      });
      return redirect(redirectTo);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { code, detail, fix } = error.problem;
      return showPage(
        code === 'unauthorised' ? 'This link or code connects nothing, or not any more.' : `${detail} ${fix}`,
      );
    }
  }

  /** Answers a request of the consent page. */
  async authorize(settings: Env, request: Request): Promise<Response> {
    try {
      return await this.#authorize(settings, request);
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      if (error.redirectTo !== undefined) return redirect(error.redirectTo);
      return new Response(error.description, { status: 400 });
    }
  }

  /** Answers requests for the server's metadata, of registrations and for tokens. */
  async serve(settings: Env, request: Request, context: ExecutionContext): Promise<Response> {
    const { server, env } = this.#open(settings, request);
    const { url, method, headers } = request;
    const body = method === 'POST' ? await readRequestText(request, MAX_BODY_BYTES) : null;
    if (body === undefined) throw new ProblemError('too_large');
    return server.fetch(new Request(url, { method, headers, body }), env, context);
  }
}
