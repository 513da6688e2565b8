import { describe, expect, it } from 'vitest';
import { bringPage, forgetSnapshot } from '../../../worker/gateway/search-pages.ts';
import { clock } from '../platform.ts';
import { House, question } from './house.ts';

const page = (): Response =>
  Response.json([{ id: 1, name: 'One' }], {
    headers: { 'x-total-results': '1', 'x-snapshot-token': 'token', 'x-secret': 'no' },
  });

describe('a page', () => {
  it('is asked once, charged once and remembered with its headers', async () => {
    const house = new House(page);
    const context = house.context();
    const first = await bringPage(question('preview'), context);
    expect(first).toMatchObject({ outcome: 'fetched', credits: 10, page: { items: [{ id: 1 }] } });
    const again = await bringPage(question('preview'), context);
    expect(again).toMatchObject({ outcome: 'hit', credits: 0 });
    expect('page' in again && again.page.headers).toEqual({
      'x-total-results': '1',
      'x-snapshot-token': 'token',
    });
    // From another isolate, over KV.
    await expect.poll(() => house.stored()).toHaveLength(1);
    expect(await bringPage(question('preview'), house.context())).toMatchObject({ outcome: 'hit' });
    expect(house.asked).toHaveLength(1);
    expect(house.noted.map(({ outcomes, saved }) => [outcomes, saved])).toEqual([
      [{ fetched: 1 }, 0],
      [{ hit: 1 }, 10],
      [{ hit: 1 }, 10],
    ]);
  });

  it('is the same however the query is spelt, and whatever goes without saying is said', async () => {
    const house = new House(page);
    const spellings: [string, string][] = [
      ['page=1&snapshot=false', '{"query":{"match":{"a":1,"b":2}},"sort":["id"]}'],
      ['snapshot=false', ' { "sort" : ["id"], "query":{"match":{"b":2,"a":1}} }\n'],
      ['', '{"query":{"match":{"\\u0061":1,"b":2}},"sort":["id"]}'],
    ];
    for (const [query, body] of spellings) await bringPage(question('preview', query, body), house.context());
    expect(house.asked).toHaveLength(1);
    const search = new House(page);
    await bringPage(question('search', 'items_per_page=1000&after=x'), search.context());
    await bringPage(question('search', 'after=x'), search.context());
    expect(search.asked).toHaveLength(1);
  });

  it('is another for another question, and goes out as it was asked', async () => {
    const house = new House(page);
    const queries = [
      'page=2',
      'page=3',
      'page=2&page=1',
      'page=1&page=2',
      'snapshot=true',
      'page=2&snapshot_token=a%2Bb',
    ];
    for (const query of queries) await bringPage(question('preview', query), house.context());
    await bringPage(question('preview', '', '{"query":{"match_all":{}},"sort":["id"]}'), house.context());
    await bringPage(question('search'), house.context());
    expect(house.asked).toHaveLength(queries.length + 2);
    expect(house.asked[2]).toContain('?page=2&page=1 ');
    expect(house.asked[5]).toContain('?page=2&snapshot_token=a%2Bb ');
    expect(house.asked.at(-1)).toBe('company_clean/search/es_dsl {"query":{"match_all":{}}}');
  });

  it('of one team is no other team’s', async () => {
    const house = new House(page);
    await bringPage(question('preview'), house.context('one'));
    expect(await bringPage(question('preview'), house.context('two'))).toMatchObject({ outcome: 'fetched' });
    expect(house.asked).toHaveLength(2);
  });

  it('that was paid is served when it is old, marked stale; a free one is asked again', async () => {
    const house = new House(page);
    await bringPage(question('preview'), house.context());
    await bringPage(question('search'), house.context());
    await expect.poll(() => house.stored()).toHaveLength(2);
    clock.now += 2 * 86_400_000;
    expect(await bringPage(question('preview'), house.context())).toMatchObject({
      outcome: 'stale',
      credits: 0,
    });
    expect(await bringPage(question('search'), house.context())).toMatchObject({ outcome: 'fetched' });
    expect(house.asked).toHaveLength(3);
  });
});

describe('a caller that wants', () => {
  it('only what is remembered has nothing bought', async () => {
    const house = new House(page);
    const ask = (since = 0) =>
      bringPage(question('preview', '', undefined, { since, onlyIfCached: true }), house.context());
    expect(await ask()).toEqual({ outcome: 'failed', problem: 'not_remembered', credits: 0 });
    await bringPage(question('preview'), house.context());
    await expect.poll(() => house.stored()).toHaveLength(1);
    expect(await ask()).toMatchObject({ outcome: 'hit' });
    expect(await ask(clock.now + 1)).toMatchObject({ problem: 'not_remembered' });
    expect(house.asked).toHaveLength(1);
  });
});

describe('where the provider fails', () => {
  const failing = (then: () => Response) => {
    let first = true;
    return new House(() => {
      const answer = first ? page() : then();
      first = false;
      return answer;
    });
  };

  it('and may have charged, the older page says so', async () => {
    const house = failing(() => new Response('<html>'));
    await bringPage(question('preview'), house.context());
    clock.now += 10;
    const since = clock.now;
    await expect.poll(() => house.stored()).toHaveLength(1);
    expect(await bringPage(question('preview', '', undefined, { since }), house.context())).toMatchObject({
      outcome: 'stale',
      credits: 10,
    });
  });

  it('its own words are passed on, and a question that is wrong hides behind no older page', async () => {
    const body = { detail: [{ loc: ['query', 'page'], msg: 'x', type: 'y' }] };
    const house = failing(() => Response.json(body, { status: 422 }));
    await bringPage(question('preview'), house.context());
    clock.now += 10;
    const since = clock.now;
    const answer = await bringPage(question('preview', '', undefined, { since }), house.context());
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
    const house = new House(page);
    house.kv.failing = 'get';
    expect(await bringPage(question('preview'), house.context())).toMatchObject({
      outcome: 'failed',
      problem: 'gateway_unavailable',
      credits: 0,
    });
    expect(await bringPage(question('search'), house.context())).toMatchObject({ outcome: 'fetched' });
    expect(house.asked).toHaveLength(1);
  });
});

describe('a snapshot that the provider knows no more', () => {
  const bought = async (): Promise<House> => {
    const house = new House(page);
    await bringPage(question('preview', 'snapshot=true'), house.context());
    await expect.poll(() => house.stored()).toHaveLength(1);
    return house;
  };

  it('has the page that began it forgotten in KV, isolate and flight', async () => {
    const house = await bought();
    const context = house.context();
    await bringPage(question('preview', 'snapshot=true'), context);
    await forgetSnapshot(question('preview', 'page=2&snapshot_token=token'), context);
    expect(await house.stored()).toEqual([]);
    expect(await bringPage(question('preview', 'snapshot=true'), context)).toMatchObject({
      outcome: 'fetched',
    });
    expect(house.asked).toHaveLength(2);
  });

  it.each([
    'page=2&snapshot_token=another',
    'page=51&snapshot_token=token',
    'page=0&snapshot_token=token',
    'page=2',
  ])('is not what a refusal of %s means: the page stays, as it was paid', async (query) => {
    const house = await bought();
    await forgetSnapshot(question('preview', query), house.context());
    expect(await bringPage(question('preview', 'snapshot=true'), house.context())).toMatchObject({
      outcome: 'hit',
    });
    expect(house.asked).toHaveLength(1);
  });
});
