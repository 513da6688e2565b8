// GET /help: troubleshooting, public. GET /openapi.json and /docs: the API reference for programs and people. Pages are self-contained. Deployments require a
// token, because the data terms forbid publishing the structure of the data.
import { type Context, Hono } from 'hono';
import { HELP_PATH } from '../../../shared/help-path.ts';
import type { Env } from '../../env.ts';
import { getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { readApiKeyToken, readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { Services } from '../../gateway/services.ts';
import { methodNotAllowed, ProblemError, problemResponse } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { readUrlEncoded } from '../../http/read-body.ts';
import { DocsAuthenticator } from './authenticate.ts';
import { renderHelpPage } from './help.ts';
import { buildOpenApi } from './openapi/document.ts';
import { renderReferencePage } from './page.ts';
import { renderSignInPage, signInFields } from './sign-in.ts';
import { style } from './style.ts';

/** Maximum size of the sign-in form. Tokens are much shorter. */
const MAX_FORM_BYTES = 4096;

const responseHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };

type RenderedDocs = { document: string; page: string };

/** Caches the rendered reference, which is the same for every reader of an origin. */
class DocsCache {
  #key = '';
  #rendered: RenderedDocs | undefined;

  async get(origin: string, isPublic: boolean): Promise<RenderedDocs> {
    const key = `${origin} ${isPublic}`;
    if (this.#rendered !== undefined && key === this.#key) return this.#rendered;
    const document = buildOpenApi(origin);
    const rendered = {
      document: JSON.stringify(document),
      page: await renderReferencePage(document, isPublic),
    };
    this.#key = key;
    this.#rendered = rendered;
    return rendered;
  }
}

/** Builds a policy that allows only the page's own style. */
async function contentSecurityPolicy(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function getToken({ req }: Context): string | undefined {
  const { headers } = req.raw;
  return readBearerToken(headers) ?? readApiKeyToken(headers);
}

function isBrowser({ req }: Context): boolean {
  return (req.header('accept') ?? '').includes('text/html');
}

/**
 * Creates the routes of the API reference.
 */
export function createDocsRoutes<E extends Env>({
  now,
  tokenCache,
}: Pick<Services<E>, 'now' | 'tokenCache'>): Hono<{ Bindings: E }> {
  type DocsContext = Context<{ Bindings: E }>;
  const routes = new Hono<{ Bindings: E }>();
  const authenticator = new DocsAuthenticator(now, tokenCache);
  const cache = new DocsCache();

  const render = (c: DocsContext): Promise<RenderedDocs> =>
    cache.get(getPublicOrigin(c.env, c.req.raw), authenticator.isPublic(c.env));
  const page = async (
    c: DocsContext,
    html: string,
    status: 200 | 401 | 429 = 200,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    c.html(html, status, {
      ...headers,
      ...responseHeaders,
      'content-security-policy': await contentSecurityPolicy(),
    });
  const json = async (c: DocsContext, headers: Record<string, string> = {}): Promise<Response> =>
    c.body((await render(c)).document, 200, {
      ...headers,
      ...responseHeaders,
      'content-type': 'application/json',
    });

  routes.get('/openapi.json', async (c) => {
    await authenticator.authenticate(c.env, getToken(c), getClientAddress(c.req.raw.headers));
    return json(c);
  });
  routes.all('/openapi.json', methodNotAllowed('GET, HEAD'));

  routes.get('/docs', async (c) => {
    const token = getToken(c);
    try {
      await authenticator.authenticate(c.env, token, getClientAddress(c.req.raw.headers));
    } catch (error) {
      if (token !== undefined || !isBrowser(c) || !(error instanceof ProblemError)) throw error;
      return page(c, await renderSignInPage(), 401, { 'www-authenticate': 'Bearer' });
    }
    return page(c, (await render(c)).page);
  });
  routes.post('/docs', async (c) => {
    const form = (await readUrlEncoded(c.req.raw, MAX_FORM_BYTES)) ?? new URLSearchParams();
    // A page of another site could send wrong tokens from a reader's browser until its address is blocked.
    const isForeign = c.req.header('sec-fetch-site') === 'cross-site';
    const token = isForeign ? undefined : form.get(signInFields.token)?.trim();
    try {
      await authenticator.authenticate(c.env, token || undefined, getClientAddress(c.req.raw.headers));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { problem, headers } = error;
      if (!isBrowser(c)) return problemResponse(problem, headers);
      const status = problem.status === 429 ? 429 : 401;
      return page(c, await renderSignInPage(problem.detail), status, headers);
    }
    if (form.get(signInFields.as) !== 'json') return page(c, (await render(c)).page);
    return json(c, { 'content-disposition': 'attachment; filename="openapi.json"' });
  });
  routes.get(HELP_PATH, async (c) => page(c, await renderHelpPage()));
  routes.all(HELP_PATH, methodNotAllowed('GET, HEAD'));
  routes.all('/docs', methodNotAllowed('GET, HEAD, POST'));
  return routes;
}
