// Attacks on the sign-in with a Google account: forged, foreign and replayed identity tokens, and floods of them.
import { env } from 'cloudflare:workers';
import { base64url, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import type { Problem } from '../../../../../shared/problems.ts';
import { AUDIENCE, GoogleIdentity, KEYS_URL } from '../../../../google-identity.ts';
import { captureErrorLog } from '../../../logged-errors.ts';
import { clock, createRateLimit, interceptCalls } from '../../../platform.ts';
import { createSignInHarness } from './harness.ts';

const encode = (value: unknown): string => base64url.encode(JSON.stringify(value));

it('a token of another release, which a malicious add-on got from the same person: refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  const token = await google.sign({ aud: 'evil.apps.googleusercontent.com' });
  expect(await problem(token)).toMatchObject({ code: 'domain_not_assigned' });
});

it('a token for the release of another domain: refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com', { audience: 'a.apps.googleusercontent.com' });
  await assign('other.com', { audience: 'b.apps.googleusercontent.com' });
  const token = await google.sign({ aud: 'b.apps.googleusercontent.com' });
  expect(await problem(token)).toMatchObject({ code: 'domain_not_assigned' });
});

it('a token for several audiences: refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  expect(await problem(await google.sign({ aud: [AUDIENCE, 'x'] }))).toMatchObject({
    code: 'sign_in_refused',
  });
});

const refusedClaims: [string, Record<string, unknown>, string][] = [
  ['of another issuer', { iss: 'https://accounts.google.com.evil.example' }, 'sign_in_refused'],
  ['without an issuer', { iss: undefined }, 'sign_in_refused'],
  ['without an expiry', { exp: undefined }, 'sign_in_refused'],
  ['without an audience', { aud: undefined }, 'sign_in_refused'],
  ['without an account', { sub: undefined }, 'sign_in_refused'],
  ['of an unverified address', { email_verified: false }, 'sign_in_refused'],
  ['of an address that nobody verified', { email_verified: undefined }, 'sign_in_refused'],
  ['with a text instead of true', { email_verified: 'true' }, 'sign_in_refused'],
  ['without an address', { email: undefined }, 'sign_in_refused'],
  ['of a personal account', { hd: undefined, email: 'ada@gmail.com' }, 'domain_not_assigned'],
  ['of a personal account with an address of the domain', { hd: undefined }, 'domain_not_assigned'],
  ['of another domain', { hd: 'evil.example' }, 'domain_not_assigned'],
  [
    'of another domain with an address of the domain',
    { hd: 'evil.example', email: 'ada@acme.com' },
    'domain_not_assigned',
  ],
  ['of a subdomain', { hd: 'evil.acme.com' }, 'domain_not_assigned'],
  ['with a list of domains', { hd: ['acme.com'] }, 'sign_in_refused'],
];

it('an identity token of another issuer, account, address or domain, or with claims missing: refused', async () => {
  const { google, assign, problem, listTokens } = await createSignInHarness();
  await assign('acme.com');
  for (const [name, claims, code] of refusedClaims)
    expect([name, await problem(await google.sign(claims))]).toMatchObject([name, { code }]);
  expect(await listTokens()).toEqual([]);
});

it('a token that has expired: refused', async () => {
  const { google, assign, problem, ok } = await createSignInHarness();
  await assign('acme.com');
  const token = await google.sign();
  await ok(token);
  clock.now += 3_600_001;
  expect(await problem(token)).toMatchObject({
    code: 'sign_in_refused',
    detail: expect.stringContaining('expired'),
  });
});

it('a token without a signature (alg: none): refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  for (const alg of ['none', 'None', 'NONE']) {
    const token = `${encode({ alg, kid: google.keyId })}.${encode(google.claims())}.`;
    expect(await problem(token)).toMatchObject({ code: 'sign_in_refused' });
  }
});

it('a token that is signed with the public key as a shared secret (HS256): refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  const jwk = await google.getPublicJwk();
  for (const secret of [JSON.stringify(jwk), String(jwk.n)]) {
    const token = await new SignJWT(google.claims())
      .setProtectedHeader({ alg: 'HS256', kid: google.keyId })
      .sign(new TextEncoder().encode(secret));
    expect(await problem(token)).toMatchObject({ code: 'sign_in_refused' });
  }
});

it('a token with a key of the attacker, in the header or at an address: refused without a request there', async () => {
  const { google, assign, problem } = await createSignInHarness();
  const attacker = await GoogleIdentity.create(() => clock.now, 'attacker');
  await assign('acme.com');
  const jwk = await attacker.getPublicJwk();
  const forged = await attacker.sign({}, { kid: google.keyId });
  expect(await problem(forged)).toMatchObject({ code: 'sign_in_refused' });
  const [, claims, signature] = forged.split('.');
  for (const header of [
    { jwk },
    { jku: 'https://evil.example/keys' },
    { x5u: 'https://evil.example/cert' },
  ]) {
    const token = [encode({ alg: 'RS256', kid: google.keyId, ...header }), claims, signature].join('.');
    expect(await problem(token)).toMatchObject({ code: 'sign_in_refused' });
  }
  expect(google.requests).toBe(1);
});

it('changed claims under a valid signature: refused', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  const [header, , signature] = (await google.sign({ hd: 'evil.example' })).split('.');
  expect(await problem([header, encode(google.claims()), signature].join('.'))).toMatchObject({
    code: 'sign_in_refused',
  });
});

it('a flood of unknown key ids: one request to Google in half a minute, and nothing is read or stored', async () => {
  const { google, assign, problem, ok, listCalls } = await createSignInHarness();
  await assign('acme.com');
  await ok(await google.sign());
  clock.now += 30_000;
  const before = google.requests;
  const calls = listCalls().length;
  for (let at = 0; at < 50; at += 1) {
    expect(await problem(await google.sign({}, { kid: `unknown-${at}` }))).toMatchObject({
      code: 'sign_in_refused',
    });
  }
  expect(google.requests).toBe(before + 1);
  expect(new Set(listCalls().slice(calls))).toEqual(new Set(['AUTH_RATE_LIMIT.limit']));
});

it('a flood while Google is down: one request to Google in half a minute', async () => {
  const { google, assign, problem } = await createSignInHarness();
  await assign('acme.com');
  google.isDown = true;
  captureErrorLog();
  const tokens = await Promise.all(Array.from({ length: 30 }, () => google.sign()));
  const problems = await Promise.all(tokens.map(problem));
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['google_unavailable']));
  expect(google.requests).toBe(1);
});

it('a flood of invalid tokens from an address that Google’s scripts share: only these are refused', async () => {
  const { google, assign, send } = await createSignInHarness({ AUTH_RATE_LIMIT: createRateLimit(5) });
  await assign('acme.com');
  const codes = [];
  for (let at = 0; at < 8; at += 1) codes.push((await (await send('x.y.z')).json<Problem>()).code);
  expect(codes).toEqual([...Array(5).fill('sign_in_refused'), ...Array(3).fill('rate_limited')]);
  expect((await send(await google.sign())).status).toBe(200);
});

it('one person signs in again and again: refused before anything is written', async () => {
  const { google, assign, send, listTokens } = await createSignInHarness({
    AUTH_RATE_LIMIT: createRateLimit(5),
  });
  await assign('acme.com');
  const statuses = [];
  for (let at = 0; at < 8; at += 1) statuses.push((await send(await google.sign())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(await listTokens()).toHaveLength(1);
});

it('a person signs in many times at once, to get the budget of several people: one token remains', async () => {
  const { google, assign, send, listTokens, readAccount } = await createSignInHarness();
  await assign('acme.com', { budget: { day: 10 } });
  const token = await google.sign();
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(token)));
  const issued = await Promise.all(
    responses
      .filter(({ ok }) => ok)
      .map(async (response) => (await response.json<{ token: string }>()).token),
  );
  expect(issued.length).toBeGreaterThan(0);
  expect(await listTokens()).toHaveLength(1);
  const accounts = await Promise.all(issued.map(readAccount));
  expect(accounts.filter((status) => status === 200)).toHaveLength(1);
});

it('a person signs in again to get a new budget: what was spent stays spent', async () => {
  const { google, assign, ok, ledgerOf, listTokens } = await createSignInHarness();
  const { team } = await assign('acme.com', { budget: { day: 10 } });
  await ok(await google.sign());
  const [before] = await listTokens();
  await ok(await google.sign());
  const [after, ...others] = await listTokens();
  expect(others).toEqual([]);
  expect(after?.id).toBe(before?.id);
  expect(after?.hash).not.toBe(before?.hash);
  expect(await ledgerOf(team).getTokenBudget(after?.id ?? '')).toMatchObject({
    caps: { day: 10, month: null },
  });
});

it('a person whose token the admin revoked in the list of the team signs in for another one: refused', async () => {
  const { google, assign, ok, problem, admin, listPeople, listTokens } = await createSignInHarness();
  const { team } = await assign('acme.com', { budget: { day: 10 } });
  await ok(await google.sign());
  await ok(await google.sign({ sub: '2', email: 'bob@acme.com' }));
  const [{ id = '', token_id = '' } = {}, other] = await listPeople();
  expect((await admin('DELETE', `/teams/${team}/tokens/${token_id}`)).status).toBe(204);
  const people = await listPeople();
  expect(people.filter(({ revoked_at }) => revoked_at !== null).map((person) => person.id)).toEqual([id]);
  const isAda = people.find((person) => person.id === id)?.email === 'ada@acme.com';
  expect(await problem(await google.sign(isAda ? {} : { sub: '2', email: 'bob@acme.com' }))).toMatchObject({
    code: 'person_revoked',
  });
  expect(await listTokens()).toMatchObject([{ id: other?.token_id }]);
});

it('a revoked person buys while the token still counts as verified: the lookup is refused as a whole', async () => {
  const { google, assign, ok, listPeople, adminOk, lookUp } = await createSignInHarness();
  await assign('acme.com');
  const { token } = await ok(await google.sign());
  expect(await lookUp(token, 'first.example')).toBe(200);
  const [{ id = '' } = {}] = await listPeople();
  await adminOk('PATCH', `/people/${id}`, { revoked: true });
  expect(await lookUp(token, 'second.example')).toBe(401);
});

it('a deployment is told to take keys from elsewhere: it asks Google only', async () => {
  const { google, assign, ok, problem } = await createSignInHarness({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://data.example.com',
    GOOGLE_KEYS_URL: 'https://evil.example/keys',
  });
  const urls: string[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    urls.push(url);
    return google.fetch(url, init);
  });
  await assign('acme.com');
  const standIn = await GoogleIdentity.create(() => clock.now, 'attacker');
  expect(await problem(await standIn.sign())).toMatchObject({ code: 'sign_in_refused' });
  await ok(await google.sign());
  expect(urls).toEqual([KEYS_URL]);
});

it('the identity token is looked for in the log and in the database: it is in neither', async () => {
  const lines: string[] = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.join(' ')));
  }
  const { google, assign, ok, problem } = await createSignInHarness();
  await assign('acme.com');
  const token = await google.sign();
  await ok(token);
  await problem(await google.sign({ hd: 'other.com' }));
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = await Promise.all(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()));
  const stored = JSON.stringify(dumps.map(({ results }) => results));
  expect(lines.length).toBeGreaterThan(0);
  for (const text of [stored, ...lines]) {
    expect(text).not.toContain(token.split('.')[2]);
    expect(text).not.toContain('ada@acme.com');
    expect(text).not.toContain('110169484474386276334');
  }
});

it('the rows of two people are swapped in the database: neither address is shown', async () => {
  const { google, assign, ok, admin } = await createSignInHarness();
  await assign('acme.com');
  await ok(await google.sign());
  await ok(await google.sign({ sub: '2', email: 'bob@acme.com' }));
  await env.DB.prepare(
    'UPDATE people SET email = (SELECT other.email FROM people AS other WHERE other.id <> people.id)',
  ).run();
  const response = await admin('GET', '/people');
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('@');
});

it('the database fails while a person signs in: there is no token, and the next sign-in succeeds', async () => {
  let isFailing = false;
  const DB = interceptCalls(env.DB, (method) => {
    if (isFailing && method === 'batch') throw new Error('D1 is down');
  });
  const { google, assign, send, ok, listTokens } = await createSignInHarness({ DB });
  await assign('acme.com', { budget: { day: 10 } });
  const token = await google.sign();
  isFailing = true;
  expect((await send(token)).status).toBe(500);
  expect(await listTokens()).toEqual([]);
  isFailing = false;
  await ok(token);
});
