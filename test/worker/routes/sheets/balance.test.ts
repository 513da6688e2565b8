// One balance: “footer, Activity and formulas show different balances after a purchase … after a lookup that found nothing,
// ‘left’ stays 10 short for a minute”.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { LookupResponse } from '../../../../shared/api/lookup.ts';
import type { PreviewEstimateResponse, PreviewResponse } from '../../../../shared/api/search.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { createGateway } from '../../harness.ts';
import { callsWith, tokenOf } from './callers.ts';

/** Finds companies but those whose names begin with “no”; every search matches 45. */
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

/** A team with a budget of 1,000 credits a day, and calls with two of its isolates. */
async function team() {
  const name = `balance-${++teams}`;
  const token = await tokenOf(name);
  await getLedger(env, name).setBudget({ caps: { day: 1000 } });
  const at = callsWith(token, createGateway(provider, name));
  const elsewhere = callsWith(token, createGateway(provider, name));
  const lookUp = async (keys: string[], calls = at): Promise<number | null> => {
    const body = { family: 'company_clean', by: 'website', keys, fields: ['name'] };
    return (await calls.ok<LookupResponse>('POST', '/lookup', body)).credits.remaining;
  };
  const me = async (calls = at) => (await calls.ok<MeResponse>('GET', '/me')).remaining;
  return { name, token, at, elsewhere, lookUp, me };
}

describe('the balance', () => {
  it('of a lookup that found nothing is whole at once, and stays so', async () => {
    const { lookUp, me } = await team();
    expect(await lookUp(['no1.example', 'no2.example', 'no3.example'])).toBe(1000);
    // From the cache: what the isolate knows.
    expect(await lookUp(['no1.example'])).toBe(1000);
    await expect.poll(() => me()).toBe(1000);
  });

  it('of a lookup, of the next one from the cache, and of the team are the same', async () => {
    const { lookUp, me } = await team();
    expect(await lookUp(['a1.com', 'no1.example', 'a2.com'])).toBe(980);
    expect(await lookUp(['a1.com'])).toBe(980);
    await expect.poll(() => me()).toBe(980);
    expect(await lookUp(['a1.com'])).toBe(980);
  });

  it('is that of the ledger in every isolate, whatever it knew before', async () => {
    const { name, lookUp, me, elsewhere } = await team();
    expect(await me(elsewhere)).toBe(1000);
    await lookUp(['a1.com']);
    await expect
      .poll(async () => [await me(elsewhere), (await getLedger(env, name).getBudget()).held])
      .toEqual([990, 0]);
    await me(elsewhere);
    // What an isolate was told counts for what it answers from then on.
    expect(await lookUp(['a1.com'], elsewhere)).toBe(990);
  });

  it('is that of the token, where it has a cap of its own', async () => {
    const { name, me } = await team();
    const { results } = await env.DB.prepare('SELECT id FROM tokens WHERE team_id = ?')
      .bind(name)
      .all<{ id: string }>();
    await getLedger(env, name).setToken(results[0]?.id ?? '', { caps: { day: 40 } });
    expect(await me()).toBe(40);
  });

  it('of a preview is told with it', async () => {
    const { at, me } = await team();
    const body = { family: 'company_base', filters: { name: 'acme' } };
    const { credits } = await at.ok<PreviewResponse>('POST', '/preview', body);
    expect(credits).toEqual({ spent: 10, saved: 0, remaining: 990 });
    expect(await me()).toBe(990);
  });

  it('of one team is nobody else’s, where two ask the same', async () => {
    const one = await team();
    const others = `${one.name}-other`;
    const other = callsWith(await tokenOf(others), createGateway(provider, one.name));
    await getLedger(env, others).setBudget({ caps: { day: 500 } });
    const left = await Promise.all([one.lookUp(['a9.com']), one.lookUp(['a9.com'], other)]);
    expect([
      [990, 500],
      [1000, 490],
    ]).toContainEqual(left);
  });
});

describe('“Search says 50 credits, then charges 0”: the estimate of a preview', () => {
  const query = { family: 'company_base', filters: { name: 'acme' } } as const;
  const estimated = async (more: object = {}, calls: Awaited<ReturnType<typeof team>>['at']) =>
    calls.ok<PreviewEstimateResponse>('POST', '/preview/estimate', { ...query, pages: 3, ...more });

  it('counts the pages in the cache as free, and buys nothing', async () => {
    const { at, me } = await team();
    expect(await estimated({}, at)).toEqual({ total: 45, pages: 3, cached: 0, to_fetch: 3, credits: 30 });
    expect(await me()).toBe(1000);
    await at.ok('POST', '/preview', { ...query, pages: 2 });
    expect(await estimated({}, at)).toEqual({ total: 45, pages: 3, cached: 2, to_fetch: 1, credits: 10 });
    await at.ok('POST', '/preview', { ...query, pages: 3 });
    expect(await estimated({}, at)).toMatchObject({ cached: 3, credits: 0 });
    const again = await at.ok<PreviewResponse>('POST', '/preview', { ...query, pages: 3 });
    expect(again.credits.spent).toBe(0);
  });

  it('is right in another isolate, where KV may not show the pages yet', async () => {
    const { at, elsewhere } = await team();
    await at.ok('POST', '/preview', query);
    expect(await estimated({ pages: 1 }, elsewhere)).toMatchObject({ cached: 1, credits: 0 });
  });

  it('counts pages that are too old as bought again', async () => {
    const { at } = await team();
    await at.ok('POST', '/preview', { ...query, pages: 3 });
    expect(await estimated({ max_age_s: 0 }, at)).toMatchObject({ to_fetch: 3, credits: 30 });
    expect(await estimated({ max_age_s: 600 }, at)).toMatchObject({ to_fetch: 0, credits: 0 });
  });
});
