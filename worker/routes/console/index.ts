// The admin console: /console. Pages for whoever pays the bill, rendered here, on top of the admin API.
import { type Context, Hono, type Next } from 'hono';
import { etag } from 'hono/etag';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type AdminName, adminEndpoints } from '../../../shared/api/admin-endpoints.ts';
import { type AdminRole, mayUse } from '../../../shared/api/admin-roles.ts';
import type { Problem } from '../../../shared/problems.ts';
import type { Env } from '../../env.ts';
import type { Services } from '../../gateway/services.ts';
import { methodNotAllowed, ProblemError } from '../../http/problem-error.ts';
import { isFromOtherSite } from '../../http/public-origin.ts';
import { readUrlEncoded } from '../../http/read-body.ts';
import { toUnexpectedProblem } from '../../http/unexpected-error.ts';
import { requireRole } from '../admin/authenticate.ts';
import { type AdminServices, createCallContext, getRandomBytes } from '../admin/index.ts';
import { AdminClient } from './admin-client.ts';
import { CSRF_FIELD } from './components/form.tsx';
import type { ConsoleContext, ConsoleEnv, FormValues, Page, PageContent } from './context.ts';
import { ProblemPage, renderPage, renderPlainPage, SignInForm, TOKEN_FIELD } from './layout.tsx';
import { pages, sections } from './pages/index.ts';
import { getAddress } from './pages/paths.ts';
import { ConsoleSessions, type OpenSession } from './sessions.ts';
import { liveScript, style } from './static.ts';

const MAX_FORM_BYTES = 64 * 1024;
/** Forms of signed-in admins may have lists. */
const MAX_LIST_FORM_BYTES = 1024 * 1024;
const SIGN_IN = '/console/sign-in';

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type ConsoleServices<E extends Env> = AdminServices<E> & Pick<Services<E>, 'sleep'>;

const actions = pages.flatMap((page) =>
  Object.entries(page.actions ?? {}).map(([path, action]) => ({ path, page, ...action })),
);
const notices = new Map(actions.map(({ path, done }) => [path, done]));

/** Pages, their files and their forms by the patterns of their addresses. */
const addresses = new RegExpRouter<{ page: Page; needs: AdminName }>();
for (const page of pages)
  for (const path of [page.path, ...Object.keys(page.downloads ?? {})])
    addresses.add('GET', path, { page, needs: page.needs });
for (const { path, page, needs } of actions) addresses.add('POST', path, { page, needs });

/** @param href - from `/console` on */
const findAddress = (method: string, href: string) =>
  addresses
    .match(method, href.replace(/^\/console/, '').replace(/[?#].*/, '') || '/')[0]
    .map(([found]) => found);

/** Tells whether a role may open a page or send a form. */
const mayUseAddress = (role: AdminRole, href: string, method = 'GET'): boolean =>
  findAddress(method, href).every(({ needs }) => mayUse(role, adminEndpoints[needs]));

async function setPageHeaders(c: Context, next: Next): Promise<void> {
  await next();
  const { headers } = c.res;
  headers.set('content-security-policy', contentSecurityPolicy);
  headers.set('x-robots-tag', 'noindex');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
}

const isUrlEncodedForm = (type: string): boolean => type.startsWith('application/x-www-form-urlencoded');

/** @throws ProblemError `too_large`, `invalid_request`, `unsupported_encoding` */
async function readForm({ req }: Context, maxBytes = MAX_FORM_BYTES): Promise<FormValues> {
  if (!isUrlEncodedForm(req.header('content-type') ?? ''))
    throw new ProblemError('invalid_request', 'This is not a form.', 'Use the forms of the console.');
  const form = await readUrlEncoded(req.raw, maxBytes);
  if (form === undefined) throw new ProblemError('too_large', undefined, 'Send less at once.');
  return form;
}

const refuseForeign = (): ProblemError =>
  new ProblemError(
    'unauthorised',
    'This form was not sent from your session of the console, so nothing was changed.',
    'Reload the page in the console and send the form again.',
  );

/** Statuses of problems that a page may have. */
type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

const show = (
  c: Context,
  session: OpenSession,
  { title, body, wrong }: PageContent,
  problem?: Problem,
): Response | Promise<Response> => {
  const failure = problem ?? wrong?.problem;
  return c.html(
    renderPage({
      title,
      page: findAddress(c.req.method, c.req.path)[0]?.page,
      query: c.req.query(),
      mayUse: (address, method) => mayUseAddress(session.actor.role, address, method),
      session,
      notice: notices.get(c.req.query('notice') ?? ''),
      problem,
      wrong,
      children: body,
    }),
    failure === undefined ? 200 : toStatus(failure),
  );
};

const showSignIn = (c: Context, problem?: Problem): Response | Promise<Response> =>
  c.html(
    renderPlainPage('Sign in', SignInForm({ problem })),
    problem === undefined ? 200 : toStatus(problem),
  );

function setHeaders(c: Context, { headers }: ProblemError): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

function showProblem(c: Context, error: ProblemError): Response | Promise<Response> {
  const { problem } = error;
  setHeaders(c, error);
  return c.html(renderPlainPage(problem.title, ProblemPage({ problem })), toStatus(problem));
}

type ConsoleRequest<E extends Env> = Context<ConsoleEnv<E>>;

/** Answers requests of signed-in admins. */
class SignedInRoutes<E extends Env> {
  readonly #services: ConsoleServices<E>;
  readonly sessions: ConsoleSessions;

  constructor(services: ConsoleServices<E>) {
    this.#services = services;
    this.sessions = new ConsoleSessions(services, getRandomBytes);
  }

  createContext(c: ConsoleRequest<E>, session: OpenSession): ConsoleContext {
    return {
      now: this.#services.now(),
      api: new AdminClient(
        new URL(c.req.url).origin,
        createCallContext(this.#services, c.env, session.actor),
      ),
      params: c.req.param(),
      query: c.req.query(),
    };
  }

  /** Creates a handler that sends other visitors to the sign-in page. */
  withSession(run: (c: ConsoleRequest<E>, session: OpenSession) => Response | Promise<Response>) {
    return async (c: ConsoleRequest<E>): Promise<Response> => {
      const session = await this.sessions.find(c);
      if (session === undefined) return c.redirect(SIGN_IN, 303);
      try {
        return await run(c, session);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        setHeaders(c, error);
        return show(c, session, { title: 'This did not work', body: null }, error.problem);
      }
    };
  }

  /** Reads a form that a page of the session sent. */
  async readForm(c: ConsoleRequest<E>, session: OpenSession): Promise<FormValues> {
    const form = await readForm(c, MAX_LIST_FORM_BYTES);
    if (isFromOtherSite(c.req.raw) || !(await this.sessions.isFromSession(session, form.get(CSRF_FIELD))))
      throw refuseForeign();
    form.delete(CSRF_FIELD);
    return form;
  }
}

function addSignInRoutes<E extends Env>(routes: Hono<ConsoleEnv<E>>, signedIn: SignedInRoutes<E>): void {
  const { sessions } = signedIn;
  routes.get('/sign-in', async (c) =>
    (await sessions.find(c)) === undefined ? showSignIn(c) : c.redirect('/console', 303),
  );
  routes.post('/sign-in', async (c) => {
    const form = await readForm(c);
    // A page of another site could sign the admin's browser in, or send wrong tokens until its address is blocked.
    if (isFromOtherSite(c.req.raw)) throw refuseForeign();
    try {
      const session = await sessions.signIn(c, form.get(TOKEN_FIELD)?.trim() || undefined);
      if (session !== undefined) return c.redirect('/console', 303);
      return showSignIn(
        c,
        new ProblemError('unauthorised', 'This is no valid admin token.', SIGN_IN_FIX).problem,
      );
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.status !== 429) throw error;
      return showSignIn(c, error.problem);
    }
  });
  routes.post(
    '/sign-out',
    signedIn.withSession(async (c, session) => {
      await signedIn.readForm(c, session);
      await sessions.signOut(c, session);
      return c.redirect(SIGN_IN, 303);
    }),
  );
}

function addPageRoutes<E extends Env>(routes: Hono<ConsoleEnv<E>>, signedIn: SignedInRoutes<E>): void {
  for (const { path, needs, render, downloads = {} } of pages) {
    routes.get(
      path,
      signedIn.withSession(async (c, session) => {
        const { role } = session.actor;
        // The start page is that of the first section that the role may use.
        const start = sections.find(({ pages: [first] }) => mayUse(role, adminEndpoints[first.needs]));
        if (path === '/' && start !== undefined && start.pages[0].path !== '/')
          return c.redirect(getAddress(start.pages[0]), 303);
        requireRole(role, adminEndpoints[needs].roles);
        return show(c, session, await render(signedIn.createContext(c, session)));
      }),
    );
    for (const [address, respond] of Object.entries(downloads))
      routes.get(
        address,
        signedIn.withSession((c, session) => respond(signedIn.createContext(c, session))),
      );
  }
  for (const { path, page, run, done } of actions)
    routes.post(
      path,
      signedIn.withSession(async (c, session) => {
        const form = await signedIn.readForm(c, session);
        const context = signedIn.createContext(c, session);
        try {
          const result = await run(context, form);
          if (result instanceof Response) return result;
          if (typeof result !== 'string') return show(c, session, result);
          return c.redirect(
            done === undefined ? result : `${result}${result.includes('?') ? '&' : '?'}notice=${path}`,
            303,
          );
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          const { problem } = error;
          const content = await page.render(context, { action: c.req.path, values: form });
          return show(c, session, content, problem);
        }
      }),
    );
}

export function createConsoleRoutes<E extends Env>(services: ConsoleServices<E>): Hono<ConsoleEnv<E>> {
  const routes = new Hono<ConsoleEnv<E>>();
  const signedIn = new SignedInRoutes(services);
  routes.use(setPageHeaders);
  addStaticFiles(routes);
  addSignInRoutes(routes, signedIn);
  addPageRoutes(routes, signedIn);
  for (const path of new Set(['/sign-in', ...pages.map((page) => page.path)]))
    routes.all(path, methodNotAllowed('GET, HEAD'));
  for (const path of new Set(['/sign-out', ...actions.map((action) => action.path)]))
    routes.all(path, methodNotAllowed('POST'));
  routes.all('*', () => {
    throw new ProblemError('unknown_address', 'The console has no such page.', 'Choose one from the menu.');
  });

  routes.onError((error, c) =>
    showProblem(c, error instanceof ProblemError ? error : toUnexpectedProblem(error, c.get('requestId'))),
  );
  return routes;
}

const SIGN_IN_FIX =
  'npm run deploy has written it to .deploy/<name>/secrets.json, npm start to .dev/session.json.';

/** Returns the status of a problem as one that Hono sends with a body. */
function toStatus({ status }: Problem): Status {
  const known: readonly Status[] = [400, 401, 403, 404, 409, 413, 429, 503];
  return known.find((one) => one === status) ?? (status < 500 ? 400 : 500);
}

/** Adds the style sheet and the script. Browsers ask each time whether they have changed. */
function addStaticFiles<E extends Env>(routes: Hono<ConsoleEnv<E>>): void {
  const files = [
    ['/style.css', style, 'text/css; charset=utf-8'],
    ['/live.js', liveScript, 'text/javascript; charset=utf-8'],
  ] as const;
  for (const [path, text, type] of files) {
    routes.get(path, etag(), (c) => c.body(text, 200, { 'content-type': type, 'cache-control': 'no-cache' }));
    routes.all(path, methodNotAllowed('GET, HEAD'));
  }
}
