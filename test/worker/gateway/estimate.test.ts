// An estimate spends nothing and is what a lookup then spends; max_credits is never passed; what goes on behind is bought once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { estimate } from '../../../worker/gateway/estimate.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { clock } from '../platform.ts';
import { buildWebsiteLookup, GatewayHarness } from './harness.ts';

const DAY_MS = 86_400_000;
const missing = () => Response.json({ detail: 'Company not found' }, { status: 404 });

/** Companies; there is none whose website begins with `none`. */
const companies = (url: URL): Response => {
  const website = url.searchParams.get('website') ?? '';
  if (website.startsWith('none')) return missing();
  return Response.json({ id: Number(website.replace(/\D/g, '')) + 1, name: website, websites_main: website });
};

describe('an estimate', () => {
  it('counts what is asked, what is known, what is old and what is not readable', async () => {
    const house = new GatewayHarness(companies);
    await lookup(buildWebsiteLookup(['a1.com', 'none2.com']), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(3);
    clock.now += 31 * DAY_MS;
    await lookup(buildWebsiteLookup(['a3.com']), house.createContext());
    const asked = house.requests.length;
    const request = buildWebsiteLookup(['a1.com', 'A1.com/', 'none2.com', 'a3.com', 'a4.com', 'no website']);
    expect(await estimate(request, house.createContext())).toEqual({
      keys: 6,
      distinct: 4,
      cached: 2,
      stale: 1,
      to_fetch: 2,
      credits: 20,
    });
    expect(house.requests).toHaveLength(asked);
  });

  it('knows what a flight has heard and KV does not have yet', async () => {
    const house = new GatewayHarness(companies);
    house.kv.failing = 'put';
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    expect(await estimate(buildWebsiteLookup(['a1.com', 'a2.com']), house.createContext())).toMatchObject({
      cached: 1,
      to_fetch: 1,
      credits: 10,
    });
  });

  it('is what the lookup then spends, whatever is remembered and however it is asked', async () => {
    const key = fc.nat({ max: 6 }).map((at) => `a${at}.com`);
    const keys = fc.array(key, { minLength: 1, maxLength: 8 });
    const step = fc.record({
      before: keys,
      ageDays: fc.constantFrom(0, 1, 40),
      keys,
      max_age_s: fc.option(fc.constantFrom(0, 3600, 10 * 86_400), { nil: undefined }),
      refresh: fc.boolean(),
      isolate: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(step, async ({ before, ageDays, keys: asked, max_age_s, refresh, isolate }) => {
        const house = new GatewayHarness(companies);
        const one = house.createContext('team', { backgroundRefresh: refresh });
        await lookup(buildWebsiteLookup(before), one);
        const distinct = new Set(before).size;
        await expect.poll(() => house.listStoredKeys()).toHaveLength(2 * distinct);
        clock.now += ageDays * DAY_MS;
        const context = isolate ? one : house.createContext('team', { backgroundRefresh: refresh });
        const request: LookupRequest = buildWebsiteLookup(
          asked,
          max_age_s === undefined ? {} : { max_age_s },
        );
        const told = await estimate(request, context);
        const already = house.requests.length;
        const { credits } = await lookup(request, context);
        await Promise.all(house.backgroundWork);
        await expect.poll(() => house.requests.length - already).toBe(told.to_fetch);
        expect((house.requests.length - already) * 10).toBe(told.credits);
        if (!refresh) expect(credits.spent).toBe(told.credits);
      }),
      { numRuns: 12 },
    );
  });
});

describe('background refresh', () => {
  it('buys what is stale once, however often it is looked at meanwhile', async () => {
    const release = Promise.withResolvers<void>();
    let slow = false;
    const house = new GatewayHarness(async (url) => {
      if (slow) await release.promise;
      return companies(url);
    });
    const context = () => house.createContext('team', { backgroundRefresh: true });
    await lookup(buildWebsiteLookup(['a1.com']), context());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
    clock.now += 31 * DAY_MS;
    slow = true;
    const isolate = context();
    const look = async () => (await lookup(buildWebsiteLookup(['a1.com']), isolate)).rows[0]?.status;
    expect([await look(), await look()]).toEqual(['stale', 'stale']);
    await expect.poll(() => house.requests.length).toBe(2);
    release.resolve();
    await Promise.all(house.backgroundWork);
    for (let again = 0; again < 5; again += 1) {
      clock.now += 1000;
      await look();
    }
    await Promise.all(house.backgroundWork);
    expect(house.requests).toHaveLength(2);
  });

  it('is not done where it was not switched on, nor for who says what may be spent', async () => {
    const house = new GatewayHarness(companies);
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
    clock.now += 31 * DAY_MS;
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    const refreshing = house.createContext('team', { backgroundRefresh: true });
    await lookup(buildWebsiteLookup(['a1.com'], { max_credits: 0 }), refreshing);
    expect(house.backgroundWork).toEqual([]);
  });
});

describe('max_credits', () => {
  it('is never passed, whatever is free, missing or unclear, and all of it is used', async () => {
    const kind = fc.constantFrom('a', 'none', 'x');
    const keys = fc
      .array(kind, { minLength: 1, maxLength: 12 })
      .map((kinds) => kinds.map((name, at) => `${name}${at}.com`));
    await fc.assert(
      fc.asyncProperty(keys, fc.nat({ max: 130 }), async (asked, max_credits) => {
        const house = new GatewayHarness((url) =>
          url.search.includes('=x') ? new Response('<html>') : companies(url),
        );
        const { rows, credits } = await lookup(
          buildWebsiteLookup(asked, { max_credits }),
          house.createContext(),
        );
        expect(credits.spent).toBeLessThanOrEqual(max_credits);
        const costly = asked.filter((name) => !name.startsWith('none')).length;
        expect(credits.spent).toBe(Math.min(costly * 10, Math.floor(max_credits / 10) * 10));
        const left = rows.filter(({ status }) => status === 'over_budget');
        expect(left.length === 0 || max_credits - credits.spent < 10).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it('says pending, not over budget, of what it would have allowed when the time was over', async () => {
    const release = Promise.withResolvers<void>();
    const house = new GatewayHarness(async (url) => {
      if (url.search.includes('=slow')) await release.promise;
      return companies(url);
    });
    const request = buildWebsiteLookup(['none1.com', 'slow2.com', 'slow3.com'], {
      max_credits: 20,
      wait_ms: 3000,
    });
    const { rows } = await lookup(request, house.createContext());
    expect(rows.map(({ status }) => status)).toEqual(['not_found', 'pending', 'pending']);
    release.resolve();
  });

  it('of 0 tells what is on its way for somebody else', async () => {
    const release = Promise.withResolvers<void>();
    const house = new GatewayHarness(async (url) => {
      await release.promise;
      return companies(url);
    });
    const first = lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    await expect.poll(() => house.requests.length).toBe(1);
    const look = async () =>
      (await lookup(buildWebsiteLookup(['a1.com'], { max_credits: 0 }), house.createContext())).rows[0]
        ?.status;
    expect(await look()).toBe('pending');
    release.resolve();
    await first;
    expect(await look()).toBe('hit');
  });
});

describe('an older record', () => {
  it('stands in for a younger one that can’t be had, and says what the attempt may have cost', async () => {
    let broken = false;
    const house = new GatewayHarness((url) => (broken ? new Response('<html>') : companies(url)));
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
    clock.now += 10;
    broken = true;
    const { rows, credits } = await lookup(
      buildWebsiteLookup(['a1.com'], { max_age_s: 0 }),
      house.createContext(),
    );
    expect(rows[0]).toMatchObject({ status: 'stale', credits: 10, record: { name: 'a1.com' } });
    expect(credits).toMatchObject({ spent: 10, saved: 0 });
  });
});
