// Search and preview: pages, orders, cursors and snapshots, as the service has them.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../golden/read.ts';
import { fetchRecords } from '../golden-data.ts';
import { call, control, post, put } from './client.ts';

const COUNT = 120;
let cleanCompanies: Json[] = [];
let baseCompanies: Json[] = [];
let ids: number[] = [];
const all = { query: { match_all: {} } };

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  cleanCompanies = await fetchRecords('company_clean', COUNT);
  baseCompanies = await fetchRecords('company_base', COUNT);
  ids = cleanCompanies.map(({ id }) => Number(id));
  await put('company_clean', cleanCompanies);
  await put('company_base', baseCompanies);
});

async function search(family: string, style: string, body: unknown, parameters = '') {
  const response = await post(`/cdapi/v2/${family}/search/${style}${parameters}`, body);
  return { status: response.status, headers: response.headers, body: (await response.json()) as number[] };
}

/** Walks all pages. */
async function walk(
  family: string,
  style: string,
  body: unknown,
  size: number,
  sort = '',
): Promise<{ ids: number[]; cursors: string[] }> {
  const found: number[] = [];
  const cursors: string[] = [];
  for (let after: string | null = null; ; ) {
    const next = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const page = await search(family, style, body, `?items_per_page=${size}${sort}${next}`);
    expect(page.status).toBe(200);
    found.push(...page.body);
    after = page.headers.get('x-next-page-after');
    if (after === null) return { ids: found, cursors };
    cursors.push(after);
  }
}

describe('a search', () => {
  it('answers ids in ascending order, with totals', async () => {
    const { body, headers } = await search('company_clean', 'es_dsl', all);
    expect(body).toEqual(ids);
    expect(headers.get('x-total-results')).toBe(String(COUNT));
    expect(headers.get('x-total-pages')).toBe('1');
    expect(headers.get('x-items-per-page')).toBe('1000');
    expect(headers.get('x-next-page-after')).toBeNull();
  });

  it('of multi-source records finds the records of the variant that they are', async () => {
    expect((await search('company_multi_source', 'es_dsl', all)).body).toEqual(ids);
  });

  it.each([
    ['company_clean', 'es_dsl', all, ''],
    ['company_base', 'filter', {}, ''],
    ['company_base', 'filter', {}, '&sort=id'],
    ['company_base', 'filter', {}, '&sort=last_updated'],
    ['company_clean', 'es_dsl', { ...all, sort: ['id'] }, ''],
    ['company_clean', 'es_dsl', { query: { exists: { field: 'name' } }, sort: ['_score'] }, ''],
    ['company_clean', 'es_dsl', { ...all, sort: ['followers'] }, ''],
    ['company_clean', 'es_dsl', { ...all, sort: ['size_employees_count'] }, ''],
  ])('walked page by page gives every record once: %s %s %j %s', async (family, style, body, sort) => {
    const walked = await walk(family, style, body, 17, sort);
    expect(walked.ids.toSorted((a, b) => a - b)).toEqual(ids);
    expect(walked.cursors).toHaveLength(Math.ceil(COUNT / 17) - 1);
  });

  it('has cursors in the service’s spellings', async () => {
    const first = async (body: object, sort = '', family = 'company_clean', style = 'es_dsl') =>
      (await walk(family, style, body, 60, sort)).cursors[0];
    const date = '"\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d"';
    expect(await first(all)).toMatch(new RegExp(`^${date},\\d+$`));
    expect(await first({ ...all, sort: ['id'] })).toMatch(/^\d+$/);
    expect(await first({ ...all, sort: ['_score'] })).toMatch(new RegExp(`^[\\d.]+,${date},\\d+$`));
    expect(await first({ ...all, sort: ['followers'] })).toMatch(new RegExp(`^-?\\d+,${date},\\d+$`));
    expect(await first({}, '&sort=last_updated', 'company_base', 'filter')).toMatch(
      new RegExp(`^${date},\\d+$`),
    );
  });

  it('writes scores with the digits of their float', async () => {
    const query = { match: { description: 'the company and its customers' } };
    const { headers } = await search(
      'company_clean',
      'es_dsl',
      { query, sort: ['_score'] },
      '?items_per_page=3',
    );
    const [score = ''] = (headers.get('x-next-page-after') ?? '').split(',');
    expect(score).toMatch(/^\d+\.\d{4,}$/);
    expect(score.replace(/^0\.0*|\./g, '').length).toBeLessThanOrEqual(9);
    const preview = await post('/cdapi/v2/company_clean/search/es_dsl/preview', { query });
    expect(((await preview.json()) as { _score: number }[])[2]?._score).toBe(Number(score));
  });

  it('walks through ids beyond 32 and 53 bits, and through records whose dates are none', async () => {
    const large = ['4999999999', '5000000000', '12345678901', '9007199254740993', '9007199254740995'];
    await put(
      'job_base',
      large.map((id, at) => ({ id, title: 'large', last_updated: at % 2 === 0 ? 'soon' : '2024-13-45' })),
    );
    const query = { match: { title: 'large' } };
    for (const sort of [{}, { sort: ['id'] }, { sort: ['_score'] }]) {
      const found: string[] = [];
      for (let after = ''; ; ) {
        const page = await post(`/cdapi/v2/job_base/search/es_dsl?items_per_page=2${after}`, {
          query,
          ...sort,
        });
        expect(page.status).toBe(200);
        found.push(...((await page.text()).match(/\d+/g) ?? []));
        const next = page.headers.get('x-next-page-after');
        if (next === null) break;
        after = `&after=${encodeURIComponent(next)}`;
      }
      expect(found).toEqual(large);
    }
  });

  it('sorts counts from high to low, ties by last update and id', async () => {
    const { body } = await search('company_clean', 'es_dsl', { ...all, sort: ['followers'] });
    const company = (id: number) => cleanCompanies.find((one) => one.id === id);
    const followers = body.map((id) => Number(company(id)?.followers ?? -1));
    expect(followers).toEqual(followers.toSorted((a, b) => b - a));
  });

  it('sorts by relevance with the best first', async () => {
    const query = { match: { description: 'the company and its customers' } };
    const { body } = await search('company_clean', 'es_dsl', { query, sort: ['_score'] });
    const preview = await post('/cdapi/v2/company_clean/search/es_dsl/preview', { query });
    const items = (await preview.json()) as { id: number; _score: number }[];
    expect(items.map(({ id }) => id)).toEqual(body.slice(0, 20));
    const scores = items.map(({ _score }) => _score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBeGreaterThan(5);
  });

  it('a walk by id gives what was there at its start exactly once, whatever is put in meanwhile', async () => {
    const first = await search('company_base', 'filter', {}, '?items_per_page=50');
    await put('company_base', [
      { id: 1, name: 'Before' },
      { id: 99_999_999, name: 'Behind' },
    ]);
    const after = encodeURIComponent(first.headers.get('x-next-page-after') ?? '');
    const rest = await search('company_base', 'filter', {}, `?after=${after}`);
    expect([...first.body, ...rest.body].filter((id) => ids.includes(id))).toEqual(ids);
  });

  it('finds by filters, and the record changes what is found', async () => {
    const [one] = baseCompanies;
    const find = async (filters: object) => (await search('company_base', 'filter', filters)).body;
    expect(await find({ exact_website: one?.website })).toContain(one?.id);
    expect(await find({ name: `"${one?.name}"` })).toContain(one?.id);
    await put('company_base', [{ ...one, name: 'Zebrafinch Unlimited' }]);
    expect(await find({ name: 'zebrafinch' })).toEqual([one?.id]);
    expect(await find({ name: 'Zebra*' })).toEqual([one?.id]);
    await put('company_base', [one]);
    expect(await find({ name: 'zebrafinch' })).toEqual([]);
  });
});

describe('bad input', () => {
  it.each([
    ['items_per_page=0', ['query', 'items_per_page'], 'value_error.number.not_ge'],
    ['items_per_page=1001', ['query', 'items_per_page'], 'value_error.number.not_le'],
    ['items_per_page=ten', ['query', 'items_per_page'], 'type_error.integer'],
    ['sort=name', ['query', 'sort'], 'type_error.enum'],
    ['after=abc', ['query', 'after'], 'value_error.cursor'],
    ['after=%22x%22,1', ['query', 'after'], ''],
    ['after=1,2,3', ['query', 'after'], 'value_error.cursor'],
    ['sort=last_updated&after=5', ['query', 'after'], 'value_error.cursor'],
    ['after=1.5', ['query', 'after'], 'value_error.cursor'],
    ['after=-1', ['query', 'after'], 'value_error.cursor'],
    ['after=', ['query', 'after'], 'value_error.cursor'],
    ['sort=last_updated&after=null,null', ['query', 'after'], 'value_error.cursor'],
  ])('in parameters is a 422 that names it: %s', async (parameters, loc, type) => {
    const response = await post(`/cdapi/v2/company_base/search/filter?${parameters}`, {});
    if (type === '') return expect(response.status).toBe(200);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc, type }] });
  });

  it.each([
    ['nothing', '', ['body'], 'value_error.missing'],
    ['broken JSON', '{"industry": }', ['body', 13], 'value_error.jsondecode'],
    ['a list', '[]', ['body'], 'type_error.dict'],
    ['a key that stands twice', '{"name":"a","name":"b"}', ['body', 'name'], 'value_error.duplicate'],
    ['an unknown name', '{"industri":"a"}', ['body', 'industri'], 'value_error.extra'],
    [
      'a date that no calendar has',
      '{"created_at_gte":"2024-02-30 00:00:00"}',
      ['body', 'created_at_gte'],
      'value_error.datetime',
    ],
  ])('in a filter body is a 422: %s', async (_, body, loc, type) => {
    const response = await post('/cdapi/v2/company_base/search/filter', body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc, type }] });
  });

  it.each([
    ['filter', '{"name": "?"}'],
    ['es_dsl', '{"query": {"match": {"name": "?"}}}'],
    ['es_dsl/preview', '{"query": {"match": {"name": "?"}}}'],
  ])('of bytes that are no UTF-8 is a 422 that names the first: %s', async (path, text) => {
    const bytes = new TextEncoder().encode(text);
    const at = bytes.indexOf(63);
    bytes[at] = 0xff;
    const response = await call(`/cdapi/v2/company_base/search/${path}`, { method: 'POST', body: bytes });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ['body', at], type: 'value_error.jsondecode' }],
    });
  });

  it.each([
    ['no object', '[]', 'Failed to parse es dsl query'],
    ['no query', '{}', 'query'],
    ['another key', '{"query":{"match_all":{}},"size":5}', 'request does not support [size]'],
    ['an unknown clause', '{"query":{"foo":{}}}', 'foo'],
    [
      'an unknown nested path',
      '{"query":{"nested":{"path":"x","query":{"match_all":{}}}}}',
      '[nested] failed to find nested object under path [x]',
    ],
    ['a broken query string', '{"query":{"query_string":{"query":"(a"}}}', 'Failed to parse query [(a]'],
    ['a sort that is not allowed', '{"query":{"match_all":{}},"sort":["name"]}', 'name'],
    ['a sort that is an object', '{"query":{"match_all":{}},"sort":[{"followers":"asc"}]}', 'sort'],
    [
      'too many clauses',
      JSON.stringify({ query: { query_string: { query: 'a b '.repeat(1000), default_field: 'name' } } }),
      'maxClauseCount',
    ],
    ['too long', JSON.stringify({ query: { match: { name: 'x'.repeat(15_001) } } }), 'characters'],
    ['too deep', `{"query":${'{"bool":{"must":'.repeat(150)}{"match_all":{}}${'}}'.repeat(150)}}`, ''],
  ])('in a DSL body is a 400 that says which part: %s', async (_, body, text) => {
    const response = await post('/cdapi/v2/company_clean/search/es_dsl', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ Error: expect.stringContaining(text) });
  });
});

describe('a preview', () => {
  const path = '/cdapi/v2/company_clean/search/es_dsl/preview';

  it('has 20 items with the fields of its family', async () => {
    const response = await post(path, all);
    const items = (await response.json()) as Record<string, unknown>[];
    expect(items).toHaveLength(20);
    expect(Object.keys(items[0] ?? {})).toEqual([
      'id',
      'name',
      'websites_professional_network_canonical',
      'website_main',
      'size_range',
      'industry',
      'location_hq_country',
      'logo',
      '_score',
    ]);
    expect(items.every(({ _score }) => _score === 1)).toBe(true);
    const item = items.find(({ website_main }) => website_main !== null);
    expect(item?.website_main).toBe(cleanCompanies.find(({ id }) => id === item?.id)?.websites_main);
  });

  it('has pages up to 50, and none behind the last result', async () => {
    const page = async (number: number) =>
      ((await (await post(`${path}?page=${number}`, all)).json()) as { id: number }[]).map(({ id }) => id);
    const pages = [await page(1), await page(2), await page(3), await page(4), await page(5), await page(6)];
    expect(pages.flat().toSorted((a, b) => a - b)).toEqual(ids);
    expect(await page(7)).toEqual([]);
    for (const wrong of [0, 51]) expect((await post(`${path}?page=${wrong}`, all)).status).toBe(422);
  });

  it('of a snapshot never repeats or skips a record while data changes', async () => {
    const query = { query: { match: { name: 'snapshot' } } };
    const named = (id: number, words: number) => ({
      id,
      name: 'snapshot '.repeat(words),
      websites_main: null,
    });
    await put(
      'company_clean',
      Array.from({ length: 45 }, (_, at) => named(500 + at, 1 + (at % 3))),
    );
    const first = await post(`${path}?snapshot=true`, query);
    const token = first.headers.get('x-snapshot-token') ?? '';
    expect(token).toMatch(/./);
    const seen = ((await first.json()) as { id: number }[]).map(({ id }) => id);
    await put(
      'company_clean',
      Array.from({ length: 30 }, (_, at) => named(600 + at, 5)),
    );
    for (const page of [2, 3]) {
      const response = await post(
        `${path}?page=${page}&snapshot_token=${token}`,
        JSON.stringify(query, null, 2),
      );
      seen.push(...((await response.json()) as { id: number }[]).map(({ id }) => id));
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, at) => 500 + at));
    const other = await post(`${path}?page=2&snapshot_token=${token}`, all);
    expect(other.status).toBe(422);
    const forged = await post(`${path}?page=2&snapshot_token=${'0'.repeat(48)}`, query);
    expect(await forged.json()).toMatchObject({ detail: [{ loc: ['query', 'snapshot_token'] }] });
    expect((await post(`${path}?page=2&snapshot=true`, query)).headers.get('x-snapshot-token')).toBeNull();
  });
});
