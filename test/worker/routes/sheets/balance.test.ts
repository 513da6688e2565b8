// The remaining credits are the same everywhere, at once after a purchase or a lookup without result.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { LookupResponse } from '../../../../shared/api/lookup.ts';
import type { PreviewEstimateResponse, PreviewResponse } from '../../../../shared/api/search.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { createClient, createToken, createTokenClient, getTokenId } from './callers.ts';

/** A provider: websites that start with “no” do not exist; every search matches 45 records. */
function provider(_key: string, { url }: Request): Response {
  const { pathname, searchParams } = new URL(url);
  if (pathname.includes('/search/')) {
    const headers = { 'x-total-results': '45', 'x-total-pages': '3' };
    if (!pathname.endsWith('/preview')) return Response.json([1], { headers });
    const snapshot = searchParams.get('snapshot_token') ?? crypto.randomUUID();
    return Response.json([{ id: 1, name: 'Acme' }], {
      headers: { ...headers, 'x-snapshot-token': snapshot },
    });
  }
  const website = searchParams.get('website') ?? '';
  return website.startsWith('no')
    ? new Response('{}', { status: 404 })
    : Response.json({ id: 1, name: website });
}

let teams = 0;
const WINDOW_MS = 60_000;

/** Creates a team with 1,000 credits a day and two isolates. */
async function createTeam() {
  const name = `balance-${++teams}`;
  // The next window's lease would count a reservation that is released in this moment.
  clock.now = Math.ceil(clock.now / WINDOW_MS) * WINDOW_MS;
  const token = await createToken(name);
  await getLedger(env, name).setBudget({ caps: { day: 1000 } });
  const client = createTokenClient(token, createGateway(provider, name));
  const otherIsolate = createTokenClient(token, createGateway(provider, name));
  const lookUp = async (keys: string[], calls = client): Promise<number | null> => {
    const body = { family: 'company_clean', by: 'website', keys, fields: ['name'] };
    return (await calls.ok<LookupResponse>('POST', '/lookup', body)).credits.remaining;
  };
  const me = async (calls = client) => (await calls.ok<MeResponse>('GET', '/me')).remaining;
  return { name, token, client, otherIsolate, lookUp, me };
}

describe('the remaining credits', () => {
  it('agree between a lookup with a miss, a cached lookup and /me, at once', async () => {
    const { lookUp, me } = await createTeam();
    expect(await lookUp(['a1.com', 'no1.example', 'a2.com'])).toBe(980);
    expect(await lookUp(['a1.com'])).toBe(980);
    await expect.poll(() => me()).toBe(980);
    expect(await lookUp(['a1.com'])).toBe(980);
  });

  it('follow the ledger in every isolate', async () => {
    const { name, lookUp, me, otherIsolate } = await createTeam();
    expect(await me(otherIsolate)).toBe(1000);
    await lookUp(['a1.com']);
    await expect
      .poll(async () => [await me(otherIsolate), (await getLedger(env, name).getBudget()).reserved])
      .toEqual([990, 0]);
    await me(otherIsolate);
    // The isolate then uses the new value.
    expect(await lookUp(['a1.com'], otherIsolate)).toBe(990);
  });

  it('add up to the budget with what is spent and reserved', async () => {
    const { name, client, lookUp } = await createTeam();
    await lookUp(['a1.com']);
    const order = {
      id: `${name}-order`,
      token: 'order',
      operation: 'bulk',
      family: 'company_clean',
    } as const;
    await getLedger(env, name).reserveMany([{ ...order, subject: '', credits: 300 }], 0);
    // The ledger settles the lookup after its response.
    await expect
      .poll(() => client.ok<MeResponse>('GET', '/me'))
      .toMatchObject({ spent: { day: 10 }, reserved: 300, remaining: 690 });
  });

  it('respect the cap of the token', async () => {
    const { name, me } = await createTeam();
    await getLedger(env, name).setToken(await getTokenId(name), { caps: { day: 40 } });
    expect(await me()).toBe(40);
  });

  it('are returned with a preview', async () => {
    const { client, me } = await createTeam();
    const body = { family: 'company_base', filters: { name: 'acme' } };
    const { credits } = await client.ok<PreviewResponse>('POST', '/preview', body);
    expect(credits).toEqual({ spent: 10, saved: 0, remaining: 990 });
    expect(await me()).toBe(990);
  });

  it('are separate for teams that share a call', async () => {
    const one = await createTeam();
    const others = `${one.name}-other`;
    const other = await createClient(others, {}, createGateway(provider, one.name));
    await getLedger(env, others).setBudget({ caps: { day: 500 } });
    const left = await Promise.all([one.lookUp(['a9.com']), one.lookUp(['a9.com'], other)]);
    expect([
      [990, 500],
      [1000, 490],
    ]).toContainEqual(left);
  });
});

describe('the estimate of a preview', () => {
  const query = { family: 'company_base', filters: { name: 'acme' } } as const;
  const estimate = async (more: object = {}, calls: Awaited<ReturnType<typeof createTeam>>['client']) =>
    calls.ok<PreviewEstimateResponse>('POST', '/preview/estimate', { ...query, pages: 3, ...more });

  it('does not charge cached pages', async () => {
    const { client, me } = await createTeam();
    expect(await estimate({}, client)).toEqual({ total: 45, pages: 3, cached: 0, to_fetch: 3, credits: 30 });
    expect(await me()).toBe(1000);
    await client.ok('POST', '/preview', { ...query, pages: 2 });
    expect(await estimate({}, client)).toEqual({ total: 45, pages: 3, cached: 2, to_fetch: 1, credits: 10 });
    await client.ok('POST', '/preview', { ...query, pages: 3 });
    expect(await estimate({}, client)).toMatchObject({ cached: 3, credits: 0 });
    const again = await client.ok<PreviewResponse>('POST', '/preview', { ...query, pages: 3 });
    expect(again.credits.spent).toBe(0);
  });

  it('includes pages of other isolates that KV may not show yet', async () => {
    const { client, otherIsolate } = await createTeam();
    await client.ok('POST', '/preview', query);
    expect(await estimate({ pages: 1 }, otherIsolate)).toMatchObject({ cached: 1, credits: 0 });
  });

  it('charges pages that are too old', async () => {
    const { client } = await createTeam();
    await client.ok('POST', '/preview', { ...query, pages: 3 });
    expect(await estimate({ max_age_s: 0 }, client)).toMatchObject({ to_fetch: 3, credits: 30 });
    expect(await estimate({ max_age_s: 600 }, client)).toMatchObject({ to_fetch: 0, credits: 0 });
  });
});
