// The drop-in API answers as the provider: each test sends the same request to both.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Family, familyNames } from '../../../../shared/families/index.ts';
import { isRecordOperation, type Operation, operations } from '../../../../shared/operations.ts';
import { fetchRecords } from '../../golden-data.ts';
import { control, put } from '../../sandbox/client.ts';

/** Headers that differ by design. */
const BY_DESIGN = new Set([
  // Differs between equal responses.
  'x-correlation-id',
  'x-request-id',
  'content-length',
  // Other calls change it meanwhile. The token's quota is in RateLimit and RateLimit-Policy.
  'x-ratelimit-remaining-second',
  'ratelimit',
  'ratelimit-policy',
  // The team's balance instead of the account's, cost and cache status.
  'x-credits-remaining',
  'x-credits-charged',
  'x-cache',
  'age',
  'cache-control',
  'server-timing',
  'x-problem',
  'retry-after',
]);
/** Security headers for browsers. */
const BROWSER =
  /^(content-security-policy|cross-origin-|origin-agent|referrer-|strict-transport|x-(content-type-options|dns-prefetch|download|frame|permitted|xss)|permissions)/;

interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => !BY_DESIGN.has(name) && !BROWSER.test(name));
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: Object.fromEntries(headers),
  };
}

const callProvider = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  readAnswer(
    await worker.default.fetch(`http://127.0.0.1/provider/cdapi${path}`, {
      ...init,
      headers: { apikey: env.SANDBOX_KEY, ...init.headers },
    }),
  );
const callGateway = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  readAnswer(
    await worker.default.fetch(`http://127.0.0.1/cdapi${path}`, {
      ...init,
      headers: { apikey: env.TEAM_TOKEN, ...init.headers },
    }),
  );

/** Sends a request to both, and to the gateway twice, so that the second answer may be cached. */
async function expectSame(path: string, init: RequestInit = {}): Promise<Answer> {
  const expected = await callProvider(path, init);
  // Every caller gets another snapshot token.
  const comparable = ({ headers: { 'x-snapshot-token': token, ...headers }, ...answer }: Answer) => ({
    ...answer,
    headers,
    snapshot: token !== undefined,
  });
  expect(comparable(await callGateway(path, init))).toEqual(comparable(expected));
  expect(comparable(await callGateway(path, init))).toEqual(comparable(expected));
  return expected;
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const STORED_FAMILIES = [
  ...(['company_clean', 'company_base', 'employee_clean', 'employee_base'] as const),
  ...(['job_base', 'employee_post'] as const),
];

const ids = new Map<Family, string>();

beforeAll(async () => {
  await control({ rate_per_s: 9999 });
  // Teaches the gateway the provider's rate limit.
  await callGateway('/v2/company_base/search/filter', post({}));
  for (const family of STORED_FAMILIES) {
    const list = await fetchRecords(family, 20);
    await put(family, list);
    ids.set(family, String(list[0]?.id));
  }
  for (const family of familyNames) {
    const stored = family
      .replace('employee_multi_source', 'employee_clean')
      .replace('company_multi_source', 'company_clean')
      .replace('job_multi_source', 'job_base');
    const id = ids.get(family) ?? [...ids].find(([name]) => name === stored)?.[1];
    if (id !== undefined) ids.set(family, id);
  }
});

function buildRequest(operation: Operation): [path: string, init?: RequestInit] {
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

  it('rejects another method in the same way', async () => {
    expect((await expectSame('/v2/company_base/collect/1', { method: 'DELETE' })).status).toBe(500);
    expect((await expectSame('/v2/company_base/search/filter')).status).toBe(500);
  });
});
