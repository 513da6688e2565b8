import { describe, expect, it } from 'vitest';
import { deleteExpiredSnapshot, fetchPage } from '../../../worker/gateway/search-pages.ts';
import { clock } from '../platform.ts';
import { buildPageRequest, GatewayHarness } from './harness.ts';

const page = (): Response =>
  Response.json([{ id: 1, name: 'One' }], {
    headers: { 'x-total-results': '1', 'x-snapshot-token': 'token', 'x-secret': 'no' },
  });

describe('a page', () => {
  it('is asked once, charged once and remembered with its headers', async () => {
    const house = new GatewayHarness(page);
    const context = house.createContext();
    const first = await fetchPage(buildPageRequest('preview'), context);
    expect(first).toMatchObject({ outcome: 'fetched', credits: 10, page: { items: [{ id: 1 }] } });
    const again = await fetchPage(buildPageRequest('preview'), context);
    expect(again).toMatchObject({ outcome: 'hit', credits: 0 });
    expect('page' in again && again.page.headers).toEqual({
      'x-total-results': '1',
      'x-snapshot-token': 'token',
    });
    // From another isolate, over KV.
    await expect.poll(() => house.listStoredKeys()).toHaveLength(1);
    expect(await fetchPage(buildPageRequest('preview'), house.createContext())).toMatchObject({
      outcome: 'hit',
    });
    expect(house.requests).toHaveLength(1);
    expect(house.usages.map(({ outcomes, saved }) => [outcomes, saved])).toEqual([
      [{ fetched: 1 }, 0],
      [{ hit: 1 }, 10],
      [{ hit: 1 }, 10],
    ]);
  });

  it('is the same however the query is spelt, and whatever goes without saying is said', async () => {
    const house = new GatewayHarness(page);
    const spellings: [string, string][] = [
      ['page=1&snapshot=false', '{"query":{"match":{"a":1,"b":2}},"sort":["id"]}'],
      ['snapshot=false', ' { "sort" : ["id"], "query":{"match":{"b":2,"a":1}} }\n'],
      ['', '{"query":{"match":{"\\u0061":1,"b":2}},"sort":["id"]}'],
    ];
    for (const [query, body] of spellings)
      await fetchPage(buildPageRequest('preview', query, body), house.createContext());
    expect(house.requests).toHaveLength(1);
    const search = new GatewayHarness(page);
    await fetchPage(buildPageRequest('search', 'items_per_page=1000&after=x'), search.createContext());
    await fetchPage(buildPageRequest('search', 'after=x'), search.createContext());
    expect(search.requests).toHaveLength(1);
  });

  it('is another for another question, and goes out as it was asked', async () => {
    const house = new GatewayHarness(page);
    const queries = [
      'page=2',
      'page=3',
      'page=2&page=1',
      'page=1&page=2',
      'snapshot=true',
      'page=2&snapshot_token=a%2Bb',
    ];
    for (const query of queries) await fetchPage(buildPageRequest('preview', query), house.createContext());
    await fetchPage(
      buildPageRequest('preview', '', '{"query":{"match_all":{}},"sort":["id"]}'),
      house.createContext(),
    );
    await fetchPage(buildPageRequest('search'), house.createContext());
    expect(house.requests).toHaveLength(queries.length + 2);
    expect(house.requests[2]).toContain('?page=2&page=1 ');
    expect(house.requests[5]).toContain('?page=2&snapshot_token=a%2Bb ');
    expect(house.requests.at(-1)).toBe('company_clean/search/es_dsl {"query":{"match_all":{}}}');
  });

  it('of one team is no other team’s', async () => {
    const house = new GatewayHarness(page);
    await fetchPage(buildPageRequest('preview'), house.createContext('one'));
    expect(await fetchPage(buildPageRequest('preview'), house.createContext('two'))).toMatchObject({
      outcome: 'fetched',
    });
    expect(house.requests).toHaveLength(2);
  });

  it('that was paid is served when it is old, marked stale; a free one is asked again', async () => {
    const house = new GatewayHarness(page);
    await fetchPage(buildPageRequest('preview'), house.createContext());
    await fetchPage(buildPageRequest('search'), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
    clock.now += 2 * 86_400_000;
    expect(await fetchPage(buildPageRequest('preview'), house.createContext())).toMatchObject({
      outcome: 'stale',
      credits: 0,
    });
    expect(await fetchPage(buildPageRequest('search'), house.createContext())).toMatchObject({
      outcome: 'fetched',
    });
    expect(house.requests).toHaveLength(3);
  });
});

describe('a caller that wants', () => {
  it('only what is remembered has nothing bought', async () => {
    const house = new GatewayHarness(page);
    const ask = (since = 0) =>
      fetchPage(
        buildPageRequest('preview', '', undefined, { since, onlyIfCached: true }),
        house.createContext(),
      );
    expect(await ask()).toEqual({ outcome: 'failed', problem: 'not_remembered', credits: 0 });
    await fetchPage(buildPageRequest('preview'), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(1);
    expect(await ask()).toMatchObject({ outcome: 'hit' });
    expect(await ask(clock.now + 1)).toMatchObject({ problem: 'not_remembered' });
    expect(house.requests).toHaveLength(1);
  });
});

describe('where the provider fails', () => {
  const failing = (then: () => Response) => {
    let first = true;
    return new GatewayHarness(() => {
      const answer = first ? page() : then();
      first = false;
      return answer;
    });
  };

  it('and may have charged, the older page says so', async () => {
    const house = failing(() => new Response('<html>'));
    await fetchPage(buildPageRequest('preview'), house.createContext());
    clock.now += 10;
    const since = clock.now;
    await expect.poll(() => house.listStoredKeys()).toHaveLength(1);
    expect(
      await fetchPage(buildPageRequest('preview', '', undefined, { since }), house.createContext()),
    ).toMatchObject({
      outcome: 'stale',
      credits: 10,
    });
  });

  it('its own words are passed on, and a question that is wrong hides behind no older page', async () => {
    const body = { detail: [{ loc: ['query', 'page'], msg: 'x', type: 'y' }] };
    const house = failing(() => Response.json(body, { status: 422 }));
    await fetchPage(buildPageRequest('preview'), house.createContext());
    clock.now += 10;
    const since = clock.now;
    const answer = await fetchPage(
      buildPageRequest('preview', '', undefined, { since }),
      house.createContext(),
    );
    expect(answer).toMatchObject({
      outcome: 'failed',
      problem: 'invalid_request',
      credits: 0,
      answer: { status: 422, body: JSON.stringify(body) },
    });
  });
});

describe('while KV can’t be read', () => {
  it('nothing is paid, and what is free is asked', async () => {
    const house = new GatewayHarness(page);
    house.kv.failing = 'get';
    expect(await fetchPage(buildPageRequest('preview'), house.createContext())).toMatchObject({
      outcome: 'failed',
      problem: 'gateway_unavailable',
      credits: 0,
    });
    expect(await fetchPage(buildPageRequest('search'), house.createContext())).toMatchObject({
      outcome: 'fetched',
    });
    expect(house.requests).toHaveLength(1);
  });
});

describe('a snapshot that the provider knows no more', () => {
  const bought = async (): Promise<GatewayHarness> => {
    const house = new GatewayHarness(page);
    await fetchPage(buildPageRequest('preview', 'snapshot=true'), house.createContext());
    await expect.poll(() => house.listStoredKeys()).toHaveLength(1);
    return house;
  };

  it('has the page that began it forgotten in KV, isolate and flight', async () => {
    const house = await bought();
    const context = house.createContext();
    await fetchPage(buildPageRequest('preview', 'snapshot=true'), context);
    await deleteExpiredSnapshot(buildPageRequest('preview', 'page=2&snapshot_token=token'), context);
    expect(await house.listStoredKeys()).toEqual([]);
    expect(await fetchPage(buildPageRequest('preview', 'snapshot=true'), context)).toMatchObject({
      outcome: 'fetched',
    });
    expect(house.requests).toHaveLength(2);
  });

  it.each([
    'page=2&snapshot_token=another',
    'page=51&snapshot_token=token',
    'page=0&snapshot_token=token',
    'page=2',
  ])('is not what a refusal of %s means: the page stays, as it was paid', async (query) => {
    const house = await bought();
    await deleteExpiredSnapshot(buildPageRequest('preview', query), house.createContext());
    expect(
      await fetchPage(buildPageRequest('preview', 'snapshot=true'), house.createContext()),
    ).toMatchObject({
      outcome: 'hit',
    });
    expect(house.requests).toHaveLength(1);
  });
});
