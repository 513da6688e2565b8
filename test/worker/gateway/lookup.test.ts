// Lookups and estimates over the real single flight, ledger, throttle, KV and D1, with a scripted provider.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { GatewayContext } from '../../../worker/gateway/context.ts';
import { estimate } from '../../../worker/gateway/estimate.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { longIt } from '../../pick-cases.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, endWaits } from '../platform.ts';
import { buildWebsiteLookup, GatewayHarness } from './harness.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
const notFound = () => Response.json({ detail: 'Company not found' }, { status: 404 });
const unreadable = () => new Response('<html>');

/** Responds with a company; none exists whose website begins with `none`. */
function respond(url: URL): Response {
  const website = url.searchParams.get('website') ?? '';
  if (website.startsWith('none')) return notFound();
  return Response.json({ id: Number(website.replace(/\D/g, '')) + 1, name: website, websites_main: website });
}

/** Looks websites up, by default in a new isolate. */
const lookUp = (
  harness: GatewayHarness,
  keys: string[],
  request: Partial<LookupRequest> = {},
  context: GatewayContext = harness.createContext(),
) => lookup(buildWebsiteLookup(keys, request), context);

/** Looks websites up and waits until KV has the records. */
async function fill(harness: GatewayHarness, keys: string[], context?: GatewayContext) {
  const answer = await lookUp(harness, keys, {}, context);
  const records = new Set(keys.filter((key) => !key.startsWith('none'))).size;
  const missing = new Set(keys).size - records;
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(2 * records + missing);
  return answer;
}

/** A provider that responds once it is released. */
function createSlowHarness(isSlow: (url: URL) => boolean = () => true) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const harness = new GatewayHarness(async (url) => {
    if (isSlow(url)) await promise;
    return respond(url);
  });
  return { harness, release };
}

describe('a lookup', () => {
  it.each([
    [true, 1],
    [false, 2],
    [undefined, 2],
  ])(
    'by website after one by id, of a company with `unique_website` %s: %i purchases',
    async (unique, purchases) => {
      const record = { id: 9, name: 'Acme', websites_main: 'https://www.acme9.com/', unique_website: unique };
      const harness = new GatewayHarness(() => Response.json(record));
      await lookup({ family: 'company_clean', by: 'id', keys: ['9'] }, harness.createContext());
      await expect.poll(() => harness.listStoredKeys()).toHaveLength(unique ? 2 : 1);
      const { rows } = await lookUp(harness, ['acme9.com']);
      expect(rows).toMatchObject([{ record: { name: 'Acme' } }]);
      expect(harness.requests).toHaveLength(purchases);
    },
  );

  it('returns a row for each key in their order, and fetches each distinct key once', async () => {
    const harness = new GatewayHarness(respond);
    const keys = ['b2.com', 'https://www.A1.com/', 'not a website', 'a1.com', '', 'A1.COM/path'];
    const { rows, credits } = await lookUp(harness, keys);
    expect(rows.map(({ key }) => key)).toEqual(keys);
    expect(rows.map(({ status, record }) => record?.name ?? status)).toEqual([
      'b2.com',
      'a1.com',
      'invalid',
      'a1.com',
      'invalid',
      'a1.com',
    ]);
    expect(harness.requests.toSorted()).toEqual(
      ['a1.com', 'b2.com'].map((website) => `company_clean/enrich?website=${website}`),
    );
    expect(credits).toEqual({ spent: 20, saved: 0, remaining: null });
    expect(rows.reduce((sum, row) => sum + row.credits, 0)).toBe(20);
  });

  it('cuts records to the requested fields, or to the default fields of the family', async () => {
    const record = { id: 1, name: 'A', industry: 'B', secret: 'C', updates: [{ date: 'D' }] };
    const harness = new GatewayHarness(() => Response.json(record));
    const fetchFields = async (fields?: string[]) => {
      const { fields: _, ...request } = buildWebsiteLookup(['a1.com']);
      const more = fields === undefined ? {} : { fields, any_fields: true as const };
      return (await lookup({ ...request, ...more }, harness.createContext())).rows[0]?.record;
    };
    expect(await fetchFields(['updates[0].date', 'absent'])).toEqual({ updates: [{ date: 'D' }] });
    expect(await fetchFields()).toEqual({ name: 'A', industry: 'B' });
    expect(await fetchFields(['*'])).toEqual(record);
  });

  it.each([
    ['a stale record for a month', 'a1.com', 31, undefined, 'stale', 1],
    ['a younger record if it is requested', 'a1.com', 2, DAY_S, 'fetched', 2],
    ['no record that is older than twelve months', 'a1.com', 366, undefined, 'fetched', 2],
    ['the fact that none exists', 'none.com', 0.9, undefined, 'not_found', 1],
    ['that fact for a day only', 'none.com', 1.1, undefined, 'not_found', 2],
  ] as const)('returns %s', async (_, website, days, max_age_s, status, calls) => {
    const harness = new GatewayHarness(respond);
    const request = max_age_s === undefined ? {} : { max_age_s };
    const first = (await fill(harness, [website])).rows[0];
    clock.now += days * DAY_MS;
    const { rows, credits } = await lookUp(harness, [website], request);
    expect(rows[0]?.status).toBe(status);
    if (status === 'stale') expect(rows[0]).toMatchObject({ fetched_at: first?.fetched_at, credits: 0 });
    expect(credits.saved).toBe(status === 'stale' ? 10 : 0);
    await lookUp(harness, [website], request);
    expect(harness.requests).toHaveLength(calls);
  });

  it('buys nothing while KV cannot be read, and logs no key', async () => {
    const harness = new GatewayHarness(respond);
    const lines = captureErrorLog();
    harness.kv.failing = 'get';
    const { rows } = await lookUp(harness, ['a1.com']);
    expect(rows).toEqual([{ key: 'a1.com', status: 'failed', problem: 'gateway_unavailable', credits: 0 }]);
    expect(harness.requests).toEqual([]);
    expect(lines).toMatchObject([{ event: 'kv_read_failed', unread: 1, error: 'Error' }]);
    expect(JSON.stringify(lines)).not.toContain('a1.com');
  });

  longIt('caches a record without a usable id under the requested key', async () => {
    const harness = new GatewayHarness((url) =>
      Response.json({ id: '', name: url.searchParams.get('website') }),
    );
    for (const status of ['fetched', 'hit']) {
      const { rows } = await lookUp(harness, ['a1.com', 'b2.com']);
      expect(rows.map((row) => [row.status, row.record?.name])).toEqual([
        [status, 'a1.com'],
        [status, 'b2.com'],
      ]);
    }
  });

  it('returns pending rows at the deadline; their calls continue and are cached', async () => {
    const { harness, release } = createSlowHarness(({ search }) => search.includes('slow'));
    const { rows } = await lookUp(harness, ['a1.com', 'slow2.com'], { wait_ms: 100 });
    expect(rows[1]).toEqual({ key: 'slow2.com', status: 'pending', problem: 'pending', credits: 0 });
    release();
    const getStatus = async () => (await lookUp(harness, ['slow2.com'], { max_credits: 0 })).rows[0]?.status;
    await expect.poll(getStatus).toBe('hit');
    expect(harness.requests.filter((request) => request.includes('slow2.com'))).toHaveLength(1);
  });

  it('returns an older record if a younger one cannot be fetched, with the price of the attempt', async () => {
    let isBroken = false;
    const harness = new GatewayHarness((url) => (isBroken ? unreadable() : respond(url)));
    await fill(harness, ['a1.com']);
    clock.now += 10;
    isBroken = true;
    const { rows, credits } = await lookUp(harness, ['a1.com'], { max_age_s: 0 });
    expect(rows[0]).toMatchObject({ status: 'stale', credits: 10, record: { name: 'a1.com' } });
    expect(credits).toMatchObject({ spent: 10, saved: 0 });
  });
});

describe('max_credits', () => {
  it('is used completely and never exceeded, whatever is free, missing or unclear', async () => {
    // After ten outcomes the circuit breaker may open, and then refuses calls whatever the credits.
    const keys = fc
      .array(fc.constantFrom('a', 'none', 'x'), { minLength: 1, maxLength: 9 })
      .map((kinds) => kinds.map((kind, at) => `${kind}${at}.com`));
    await fc.assert(
      fc.asyncProperty(keys, fc.nat({ max: 100 }), async (requested, max_credits) => {
        const harness = new GatewayHarness((url) =>
          url.search.includes('=x') ? unreadable() : respond(url),
        );
        const { rows, credits } = await lookUp(harness, requested, { max_credits });
        const charged = requested.filter((key) => !key.startsWith('none')).length;
        expect(credits.spent).toBe(Math.min(charged * 10, Math.floor(max_credits / 10) * 10));
        const overBudget = rows.filter(({ status }) => status === 'over_budget');
        expect(overBudget.length === 0 || max_credits - credits.spent < 10).toBe(true);
      }),
      // Shrinking a counterexample would take longer than a test may.
      { numRuns: 6, endOnFailure: true },
    );
  });

  it('leaves pending, not over budget, what it would have allowed at the deadline', async () => {
    const { harness, release } = createSlowHarness(({ search }) => search.includes('slow'));
    const keys = ['none1.com', 'slow2.com', 'slow3.com'];
    const answer = lookUp(harness, keys, { max_credits: 20 });
    await expect.poll(() => harness.listStoredKeys()).toHaveLength(1);
    clock.now += 25_000;
    endWaits();
    const { rows } = await answer;
    expect(rows.map(({ status }) => status)).toEqual(['not_found', 'pending', 'pending']);
    release();
  });

  it('is needed above the limit of formulas: without it nothing is bought, and bought records are shown', async () => {
    const harness = new GatewayHarness(respond);
    const formula = () => harness.createContext('team', { formulaMaxCredits: 20 });
    const keys = ['a1.com', 'b2.com', 'c3.com'];
    const asked = await lookUp(harness, keys, {}, formula());
    expect(asked.rows.map(({ problem }) => problem)).toEqual(Array(3).fill('confirm_price'));
    expect(harness.requests).toEqual([]);
    const confirmed = await lookUp(harness, ['a1.com'], { max_credits: 30 }, formula());
    expect(confirmed.credits.spent).toBe(10);
    // The rest costs no more than the limit.
    expect(await lookUp(harness, keys, {}, formula())).toMatchObject({ credits: { spent: 20 } });
    expect(harness.requests).toHaveLength(3);
  });

  it('of 0 returns cached records and the state of calls in flight', async () => {
    const { harness, release } = createSlowHarness(({ search }) => search.includes('slow'));
    await lookUp(harness, ['a1.com']);
    const first = lookUp(harness, ['slow2.com']);
    await expect.poll(() => harness.requests.length).toBe(2);
    const lookUpFree = async () => {
      const { rows } = await lookUp(harness, ['a1.com', 'slow2.com', 'b3.com'], { max_credits: 0 });
      expect(rows[2]).toMatchObject({ status: 'over_budget', problem: 'max_credits_reached' });
      return rows.slice(0, 2).map(({ status }) => status);
    };
    expect(await lookUpFree()).toEqual(['hit', 'pending']);
    release();
    await first;
    expect(await lookUpFree()).toEqual(['hit', 'hit']);
    expect(harness.requests).toHaveLength(2);
  });
});

describe('an estimate', () => {
  it('counts requested, cached, stale and unbought records, and spends nothing', async () => {
    const harness = new GatewayHarness(respond);
    await fill(harness, ['a1.com', 'none2.com']);
    clock.now += 31 * DAY_MS;
    await lookUp(harness, ['a3.com']);
    const calls = harness.requests.length;
    const keys = ['a1.com', 'A1.com/', 'none2.com', 'a3.com', 'a4.com', 'no website'];
    const counts = { keys: 6, distinct: 4, cached: 2, stale: 1, found: 2, to_fetch: 2, credits: 20 };
    expect(await estimate(buildWebsiteLookup(keys), harness.createContext())).toEqual(counts);
    expect(harness.requests).toHaveLength(calls);
  });

  it('counts records as cached that KV does not have yet', async () => {
    const harness = new GatewayHarness(respond);
    harness.kv.failing = 'put';
    await lookUp(harness, ['a1.com']);
    const request = buildWebsiteLookup(['a1.com', 'a2.com']);
    const counts = { cached: 1, to_fetch: 1, credits: 10 };
    expect(await estimate(request, harness.createContext())).toMatchObject(counts);
  });

  it('is what the lookup then spends', async () => {
    const keys = fc.array(
      fc.nat({ max: 6 }).map((at) => `a${at}.com`),
      { minLength: 1, maxLength: 8 },
    );
    const scenario = fc.record({
      cached: keys,
      ageDays: fc.constantFrom(0, 1, 40),
      requested: keys,
      max_age_s: fc.option(fc.constantFrom(0, 3600, 10 * DAY_S), { nil: undefined }),
      backgroundRefresh: fc.boolean(),
      isSameIsolate: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ cached, ageDays, requested, max_age_s, ...options }) => {
        const { backgroundRefresh, isSameIsolate } = options;
        const harness = new GatewayHarness(respond);
        const first = harness.createContext('team', { backgroundRefresh });
        await fill(harness, cached, first);
        clock.now += ageDays * DAY_MS;
        const context = isSameIsolate ? first : harness.createContext('team', { backgroundRefresh });
        const request = buildWebsiteLookup(requested, max_age_s === undefined ? {} : { max_age_s });
        const estimated = await estimate(request, context);
        const before = harness.requests.length;
        const { credits } = await lookup(request, context);
        await Promise.all(harness.backgroundWork);
        await expect.poll(() => harness.requests.length - before).toBe(estimated.to_fetch);
        expect(estimated.credits).toBe(estimated.to_fetch * 10);
        if (!backgroundRefresh) expect(credits.spent).toBe(estimated.credits);
      }),
      { numRuns: 4 },
    );
  });
});

describe('background refresh', () => {
  it('buys a stale record once, however often it is looked up meanwhile', async () => {
    let isSlow = false;
    const { harness, release } = createSlowHarness(() => isSlow);
    await fill(harness, ['a1.com']);
    clock.now += 31 * DAY_MS;
    isSlow = true;
    const context = harness.createContext('team', { backgroundRefresh: true });
    const getStatus = async () => (await lookUp(harness, ['a1.com'], {}, context)).rows[0]?.status;
    expect([await getStatus(), await getStatus()]).toEqual(['stale', 'stale']);
    await expect.poll(() => harness.requests.length).toBe(2);
    release();
    await Promise.all(harness.backgroundWork);
    for (let repeat = 0; repeat < 5; repeat += 1) {
      clock.now += 1000;
      await getStatus();
    }
    await Promise.all(harness.backgroundWork);
    expect(harness.requests).toHaveLength(2);
  });

  it('is off by default and with max_credits', async () => {
    const harness = new GatewayHarness(respond);
    await fill(harness, ['a1.com']);
    clock.now += 31 * DAY_MS;
    await lookUp(harness, ['a1.com']);
    const context = harness.createContext('team', { backgroundRefresh: true });
    await lookUp(harness, ['a1.com'], { max_credits: 0 }, context);
    expect(harness.backgroundWork).toEqual([]);
  });
});
