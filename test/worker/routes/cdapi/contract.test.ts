// The drop-in API answers as the provider: each test sends the same request to both.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../../shared/families/index.ts';
import { isRecordOperation, type Operation, operations } from '../../../../shared/operations.ts';
import { expectSame, fetchGateway, importSamples, type KeyedRequest, post } from './same-answers.ts';

let ids: ReadonlyMap<Family, string>;

beforeAll(async () => {
  ids = await importSamples();
});

function buildRequest(operation: Operation): [path: string, init?: KeyedRequest] {
  const { path, family } = operation;
  if (isRecordOperation(operation)) {
    return operation.keyParameter === undefined
      ? [path.replace('{key}', ids.get(family) ?? '')]
      : [`${path}?${operation.keyParameter}=nobody.example`];
  }
  if (operation.name === 'bulk') return [path, post({})];
  return [path, post(operation.style === 'filter' ? {} : { query: { match_all: {} } })];
}

const answered = operations.filter(({ name }) => name !== 'bulk');

describe('an operation of the service', () => {
  it.each(answered.map((operation) => [operation.path, operation] as const))(
    '%s is the same',
    async (_, operation) => {
      const expected = await expectSame(...buildRequest(operation));
      const missing = operation.name === 'enrich';
      expect(expected.status).toBe(missing ? 404 : 200);
    },
  );

  it.each([
    ['fields', '/v2/company_clean/collect/{id}?fields=name&fields=id&fields=absent'],
    ['an unknown name', '/v2/company_base/collect/nobody-at-all'],
    ['an id of 0', '/v2/company_base/collect/0'],
    ['a negative id', '/v2/company_base/collect/-5'],
    ['an id that is too long', '/v2/company_base/collect/99999999999999999999999'],
    [
      'a profile URL',
      '/v2/company_base/collect/https%3A%2F%2Fwww.professional-network.example%2Fcompany%2Fnobody',
    ],
    ['a key of slashes and dots', '/v2/company_base/collect/..%2F..%2Fcollect'],
    ['an encoded line break', '/v2/company_base/collect/a%0D%0AX-Injected%3A%20yes'],
    ['an encoded zero byte', '/v2/company_base/collect/%00'],
    ['enrich without a website', '/v2/company_clean/enrich'],
    ['enrich of no website', '/v2/company_clean/enrich?website=not%20a%20website'],
    ['enrich of a page on a shared host', '/v2/company_clean/enrich?website=linktr.ee%2Facme'],
    ['an unknown path', '/v2/company_base/nothing'],
    ['an unknown family', '/v2/nobody/collect/1'],
    ['another version', '/v3/company_base/collect/1'],
  ])('with %s is the same', async (_, path) => {
    await expectSame(path.replace('{id}', ids.get('company_clean') ?? ''));
  });

  it.each([
    ['a search without body', '/v2/company_clean/search/es_dsl', ''],
    ['a search with broken JSON', '/v2/company_clean/search/es_dsl', '{"query":'],
    ['a search with an unknown clause', '/v2/company_clean/search/es_dsl', '{"query":{"nonsense":{}}}'],
    [
      'a search with 15,001 characters',
      '/v2/company_clean/search/es_dsl',
      JSON.stringify({ query: { query_string: { query: 'x'.repeat(15_001) } } }),
    ],
    ['an unknown filter', '/v2/company_base/search/filter', '{"nmae":"x"}'],
    ['a duplicate filter', '/v2/company_base/search/filter', '{"name":"a","name":"b"}'],
    ['an invalid page size', '/v2/company_base/search/filter?items_per_page=0', '{}'],
    ['an unknown order', '/v2/company_base/search/filter?sort=nothing', '{}'],
    ['a forged snapshot', '/v2/company_base/search/filter/preview?snapshot_token=forged', '{}'],
  ])('rejects %s in the same way', async (_, path, body) => {
    const { status } = await expectSame(path, post(body));
    expect([400, 422]).toContain(status);
  });

  it('pages through a search with the same cursors', async () => {
    const path = '/v2/employee_base/search/es_dsl?items_per_page=6';
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const expected = await expectSame(
        after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`,
        post({ query: { match_all: {} } }),
      );
      after = expected.headers['x-next-page-after'];
    }
    expect(after).toBeDefined();
  });

  it('is refused without a key, with an empty one and with another one in the same way', async () => {
    for (const path of ['/v2/company_base/collect/1', '/v2/data_requests/1/files', '/v2/nothing']) {
      for (const apikey of [undefined, '', 'x']) {
        const { status, body } = await expectSame(path, { headers: { apikey } });
        const message = apikey ? 'Unauthorized' : 'No API key found in request';
        expect([status, body]).toEqual([401, { message }]);
      }
    }
  });

  it('of a query that white space makes too long is not that of the query without it', async () => {
    const search = '/v2/company_clean/search/es_dsl';
    const padded = `{"query":${' '.repeat(20_000)}{"match_all":{}}}`;
    expect((await expectSame(search, post(padded))).status).toBe(400);
    expect((await expectSame(search, post({ query: { match_all: {} } }))).status).toBe(200);
    expect((await expectSame(search, post(padded))).status).toBe(400);
  });

  it('states the credits of the provider’s account to a team without a cap, also from the cache', async () => {
    const path = `/v2/company_base/collect/${ids.get('company_base')}`;
    for (const cache of ['no-cache', 'max-age=60']) {
      const response = await fetchGateway(path, { headers: { 'cache-control': cache } });
      await response.text();
      expect(Number(response.headers.get('x-credits-remaining'))).toBeGreaterThan(0);
    }
  });

  it('rejects another method in the same way', async () => {
    expect((await expectSame('/v2/company_base/collect/1', { method: 'DELETE' })).status).toBe(500);
    expect((await expectSame('/v2/company_base/search/filter')).status).toBe(500);
  });
});
