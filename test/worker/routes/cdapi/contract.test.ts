// The drop-in surface answers as the provider does: the same requests are sent to both and compared.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Family, familyNames } from '../../../../shared/families/index.ts';
import { isRecordOperation, type Operation, operations } from '../../../../shared/operations.ts';
import { fetchRecords } from '../../golden-data.ts';
import { control, put } from '../../sandbox/client.ts';

/** Headers that differ by design. */
const BY_DESIGN = new Set([
  // Of one answer, not of its content.
  'x-correlation-id',
  'x-request-id',
  'content-length',
  // Other calls use it meanwhile; the token's own quota stands in RateLimit and RateLimit-Policy.
  'x-ratelimit-remaining-second',
  'ratelimit',
  'ratelimit-policy',
  // The team's balance in place of the account's, and what the answer cost and where it came from.
  'x-credits-remaining',
  'x-credits-charged',
  'x-cache',
  'age',
  'cache-control',
  'server-timing',
  'x-problem',
  'retry-after',
]);
/** Headers that only tell browsers what not to do with an answer. */
const BROWSER =
  /^(content-security-policy|cross-origin-|origin-agent|referrer-|strict-transport|x-(content-type-options|dns-prefetch|download|frame|permitted|xss)|permissions)/;

interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => !BY_DESIGN.has(name) && !BROWSER.test(name));
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: Object.fromEntries(headers),
  };
}

const direct = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  read(
    await worker.default.fetch(`http://127.0.0.1/provider/cdapi${path}`, {
      ...init,
      headers: { apikey: env.SANDBOX_KEY, ...init.headers },
    }),
  );
const through = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  read(
    await worker.default.fetch(`http://127.0.0.1/cdapi${path}`, {
      ...init,
      headers: { apikey: env.TEAM_TOKEN, ...init.headers },
    }),
  );

/** Sends a request both ways, through the gateway twice: what is remembered is the same answer. */
async function same(path: string, init: RequestInit = {}): Promise<Answer> {
  const wanted = await direct(path, init);
  // A snapshot's token is made anew for each asker.
  const comparable = ({ headers: { 'x-snapshot-token': token, ...headers }, ...answer }: Answer) => ({
    ...answer,
    headers,
    snapshot: token !== undefined,
  });
  expect(comparable(await through(path, init))).toEqual(comparable(wanted));
  expect(comparable(await through(path, init))).toEqual(comparable(wanted));
  return wanted;
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
  // From here on the gateway knows the provider's ceiling.
  await through('/v2/company_base/search/filter', post({}));
  for (const family of STORED_FAMILIES) {
    const list = await fetchRecords(family, 60);
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

function requestOf(operation: Operation): [path: string, init?: RequestInit] {
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
      const wanted = await same(...requestOf(operation));
      const missing = operation.name === 'enrich';
      expect(wanted.status).toBe(missing ? 404 : 200);
    },
  );

  it.each([
    ['fields', '/v2/company_clean/collect/{id}?fields=name&fields=id&fields=absent'],
    ['a name that nobody has', '/v2/company_base/collect/nobody-at-all'],
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
    await same(path.replace('{id}', ids.get('company_clean') ?? ''));
  });

  it.each([
    ['an empty body', ''],
    ['broken JSON', '{"query":'],
    ['a list', '[]'],
    ['no query', '{}'],
    ['an unknown clause', '{"query":{"nonsense":{}}}'],
    ['a part that it does not have', '{"query":{"match_all":{}},"size":3}'],
    [
      '1,025 clauses',
      JSON.stringify({
        query: { bool: { should: Array.from({ length: 1025 }, (_, at) => ({ term: { id: at } })) } },
      }),
    ],
    ['15,001 characters', JSON.stringify({ query: { query_string: { query: 'x'.repeat(15_001) } } })],
  ])('searched with %s is the same refusal', async (_, body) => {
    const { status } = await same('/v2/company_clean/search/es_dsl', post(body));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it.each([
    ['an unknown filter', '{"nmae":"x"}'],
    ['a name that stands twice', '{"name":"a","name":"b"}'],
    ['a wrong type', '{"founded_year_gte":"x"}'],
  ])('filtered with %s is the same refusal', async (_, body) => {
    expect((await same('/v2/company_base/search/filter', post(body))).status).toBe(422);
  });

  it('walks a search by the same cursors', async () => {
    const path = '/v2/employee_base/search/es_dsl?items_per_page=10';
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const wanted = await same(
        after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`,
        post({ query: { match_all: {} } }),
      );
      after = wanted.headers['x-next-page-after'];
    }
    expect(after).toBeDefined();
  });

  it.each([
    '?items_per_page=0',
    '?items_per_page=x',
    '?sort=nothing',
    '/preview?page=51',
    '/preview?snapshot_token=forged',
  ])('with the parameters %s is the same refusal', async (parameters) => {
    const { status } = await same(`/v2/company_base/search/filter${parameters}`, post({}));
    expect(status).toBe(422);
  });

  it('asked with another method is the same refusal', async () => {
    expect((await same('/v2/company_base/collect/1', { method: 'DELETE' })).status).toBe(500);
    expect((await same('/v2/company_base/search/filter')).status).toBe(500);
  });
});
