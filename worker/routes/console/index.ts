// The admin console: /console. Pages for whoever pays the bill, rendered here, on top of the admin API.
import { drizzle } from 'drizzle-orm/d1';
import { type Context, Hono, type Next } from 'hono';
import { etag } from 'hono/etag';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { AdminRole } from '../../../shared/api/admin-roles.ts';
import type { Problem } from '../../../shared/problems.ts';
import type { Env } from '../../env.ts';
import type { Services } from '../../gateway/services.ts';
import { methodNotAllowed, ProblemError } from '../../http/problem-error.ts';
import { isFromOtherSite } from '../../http/public-origin.ts';
import { readUrlEncoded } from '../../http/read-body.ts';
import { toUnexpectedProblem } from '../../http/unexpected-error.ts';
import { type GuardedName, mayUse, requireRole } from '../admin/roles.ts';
import { AdminClient } from './admin-client.ts';
import { CSRF_FIELD } from './components/form.tsx';
import type { ConsoleContext, ConsoleEnv, FormValues, PageContent, SignedInAdmin } from './context.ts';
import { ProblemPage, renderPage, renderPlainPage, SignInForm, sections, TOKEN_FIELD } from './layout.tsx';
import { pages } from './pages/index.ts';
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

type ConsoleServices<E extends Env> = Pick<Services<E>, 'now' | 'sleep' | 'getUpstream' | 'evictAnswers'>;

const actions = pages.flatMap((page) =>
  Object.entries(page.actions ?? {}).map(([path, action]) => ({ path, page, ...action })),
);
const notices = new Map(actions.map(({ path, done }) => [path, done]));

/** What pages and forms need, by the form of their addresses. */
const needed = new RegExpRouter<GuardedName>();
for (const { path, needs } of [...pages, ...actions]) if (needs !== undefined) needed.add('GET', path, needs);

/** Tells whether a role may open a page or send a form. @param href - from `/console` on */
function mayUseAddress(role: AdminRole, href: string): boolean {
  if (role === 'owner') return true;
  const path = href.replace(/^\/console/, '').replace(/[?#].*/, '') || '/';
  return needed.match('GET', path)[0].every(([needs]) => mayUse(role, needs));
}

const getRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

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

const toSignedIn = ({ id, email, csrf, actor: { role } }: OpenSession): SignedInAdmin => ({
  sessionId: id,
  email,
  role,
  csrf,
});

/** Statuses of problems that a page may have. */
type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

const show = (
  c: Context,
  session: OpenSession,
  { title, body }: PageContent,
  problem?: Problem,
): Response | Promise<Response> =>
  c.html(
    renderPage({
      title,
      path: c.req.path,
      query: c.req.query(),
      mayUse: (address) => mayUseAddress(session.actor.role, address),
      admin: toSignedIn(session),
      notice: notices.get(c.req.query('notice') ?? ''),
      problem,
      children: body,
    }),
    problem === undefined ? 200 : toStatus(problem),
  );

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
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly sessions: ConsoleSessions;

  constructor(services: ConsoleServices<E>, randomBytes: (length: number) => Uint8Array) {
    this.#services = services;
    this.#randomBytes = randomBytes;
    this.sessions = new ConsoleSessions(services, randomBytes);
  }

  createContext(c: ConsoleRequest<E>, session: OpenSession): ConsoleContext {
    const { now, getUpstream, evictAnswers } = this.#services;
    return {
      env: c.env,
      now: now(),
      admin: toSignedIn(session),
      api: new AdminClient(new URL(c.req.url).origin, {
        env: c.env,
        orm: drizzle(c.env.DB),
        now: now(),
        actor: session.actor,
        randomBytes: this.#randomBytes,
        getProvider: async () => getUpstream(c.env),
        evictAnswers,
      }),
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
        const start = sections.find(([address]) => mayUseAddress(role, address))?.[0];
        // The start page is the first one that the role may use.
        if (path === '/' && start !== undefined && start !== '/console') return c.redirect(start, 303);
        if (needs !== undefined) requireRole(role, needs);
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

export function createConsoleRoutes<E extends Env>(
  services: ConsoleServices<E>,
  randomBytes: (length: number) => Uint8Array = getRandomBytes,
): Hono<ConsoleEnv<E>> {
  const routes = new Hono<ConsoleEnv<E>>();
  const signedIn = new SignedInRoutes(services, randomBytes);
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
