// Pages of searches and previews: bought once per team and query, and cached with their headers.
import { describe, expect, it } from 'vitest';
import { parseProviderMessage } from '../../../worker/gateway/query.ts';
import { deleteExpiredSnapshot, fetchPage, type PageRequest } from '../../../worker/gateway/search-pages.ts';
import { createFailureResponse } from '../../../worker/routes/cdapi/responses.ts';
import { clock } from '../platform.ts';
import { buildPageRequest, GatewayHarness } from './harness.ts';

const respond = (): Response =>
  Response.json([{ id: 1, name: 'One' }], {
    headers: { 'x-total-results': '1', 'x-snapshot-token': 'token', 'x-secret': 'no' },
  });

/** Fetches a page, by default in a new isolate. */
const fetchNew = (
  harness: GatewayHarness,
  name: 'search' | 'preview',
  query = '',
  body?: string,
  options: Partial<PageRequest> = {},
) => fetchPage(buildPageRequest(name, query, body, options), harness.createContext());

/** Fetches a preview and waits until KV has it. */
async function fill(harness: GatewayHarness, query = ''): Promise<void> {
  await fetchNew(harness, 'preview', query);
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(1);
}

describe('a page', () => {
  it('is fetched and charged once, and cached with its headers', async () => {
    const harness = new GatewayHarness(respond);
    const context = harness.createContext();
    const first = await fetchPage(buildPageRequest('preview'), context);
    expect(first).toMatchObject({ outcome: 'fetched', credits: 10, page: { items: { value: [{ id: 1 }] } } });
    const second = await fetchPage(buildPageRequest('preview'), context);
    const headers = { 'x-total-results': '1', 'x-snapshot-token': 'token' };
    expect(second).toMatchObject({ outcome: 'hit', credits: 0 });
    expect('page' in second && second.page.headers).toEqual(headers);
    await fill(harness);
    expect(harness.requests).toHaveLength(1);
    expect(harness.usages.map(({ outcomes, saved }) => [outcomes, saved])).toEqual([
      [{ fetched: 1 }, 0],
      [{ hit: 1 }, 10],
      [{ hit: 1 }, 10],
    ]);
  });

  it.each<['search' | 'preview', [string, string?][]]>([
    [
      'preview',
      [
        ['page=1&snapshot=false', '{"query":{"match":{"a":1,"b":2}},"sort":["id"]}'],
        ['snapshot=false', ' { "sort" : ["id"], "query":{"match":{"b":2,"a":1}} }\n'],
        ['', '{"query":{"match":{"\\u0061":1,"b":2}},"sort":["id"]}'],
      ],
    ],
    ['search', [['items_per_page=1000&after=x'], ['after=x']]],
  ])('of a %s is the same for every spelling of its query', async (name, spellings) => {
    const harness = new GatewayHarness(respond);
    for (const [query, body] of spellings) await fetchNew(harness, name, query, body);
    expect(harness.requests).toHaveLength(1);
  });

  it('differs for another query, which is sent unchanged', async () => {
    const harness = new GatewayHarness(respond);
    const queries = ['page=2', 'page=3', 'page=2&page=1', 'page=1&page=2', 'snapshot=true'];
    queries.push('page=2&snapshot_token=a%2Bb');
    for (const query of queries) await fetchNew(harness, 'preview', query);
    await fetchNew(harness, 'preview', '', '{"query":{"match_all":{}},"sort":["id"]}');
    await fetchNew(harness, 'search');
    expect(harness.requests).toHaveLength(queries.length + 2);
    expect(harness.requests[2]).toContain('?page=2&page=1 ');
    expect(harness.requests[5]).toContain('?page=2&snapshot_token=a%2Bb ');
    expect(harness.requests.at(-1)).toBe('company_clean/search/es_dsl {"query":{"match_all":{}}}');
  });

  it('is not shared between teams', async () => {
    const harness = new GatewayHarness(respond);
    for (const team of ['one', 'two']) {
      const page = await fetchPage(buildPageRequest('preview'), harness.createContext(team));
      expect(page).toMatchObject({ outcome: 'fetched' });
    }
  });

  it('is returned stale if it was paid, and fetched again if it is free', async () => {
    const harness = new GatewayHarness(respond);
    await fetchNew(harness, 'search');
    await fetchNew(harness, 'preview');
    await expect.poll(() => harness.listStoredKeys()).toHaveLength(2);
    clock.now += 2 * 86_400_000;
    expect(await fetchNew(harness, 'preview')).toMatchObject({ outcome: 'stale', credits: 0 });
    expect(await fetchNew(harness, 'search')).toMatchObject({ outcome: 'fetched' });
    expect(harness.requests).toHaveLength(3);
  });

  it('is not bought with onlyIfCached', async () => {
    const harness = new GatewayHarness(respond);
    const fetchCached = (since = 0) =>
      fetchNew(harness, 'preview', '', undefined, { since, onlyIfCached: true });
    expect(await fetchCached()).toEqual({ outcome: 'failed', problem: 'not_cached', credits: 0 });
    await fill(harness);
    expect(await fetchCached()).toMatchObject({ outcome: 'hit' });
    expect(await fetchCached(clock.now + 1)).toMatchObject({ problem: 'not_cached' });
    expect(harness.requests).toHaveLength(1);
  });

  it('is pending while its call takes longer than the caller waits, and for a caller that does not wait', async () => {
    const released = Promise.withResolvers<void>();
    const harness = new GatewayHarness(() => released.promise.then(respond));
    const pending = { outcome: 'failed', problem: 'pending', credits: 0 };
    expect(await fetchNew(harness, 'preview', '', undefined, { waitMs: 0 })).toEqual(pending);
    const slow = fetchNew(harness, 'preview');
    await expect.poll(() => harness.requests).toHaveLength(1);
    expect(await fetchNew(harness, 'preview', '', undefined, { waitMs: 0 })).toEqual(pending);
    const { status, headers } = createFailureResponse({ problem: 'pending', credits: 0 });
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    released.resolve();
    await slow;
  });

  it('is not bought while KV cannot be read, unless it is free', async () => {
    const harness = new GatewayHarness(respond);
    harness.kv.failing = 'get';
    const failed = { outcome: 'failed', problem: 'gateway_unavailable', credits: 0 };
    expect(await fetchNew(harness, 'preview')).toEqual(failed);
    expect(await fetchNew(harness, 'search')).toMatchObject({ outcome: 'fetched' });
    expect(harness.requests).toHaveLength(1);
  });
});

describe('an error of the provider', () => {
  const invalid = { detail: [{ loc: ['query', 'page'], msg: 'x', type: 'y' }] };

  it.each([
    [
      'that may have been charged returns the older page with its price',
      () => new Response('<html>'),
      { outcome: 'stale', credits: 10 },
    ],
    [
      'about the query is returned in place of the older page',
      () => Response.json(invalid, { status: 422 }),
      {
        outcome: 'failed',
        problem: 'invalid_request',
        credits: 0,
        answer: { status: 422, body: JSON.stringify(invalid) },
      },
    ],
  ])('%s', async (_, respondWithError, expected) => {
    let isFirst = true;
    const harness = new GatewayHarness(() => {
      const response = isFirst ? respond() : respondWithError();
      isFirst = false;
      return response;
    });
    await fill(harness);
    clock.now += 10;
    expect(await fetchNew(harness, 'preview', '', undefined, { since: clock.now })).toMatchObject(expected);
  });

  it.each([
    ['{"detail": "No such field"}', 'No such field.'],
    ['{"detail": "Is it there?"}', 'Is it there?'],
    ['{"Error": "Not enough credits."}', 'Not enough credits.'],
    ['{"message": "No API key found in request"}', 'No API key found in request.'],
    [
      '{"detail": [{"loc": ["body", "sort"], "msg": "is not allowed"}, {"loc": ["body"], "msg": "too long"}]}',
      'sort: is not allowed; body: too long.',
    ],
    ...['', 'no JSON', '{}', '{"detail": []}'].map((body): [string, undefined] => [body, undefined]),
  ])('with the body %j has the message %j', (body, message) => {
    expect(parseProviderMessage({ status: 422, body })).toBe(message);
  });
});

describe('an expired snapshot', () => {
  it('has its first page deleted from KV, memory and the single flight', async () => {
    const harness = new GatewayHarness(respond);
    await fill(harness, 'snapshot=true');
    const context = harness.createContext();
    await fetchPage(buildPageRequest('preview', 'snapshot=true'), context);
    await deleteExpiredSnapshot(buildPageRequest('preview', 'page=2&snapshot_token=token'), context);
    expect(await harness.listStoredKeys()).toEqual([]);
    const page = await fetchPage(buildPageRequest('preview', 'snapshot=true'), context);
    expect(page).toMatchObject({ outcome: 'fetched' });
  });

  it('keeps its first page if another query was refused', async () => {
    const harness = new GatewayHarness(respond);
    await fill(harness, 'snapshot=true');
    const token = 'snapshot_token=token';
    for (const query of ['page=2&snapshot_token=another', `page=51&${token}`, `page=0&${token}`, 'page=2']) {
      await deleteExpiredSnapshot(buildPageRequest('preview', query), harness.createContext());
    }
    expect(await fetchNew(harness, 'preview', 'snapshot=true')).toMatchObject({ outcome: 'hit' });
    expect(harness.requests).toHaveLength(1);
  });
});
