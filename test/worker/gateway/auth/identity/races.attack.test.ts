// Changes by the admin while a person signs in.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { findDomain } from '../../../../../worker/gateway/auth/identity/domain-repository.ts';
import {
  findPersonWithToken,
  storeSignIn,
} from '../../../../../worker/gateway/auth/identity/people-repository.ts';
import { createSignInHarness, type SignInHarness } from './harness.ts';

it.each<[string, (harness: SignInHarness, person: string) => Promise<unknown>]>([
  ['revokes the person', ({ adminOk }, id) => adminOk('PATCH', `/people/${id}`, { revoked: true })],
  ['removes the domain', ({ adminOk }) => adminOk('DELETE', '/domains/acme.com')],
  ['deletes the person', ({ adminOk }, id) => adminOk('DELETE', `/people/${id}`)],
  ['assigns another team', ({ assign }) => assign('acme.com')],
])('a sign-in has read its rows when the admin %s: it stores nothing', async (_, act) => {
  const harness = await createSignInHarness();
  const { google, assign, ok, listPeople, listTokens } = harness;
  await assign('acme.com');
  await ok(await google.sign());
  const [{ id = '' } = {}] = await listPeople();
  const orm = drizzle(env.DB);
  const assignment = await findDomain(orm, 'acme.com');
  const former = await findPersonWithToken(orm, id);
  if (assignment === undefined || former?.token == null) throw new Error('nobody has signed in');
  await act(harness, id);
  const { person, token } = former;
  const hash = 'f'.repeat(64);
  const signIn = { assignment, person: { ...person, email: 'v1.other' }, formerTokenId: person.tokenId };
  for (const next of [
    { ...token, hash },
    { ...token, hash, id: 'another' },
  ]) {
    expect(await storeSignIn(orm, { ...signIn, token: next })).toBe(false);
  }
  expect(await listTokens()).toEqual([]);
});
