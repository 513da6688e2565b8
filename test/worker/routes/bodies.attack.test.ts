// Attacks by bodies and parameters: deep JSON, hostile responses of the provider, parameters that nobody documented.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { PreviewResponse } from '../../../shared/api/search.ts';
import { ServiceHarness } from '../data-requests/service-harness.ts';
import { buildTeamRequest, createGateway, type ProviderScript } from '../harness.ts';
import { admin } from './admin/harness.ts';

const LEVELS = 20_000;

/** A JSON text of nested arrays. */
const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const unreachable: ProviderScript = () => {
  throw new Error('the provider must not be called');
};

function buildRequest(method: string, body: string): RequestInit {
  const headers = { apikey: env.TEAM_TOKEN, authorization: `Bearer ${env.TEAM_TOKEN}` };
  return { method, body, headers };
}

it.each([
  ['POST', '/cdapi/v2/company_clean/search/es_dsl', `{"query":${nest(LEVELS)}}`],
  ['POST', '/cdapi/v2/company_base/search/filter/preview', `{"name":${nest(LEVELS)}}`],
  ['POST', '/cdapi/v2/data_requests/company_clean/es_dsl', `{"es_dsl_query":${nest(LEVELS)}}`],
  ['POST', '/cdapi/v2/data_requests/company_base/filter', `{"filters":${nest(LEVELS)}}`],
  ['POST', '/sheets/v1/lookup', `{"family":"company_clean","keys":${nest(LEVELS)}}`],
  ['POST', '/sheets/v1/search', `{"family":"company_clean","es_dsl":{"query":${nest(LEVELS)}}}`],
  ['POST', '/sheets/v1/searches', `{"query":{"es_dsl":{"query":${nest(LEVELS)}}}}`],
  ['PUT', '/sheets/v1/tables/11111111-2222-4333-8444-555555555555', `{"source":${nest(LEVELS)}}`],
])(
  '%s %s with JSON of 20,000 levels: refused with 422, and the provider is not called',
  async (method, path, body) => {
    const { request } = createGateway(unreachable);
    const response = await request(path, buildRequest(method, body));
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('nested deeper than 500 levels');
  },
);

it('POST /admin/v1/teams with JSON of 20,000 levels: refused with 422', async () => {
  const problem = await admin().problem('POST', '/teams', { body: `{"name":${nest(LEVELS)}}` });
  expect(problem).toMatchObject({ status: 422, code: 'invalid_request' });
  expect(problem.detail).toContain('nested deeper than 500 levels');
});

it('brackets in a text are no nesting, also behind escaped quotes: accepted', async () => {
  const { request, requestedKeys } = createGateway(() => Response.json([1]));
  const query = `"\\" ${'['.repeat(LEVELS / 2)}`;
  const body = JSON.stringify({ query: { match: { name: query } } });
  const response = await request('/cdapi/v2/company_clean/search/es_dsl', buildRequest('POST', body));
  expect([response.status, requestedKeys]).toEqual([200, ['es_dsl']]);
});

it('a record of the provider nested 200,000 levels deep: only its row fails, is charged, and is not sent again', async () => {
  const { lookup, requestedKeys } = createGateway((key) =>
    key === 'deep.com'
      ? new Response(`{"id":1,"a":${nest(200_000)}}`)
      : Response.json({ id: 2, name: key, websites_main: key }),
  );
  const request: LookupRequest = { family: 'company_clean', by: 'website', keys: ['deep.com', 'good.com'] };
  const unclear = { key: 'deep.com', status: 'failed', problem: 'provider_unclear' };
  expect((await lookup(request)).rows).toMatchObject([
    { ...unclear, credits: 10 },
    { key: 'good.com', status: 'fetched', credits: 10 },
  ]);
  expect((await lookup(request)).rows).toMatchObject([
    { ...unclear, credits: 0 },
    { key: 'good.com', status: 'hit', credits: 0 },
  ]);
  expect(requestedKeys.toSorted()).toEqual(['deep.com', 'good.com']);
});

it.each([
  ['/company_clean/search/es_dsl', 'items_per_page=5&after=1&after=2', '&debug=true&sort=id'],
  ['/company_base/search/filter', 'sort=id&items_per_page=5', '&apikey=x&explain=1'],
  ['/company_clean/search/es_dsl/preview', 'page=2&snapshot_token=t', '&items_per_page=1000'],
])('a caller adds unknown parameters to %s: they do not reach the provider', async (path, known, unknown) => {
  const sent: string[] = [];
  const { request } = createGateway((_, { url }) => {
    sent.push(new URL(url).search);
    return Response.json([]);
  });
  const post = buildRequest('POST', '{"query":{"match_all":{}}}');
  expect((await request(`/cdapi/v2${path}?${known}${unknown}`, post)).status).toBe(200);
  expect(sent).toEqual([`?${known}`]);
  // Both are one cached page.
  expect((await request(`/cdapi/v2${path}?${known}`, post)).headers.get('x-cache')).toBe('hit');
});

it.each([
  [400, 'text/html', 'invalid_request'],
  [503, 'text/html; charset=utf-8', 'provider_unavailable'],
  [404, 'application/json', 'provider_refused'],
])(
  'a proxy answers %i with a page of type %s: the caller gets our JSON, not the page',
  async (status, type, problem) => {
    const page = '<script>alert(1)</script>';
    const { request } = createGateway(
      () => new Response(page, { status, headers: { 'content-type': type, 'retry-after': '60' } }),
    );
    const response = await request(
      '/cdapi/v2/company_clean/search/es_dsl',
      buildRequest('POST', '{"query":{"match_all":{}}}'),
    );
    expect([response.status, response.headers.get('x-problem')]).toEqual([status, problem]);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({ detail: expect.not.stringContaining('script') });
  },
);

it.each([
  ['control characters, which JSON escapes', '\u0001'],
  ['bytes that are no UTF-8, which become longer', 0xff],
] as const)(
  'a webhook of %s, to exceed the size of a queue message: refused with 413',
  async (_, content) => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await harness.advance(id);
    const { pathname } = new URL(harness.webhookUrls[0] ?? '');
    const { request } = createGateway(unreachable);
    const body = typeof content === 'string' ? content.repeat(65_536) : new Uint8Array(65_536).fill(content);
    expect((await request(pathname, { method: 'POST', body })).status).toBe(413);
    await harness.runSteps(id);
  },
);

describe('a cached preview whose snapshot the provider has dropped', () => {
  const body = '{"query":{"match_all":{}}}';
  let tokens = 0;

  /** A provider whose snapshots last 15 minutes. */
  function createSnapshotProvider() {
    const valid = new Map<string, number>();
    const gateway = createGateway((_, { url }) => {
      const { searchParams } = new URL(url);
      const token = searchParams.get('snapshot_token');
      const items = Response.json([{ id: Number(searchParams.get('page') ?? 1), name: 'x' }], {
        headers: { 'x-total-results': '40' },
      });
      if (!url.includes('/preview')) return items;
      if (token !== null)
        return (valid.get(token) ?? 0) > gateway.clock.now
          ? items
          : Response.json({ detail: [] }, { status: 422 });
      if (searchParams.get('snapshot') === 'true') {
        tokens += 1;
        valid.set(`t${tokens}`, gateway.clock.now + 900_000);
        items.headers.set('x-snapshot-token', `t${tokens}`);
      }
      return items;
    });
    return gateway;
  }

  it('the drop-in API: the first page is fetched again after ten minutes, and its token works', async () => {
    const gateway = createSnapshotProvider();
    const read = (query: string) =>
      gateway.request(`/cdapi/v2/company_clean/search/es_dsl/preview?${query}`, buildRequest('POST', body));
    const first = await read('snapshot=true');
    gateway.clock.now += 300_000;
    expect((await read('snapshot=true')).headers.get('x-snapshot-token')).toBe(
      first.headers.get('x-snapshot-token'),
    );
    gateway.clock.now += 900_000;
    const again = await read('snapshot=true');
    expect(again.headers.get('x-credits-charged')).toBe('10');
    const next = await read(`page=2&snapshot_token=${again.headers.get('x-snapshot-token')}`);
    expect(next.status).toBe(200);
  });

  it('the add-on: the cached first page stays free, and the second is fetched without the snapshot', async () => {
    const gateway = createSnapshotProvider();
    const preview = async (pages: number): Promise<PreviewResponse> => {
      const request = { family: 'company_clean', text: 'x', pages };
      const response = await gateway.request('/sheets/v1/preview', buildTeamRequest(request));
      expect(response.status).toBe(200);
      return response.json();
    };
    expect((await preview(1)).credits.spent).toBe(10);
    gateway.clock.now += 3_600_000;
    const both = await preview(2);
    expect([both.rows.length, both.credits.spent]).toEqual([2, 10]);
    expect((await preview(2)).credits.spent).toBe(0);
  });
});
