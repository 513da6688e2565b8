// GET /help: troubleshooting, public. GET /openapi.json and /docs: the API reference for programs and people. The pages run no
// script. Deployments require a token, because the data terms forbid publishing the structure of the data.
import { type Context, Hono } from 'hono';
import { HELP_PATH } from '../../../shared/help-path.ts';
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import { getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import { readApiKeyToken, readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { Services } from '../../gateway/services.ts';
import { methodNotAllowed, ProblemError, problemResponse } from '../../http/problem-error.ts';
import { getPublicOrigin, isFromOtherSite } from '../../http/public-origin.ts';
import { readUrlEncoded } from '../../http/read-body.ts';
import { AdminAuthenticator } from '../admin/authenticate.ts';
import { buildOpenApi } from './openapi/document.ts';
import { renderHelp, renderSignIn, signInFields } from './pages.tsx';
import { renderReference } from './reference.tsx';

/** Maximum size of the sign-in form. Tokens are much shorter. */
const MAX_FORM_BYTES = 4096;

const FIX = 'Send a team token or the admin token, as Authorization: Bearer or as apikey.';

const responseHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };

const pageHeaders = {
  ...responseHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

const isPublic = ({ ENVIRONMENT }: Env): boolean => ENVIRONMENT === 'development';

const isBrowser = ({ req }: Context): boolean => (req.header('accept') ?? '').includes('text/html');

function getToken({ req }: Context): string | undefined {
  const { headers } = req.raw;
  return readBearerToken(headers) ?? readApiKeyToken(headers);
}

/** Creates the routes of the API reference and of the troubleshooting page. */
export function createDocsRoutes<E extends Env>({
  now,
  tokenCache,
}: Pick<Services<E>, 'now' | 'tokenCache'>): Hono<{ Bindings: E }> {
  type DocsContext = Context<{ Bindings: E }>;
  const routes = new Hono<{ Bindings: E }>();
  const admin = new AdminAuthenticator(now);

  /** @throws ProblemError `unauthorised`, `rate_limited` */
  const authenticate = async ({ env, req }: DocsContext, token: string | undefined): Promise<void> => {
    if (isPublic(env)) return;
    if (token === undefined)
      throw new ProblemError('unauthorised', 'The API reference requires a token.', FIX);
    const address = getClientAddress(req.raw.headers);
    if (isWellFormedToken(token)) await tokenCache.verify(env, token, address);
    else if ((await admin.identify(env, token, address)) === undefined)
      throw new ProblemError('unauthorised', 'This is neither a team token nor the admin token.', FIX);
  };

  // The reference is the same for every reader of an origin.
  let cached = { key: '', document: '', page: '' };
  const render = async ({ env, req }: DocsContext): Promise<typeof cached> => {
    const origin = getPublicOrigin(env, req.raw);
    const key = `${origin} ${isPublic(env)}`;
    if (key === cached.key) return cached;
    const document = buildOpenApi(origin);
    const page = String(await renderReference(document, isPublic(env)));
    cached = { key, document: JSON.stringify(document), page };
    return cached;
  };
  const sendReference = async (c: DocsContext) => c.html((await render(c)).page, 200, pageHeaders);
  const sendDocument = async (c: DocsContext, headers: Record<string, string> = {}) =>
    c.body((await render(c)).document, 200, {
      ...headers,
      ...responseHeaders,
      'content-type': 'application/json',
    });

  routes.get('/openapi.json', async (c) => {
    await authenticate(c, getToken(c));
    return sendDocument(c);
  });
  routes.all('/openapi.json', methodNotAllowed('GET, HEAD'));

  routes.get('/docs', async (c) => {
    const token = getToken(c);
    try {
      await authenticate(c, token);
    } catch (error) {
      if (token !== undefined || !isBrowser(c) || !(error instanceof ProblemError)) throw error;
      return c.html(renderSignIn(), 401, { 'www-authenticate': 'Bearer', ...pageHeaders });
    }
    return sendReference(c);
  });
  routes.post('/docs', async (c) => {
    const form = (await readUrlEncoded(c.req.raw, MAX_FORM_BYTES)) ?? new URLSearchParams();
    // A page of another site could send wrong tokens from a reader's browser until its address is blocked.
    const token = isFromOtherSite(c.req.raw) ? undefined : form.get(signInFields.token)?.trim();
    try {
      await authenticate(c, token || undefined);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { problem, headers } = error;
      if (!isBrowser(c)) return problemResponse(problem, headers);
      const status = problem.status === 429 ? 429 : 401;
      return c.html(renderSignIn(problem.detail), status, { ...headers, ...pageHeaders });
    }
    if (form.get(signInFields.as) !== 'json') return sendReference(c);
    return sendDocument(c, { 'content-disposition': 'attachment; filename="openapi.json"' });
  });
  routes.all('/docs', methodNotAllowed('GET, HEAD, POST'));

  routes.get(HELP_PATH, (c) => c.html(renderHelp(), 200, pageHeaders));
  routes.all(HELP_PATH, methodNotAllowed('GET, HEAD'));
  return routes;
}
