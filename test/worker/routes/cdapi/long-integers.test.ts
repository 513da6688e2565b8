// Integers beyond 2^53 keep their digits, and a member named __proto__ stays, in records, pages and queries, also from the cache.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupResponse } from '../../../../shared/api/lookup.ts';
import { buildTeamRequest, createGateway, type Gateway, type ProviderScript } from '../../harness.ts';
import { call as callSandbox, put } from '../../sandbox/client.ts';

const LONG = '9007199254740993';
const ID = '1234567890123456789';
const RECORD = `{"id":${ID},"name":"Acme","source_id":-${LONG},"urn":"urn:li:activity:${ID}","list":[${LONG},1.5],"__proto__":{"id":${LONG}}}`;
const PAGE = `[{"id":${ID},"name":"Acme","__proto__":${LONG}},{"id":2}]`;
const IDS = `[${ID},${LONG},1]`;

const json = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/json' } });

let gateways = 0;

/** Sends the same request to a gateway, again from its memory, and to another one that reads KV. */
async function readThrice(script: ProviderScript, path: string, init: RequestInit = {}): Promise<string[][]> {
  const identity = `long-${gateways++}`;
  const read = async ({ request }: Gateway): Promise<string[]> => {
    const headers = { apikey: env.TEAM_TOKEN };
    const response = await request(`/cdapi/v2/${path}`, { ...init, headers });
    return [response.headers.get('x-cache') ?? '', await response.text()];
  };
  const gateway = createGateway(script, identity);
  const answers = [await read(gateway), await read(gateway)];
  await expect.poll(() => gateway.kv.writes).toBeGreaterThan(0);
  return [...answers, await read(createGateway(script, identity))];
}

const post = (body: string): RequestInit => ({ method: 'POST', body });

describe('the drop-in API', () => {
  it.each([
    ['a record', `company_clean/collect/${ID}`, {}, RECORD, RECORD],
    [
      'some fields of a record',
      `company_clean/collect/${ID}?fields=source_id&fields=list&fields=__proto__`,
      {},
      RECORD,
      `{"source_id":-${LONG},"list":[${LONG},1.5],"__proto__":{"id":${LONG}}}`,
    ],
    ['a preview', 'company_clean/search/es_dsl/preview', post('{"query":{"match_all":{}}}'), PAGE, PAGE],
    ['a page of ids', 'company_clean/search/es_dsl', post('{"query":{"match_all":{}}}'), IDS, IDS],
  ])('passes on %s with all digits, also from memory and from KV', async (_, path, init, sent, expected) => {
    const answers = await readThrice(() => json(sent), path, init);
    expect(answers).toEqual([
      ['miss', expected],
      ['hit', expected],
      ['hit', expected],
    ]);
  });

  it('passes on queries as they were sent, and caches those that differ in the last digit apart', async () => {
    const sent: string[] = [];
    const { request } = createGateway(async (_, call) => {
      sent.push(await call.text());
      return json('[]');
    });
    const queries = [LONG, '9007199254740992', `{"__proto__":${LONG}}`].map(
      (value) => `{"query": {"term": {"id": ${value}}}}`,
    );
    for (const path of ['company_clean/search/es_dsl', 'company_clean/search/es_dsl/preview'])
      for (const body of queries) {
        const response = await request(`/cdapi/v2/${path}`, {
          ...post(body),
          headers: { apikey: env.TEAM_TOKEN },
        });
        expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'miss']);
      }
    expect(sent).toEqual([...queries, ...queries]);
  });
});

describe('the API of the add-on', () => {
  it('answers records, previews and ids with strings of digits, which cells keep', async () => {
    const { request } = createGateway((_, { url }) =>
      json(url.includes('preview') ? PAGE : url.includes('search') ? IDS : RECORD),
    );
    const send = async (path: string, body: object): Promise<Record<string, unknown>> =>
      (await request(`/sheets/v1${path}`, buildTeamRequest(body))).json();
    const family = 'company_clean';
    for (const fields of [['*'], ['source_id', 'list', '__proto__']]) {
      const { rows } = await send('/lookup', { family, by: 'id', keys: [ID], fields, any_fields: true });
      expect(JSON.stringify(rows)).toContain(`"__proto__":{"id":"${LONG}"}`);
      expect(rows).toMatchObject([{ record: { source_id: `-${LONG}`, list: [LONG, 1.5] } }]);
    }
    expect(await send('/search', { family, text: 'acme' })).toMatchObject({ ids: [ID, LONG, '1'] });
    expect(await send('/preview', { family, text: 'acme', pages: 1, fields: ['id'] })).toMatchObject({
      rows: [[ID], [2]],
    });
  });

  it('sends long integers of a query with all digits, and refuses the filter __proto__', async () => {
    const sent: string[] = [];
    const { request } = createGateway(async (_, call) => {
      sent.push(await call.text());
      return json('[]');
    });
    const search = (query: string): Promise<Response> =>
      request('/sheets/v1/search', buildTeamRequest(`{"family":"company_base",${query}}`));
    expect((await search(`"es_dsl":{"query":{"term":{"id":${LONG}}}}`)).status).toBe(200);
    expect(sent).toEqual([`{"query":{"term":{"id":"${LONG}"}}}`]);
    for (const query of [
      '"filters":{"__proto__":"x"}',
      '"es_dsl":{"query":{"match_all":{}},"__proto__":1}',
    ]) {
      const response = await search(query);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        detail: expect.stringContaining('"__proto__" is not a name'),
      });
    }
    expect(sent).toHaveLength(1);
  });

  it('finds a record again by an id beyond 2^53: it is bought once', async () => {
    const { lookup, requestedKeys } = createGateway(() => json(`{"id":${LONG},"websites_main":"a.com"}`));
    const find = async (by: 'website' | 'id', key: string): Promise<LookupResponse['rows']> =>
      (await lookup({ family: 'company_clean', by, keys: [key], fields: ['id'] })).rows;
    expect(await find('website', 'a.com')).toMatchObject([{ status: 'fetched', record: { id: LONG } }]);
    expect(await find('id', LONG)).toMatchObject([{ status: 'hit', record: { id: LONG } }]);
    expect(requestedKeys).toEqual(['a.com']);
  });
});

describe('the sandbox', () => {
  const record = `{"id":${LONG},"name":"Long","source_id":${ID},"last_updated_ux":${LONG},"__proto__":{"id":${LONG}}}`;
  const neighbour = '{"id":9007199254740992,"last_updated_ux":9007199254740992}';

  it('imports, returns, finds and orders records with all digits', async () => {
    const response = await callSandbox('/records/company_base', post(`{"records":[${record},${neighbour}]}`));
    expect(await response.json()).toMatchObject({ added: 2, refused: [] });
    const read = async (path: string, body?: string): Promise<string> =>
      (await callSandbox(`/cdapi/v2/${path}`, body === undefined ? {} : post(body))).text();
    expect(await read(`company_base/collect/${LONG}`)).toBe(record);
    expect(await read(`company_base/collect/${LONG}?fields=source_id&fields=__proto__`)).toBe(
      `{"source_id":${ID},"__proto__":{"id":${LONG}}}`,
    );
    const term = `{"query":{"term":{"last_updated_ux":${LONG}}}}`;
    expect(await read('company_base/search/es_dsl', term)).toBe(`[${LONG}]`);
    expect(await read('company_base/search/es_dsl/preview', term)).toMatch(`[{"id":${LONG},`);
    const refused = await read('company_base/search/filter', '{"__proto__":1}');
    expect(JSON.parse(refused)).toMatchObject({ detail: [{ loc: ['body', '__proto__'] }] });
  });

  it('refuses an id that is rounded by its spelling', async () => {
    const { refused } = await put('company_base', [{ id: 1e16 }]);
    const response = await callSandbox(
      '/records/company_base',
      post('{"records":[{"id":9007199254740993.0}]}'),
    );
    expect([refused, (await response.json<{ refused: unknown }>()).refused]).toEqual([
      [],
      [{ index: 0, reason: expect.stringContaining('whole number') }],
    ]);
  });
});
