// A stand-in for Cloudflare Access in front of the console: signs people of each role in, and adds their assertion to requests.
import { type Context, Hono, type Next } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as z from 'zod';
import { playgroundNonceHeader } from '../../shared/playground.ts';
import type { DevelopmentEnv } from '../env.ts';
import { ProblemError } from '../http/problem-error.ts';
import { readRequestText } from '../http/read-body.ts';
import { parseJson } from '../lib/exact-json.ts';
import { ASSERTION_HEADER, readAccessApplication } from '../routes/console/access.ts';
import { renderDocument } from '../routes/console/layout.tsx';

type Development = { Bindings: DevelopmentEnv };

/** Path of the sign-in. */
export const ACCESS_PATH = '/development/access';
/** Access names its cookie so. */
const COOKIE = 'CF_Authorization';
const KEY_ID = 'development';
const SESSION_S = 3_600;
const MAX_BYTES = 1024;
/** A person with access to the application and without a role. */
const STRANGER = 'nobody@example.com';

const choiceSchema = z.strictObject({ email: z.string().min(3).max(320) });

const createKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  return { privateKey, jwk };
};

const requireApplication = (env: DevelopmentEnv) => {
  const application = readAccessApplication(env);
  if (application !== undefined) return application;
  throw new ProblemError(
    'not_configured',
    'Cloudflare Access is not in use.',
    'Start with npm start -- --access.',
  );
};

const Page = ({ emails, current }: { emails: readonly string[]; current: string | undefined }) => (
  <main id="main" class="plain">
    <h1>Sign in to the console</h1>
    <p class="lead">Stands in for Cloudflare Access. It signs you in as one of these people for an hour.</p>
    {emails.map((email) => (
      <p>
        <button type="button" data-email={email}>
          {email}
        </button>
      </p>
    ))}
    <p id="problem" class="problem" role="alert" hidden />
    {current === undefined ? null : (
      <p>
        <button type="button" class="second" data-email="">
          Sign out
        </button>
      </p>
    )}
  </main>
);

/** The nonce of the start is in the fragment of the printed address; the tab keeps it. */
const script = `
'use strict';
if (location.hash.length > 1) {
  sessionStorage.setItem('nonce', location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
}
document.addEventListener('click', async ({ target }) => {
  const { email } = target.dataset;
  if (email === undefined) return;
  const response = await fetch(location.pathname, {
    method: email === '' ? 'DELETE' : 'POST',
    headers: { 'content-type': 'application/json', '${playgroundNonceHeader}': sessionStorage.getItem('nonce') ?? '' },
    body: email === '' ? null : JSON.stringify({ email }),
  });
  if (response.ok) return location.assign(email === '' ? location.pathname : '/console');
  const problem = document.getElementById('problem');
  problem.textContent = (await response.json()).detail + ' Open the address that npm start printed.';
  problem.hidden = false;
});
`;

/**
 * Creates the sign-in and the public keys. The isolate keeps the key pair, so a restart signs everybody out.
 * @param requirePage - lets only the page pass that was opened from the address that this start printed
 */
export function createAccessIssuer(requirePage: (c: Context<Development>, next: Next) => Promise<unknown>) {
  let key: ReturnType<typeof createKey> | undefined;
  const getKey = () => {
    key ??= createKey();
    return key;
  };
  const routes = new Hono<Development>();
  routes.get('/', (c) => {
    const { roles } = requireApplication(c.env);
    const emails = [...(roles?.keys() ?? []), STRANGER].filter((name) => name.includes('@'));
    const page = <Page emails={emails} current={getCookie(c, COOKIE)} />;
    return c.html(renderDocument('Sign in', page, `${ACCESS_PATH}/page.js`));
  });
  routes.get('/page.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  routes.get('/certs', async (c) => c.json({ keys: [(await getKey()).jwk] }));
  routes.post('/', requirePage, async (c) => {
    const { teamDomain, audience, roles } = requireApplication(c.env);
    const { data } = choiceSchema.safeParse(parseJson((await readRequestText(c.req.raw, MAX_BYTES)) ?? ''));
    if (data === undefined || !(data.email === STRANGER || roles?.has(data.email)))
      throw new ProblemError('invalid_request', 'email: is none of the offered people.');
    const token = await new SignJWT({ email: data.email, type: 'app' })
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
      .setIssuer(`https://${teamDomain}`)
      .setAudience([audience])
      .setSubject(data.email)
      .setIssuedAt()
      .setExpirationTime(`${SESSION_S} s`)
      .sign((await getKey()).privateKey);
    setCookie(c, COOKIE, token, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: SESSION_S });
    return c.body(null, 204);
  });
  routes.delete('/', requirePage, (c) => {
    deleteCookie(c, COOKIE, { path: '/' });
    return c.body(null, 204);
  });
  return routes;
}

/** Does what Access does in front of the console: sends people without a session to the sign-in, and asserts the others. */
export async function assertIdentity(c: Context<Development>, next: Next): Promise<Response | undefined> {
  const isOpen = /\.(?:css|js)$/.test(c.req.path);
  if (isOpen || readAccessApplication(c.env) === undefined) {
    await next();
    return undefined;
  }
  const token = getCookie(c, COOKIE);
  if (token === undefined) return c.redirect(ACCESS_PATH, 302);
  const headers = new Headers(c.req.raw.headers);
  headers.set(ASSERTION_HEADER, token);
  c.req.raw = new Request(c.req.raw, { headers });
  await next();
  return undefined;
}
