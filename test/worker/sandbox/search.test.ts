// Search and preview: pages, orders, cursors, snapshots and invalid input.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../golden/read.ts';
import { fetchRecords } from '../golden-data.ts';
import { call, control, post, put, readIssues } from './client.ts';

const COUNT = 120;
const PREVIEW = '/cdapi/v2/company_clean/search/es_dsl/preview';
const all = { query: { match_all: {} } };
const scored = { query: { match: { description: 'the company and its customers' } } };
let cleanCompanies: Json[] = [];
let baseCompanies: Json[] = [];
let ids: number[] = [];

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  cleanCompanies = await fetchRecords('company_clean', COUNT);
  baseCompanies = await fetchRecords('company_base', COUNT);
  ids = cleanCompanies.map(({ id }) => Number(id));
  await put('company_clean', cleanCompanies);
  await put('company_base', baseCompanies);
});

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

async function search(path: string, body: unknown): Promise<{ headers: Headers; ids: number[] }> {
  const response = await post(`/cdapi/v2/${path}`, body);
  expect(response.status).toBe(200);
  return { headers: response.headers, ids: await response.json() };
}

/** Reads all pages. @returns ids as texts: they can exceed 2^53 */
async function readPages(
  path: string,
  body: unknown,
  size: number,
): Promise<{ ids: string[]; cursors: string[] }> {
  const found: string[] = [];
  const cursors: string[] = [];
  for (let after = ''; ; ) {
    const page = await post(
      `/cdapi/v2/${path}${path.includes('?') ? '&' : '?'}items_per_page=${size}${after}`,
      body,
    );
    expect(page.status).toBe(200);
    found.push(...((await page.text()).match(/\d+/g) ?? []));
    const cursor = page.headers.get('x-next-page-after');
    if (cursor === null) return { ids: found, cursors };
    cursors.push(cursor);
    after = `&after=${encodeURIComponent(cursor)}`;
  }
}

async function preview(
  parameters: string,
  body: unknown,
): Promise<(Record<string, unknown> & { id: number })[]> {
  return (await post(PREVIEW + parameters, body)).json();
}

describe('a search', () => {
  it('returns ids in ascending order, with totals', async () => {
    const { ids: found, headers } = await search('company_clean/search/es_dsl', all);
    expect(found).toEqual(ids);
    expect(headers.get('x-total-results')).toBe(String(COUNT));
    expect(headers.get('x-total-pages')).toBe('1');
    expect(headers.get('x-items-per-page')).toBe('1000');
    expect(headers.get('x-next-page-after')).toBeNull();
    expect((await search('company_multi_source/search/es_dsl', all)).ids).toEqual(ids);
  });

  const DATE = '"\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d"';
  it.each([
    ['company_clean/search/es_dsl', all, `${DATE},\\d+`],
    ['company_base/search/filter', {}, `${DATE},\\d+`],
    ['company_base/search/filter?sort=id', {}, '\\d+'],
    ['company_base/search/filter?sort=last_updated', {}, `${DATE},\\d+`],
    ['company_clean/search/es_dsl', { ...all, sort: ['id'] }, '\\d+'],
    ['company_clean/search/es_dsl', { ...all, sort: ['_score'] }, `[\\d.]+,${DATE},\\d+`],
    ['company_clean/search/es_dsl', { ...all, sort: ['followers'] }, `-?\\d+,${DATE},\\d+`],
    ['company_clean/search/es_dsl', { ...all, sort: ['size_employees_count'] }, `-?\\d+,${DATE},\\d+`],
  ])('returns every record once in pages of %s %j', async (path, body, cursor) => {
    const pages = await readPages(path, body, 37);
    expect(sorted(pages.ids.map(Number))).toEqual(ids);
    expect(pages.cursors).toHaveLength(Math.ceil(COUNT / 37) - 1);
    expect(pages.cursors[0]).toMatch(new RegExp(`^${cursor}$`));
  });

  it('writes scores with the digits of a 32-bit float', async () => {
    const { headers } = await search('company_clean/search/es_dsl?items_per_page=3', {
      ...scored,
      sort: ['_score'],
    });
    const [score = ''] = (headers.get('x-next-page-after') ?? '').split(',');
    expect(score).toMatch(/^\d+\.\d{4,}$/);
    expect(score.replace(/^0\.0*|\./g, '').length).toBeLessThanOrEqual(9);
    expect((await preview('', scored))[2]?._score).toBe(Number(score));
  });

  it('pages through ids beyond 2^53 and records with invalid dates', async () => {
    const large = ['4999999999', '5000000000', '12345678901', '9007199254740993', '9007199254740995'];
    const dates = ['soon', '2024-13-45'];
    await put(
      'job_base',
      large.map((id, at) => ({ id, title: 'large', last_updated: dates[at % 2] })),
    );
    for (const sort of [{}, { sort: ['id'] }, { sort: ['_score'] }]) {
      const body = { query: { match: { title: 'large' } }, ...sort };
      expect((await readPages('job_base/search/es_dsl', body, 2)).ids).toEqual(large);
    }
  });

  it('sorts counts descending, and by score with the best first', async () => {
    const byCount = await search('company_clean/search/es_dsl', { ...all, sort: ['followers'] });
    const followers = byCount.ids.map((id) =>
      Number(cleanCompanies.find((company) => company.id === id)?.followers ?? -1),
    );
    expect(followers).toEqual(sorted(followers).reverse());
    const byScore = await search('company_clean/search/es_dsl', { ...scored, sort: ['_score'] });
    const items = await preview('', scored);
    expect(items.map(({ id }) => id)).toEqual(byScore.ids.slice(0, 20));
    const scores = items.map(({ _score }) => Number(_score));
    expect(scores).toEqual(sorted(scores).reverse());
    expect(new Set(scores).size).toBeGreaterThan(5);
  });

  it('returns each record once if others are imported between pages', async () => {
    const first = await search('company_base/search/filter?items_per_page=50', {});
    await put('company_base', [
      { id: 1, name: 'Before' },
      { id: 99_999_999, name: 'Behind' },
    ]);
    const after = encodeURIComponent(first.headers.get('x-next-page-after') ?? '');
    const second = await search(`company_base/search/filter?after=${after}`, {});
    expect([...first.ids, ...second.ids].filter((id) => ids.includes(id))).toEqual(ids);
  });

  it('finds records by filters, also after a change', async () => {
    const [company] = baseCompanies;
    const find = async (filters: object) => (await search('company_base/search/filter', filters)).ids;
    expect(await find({ exact_website: company?.website })).toContain(company?.id);
    expect(await find({ name: `"${company?.name}"` })).toContain(company?.id);
    await put('company_base', [{ ...company, name: 'Zebrafinch Unlimited' }]);
    expect(await find({ name: 'zebrafinch' })).toEqual([company?.id]);
    expect(await find({ name: 'Zebra*' })).toEqual([company?.id]);
    await put('company_base', [company]);
    expect(await find({ name: 'zebrafinch' })).toEqual([]);
  });
});

describe('invalid input', () => {
  it.each([
    ['items_per_page=0', 'items_per_page', 'value_error.number.not_ge'],
    ['items_per_page=1001', 'items_per_page', 'value_error.number.not_le'],
    ['items_per_page=ten', 'items_per_page', 'type_error.integer'],
    ['sort=name', 'sort', 'type_error.enum'],
    ...['after=abc', 'after=1,2,3', 'after=1.5', 'after=-1', 'after=', 'sort=last_updated&after=5']
      .concat('sort=last_updated&after=null,null')
      .map((parameters) => [parameters, 'after', 'value_error.cursor']),
  ])('%s is a 422', async (parameters, name, type) => {
    const response = await post(`/cdapi/v2/company_base/search/filter?${parameters}`, {});
    expect(await readIssues(response)).toEqual([{ loc: ['query', name], type }]);
  });

  it.each([
    ['', ['body'], 'value_error.missing'],
    ['{"industry": }', ['body', 13], 'value_error.jsondecode'],
    ['[]', ['body'], 'type_error.dict'],
    ['{"name":"a","name":"b"}', ['body', 'name'], 'value_error.duplicate'],
    ['{"industri":"a"}', ['body', 'industri'], 'value_error.extra'],
    ['{"created_at_gte":"2024-02-30 00:00:00"}', ['body', 'created_at_gte'], 'value_error.datetime'],
  ])('filter body %s is a 422', async (body, loc, type) => {
    expect(await readIssues(await post('/cdapi/v2/company_base/search/filter', body))).toEqual([
      { loc, type },
    ]);
  });

  it.each([
    ['filter', '{"name": "?"}'],
    ['es_dsl', '{"query": {"match": {"name": "?"}}}'],
    ['es_dsl/preview', '{"query": {"match": {"name": "?"}}}'],
  ])('UTF-8 is a 422 for %s', async (path, text) => {
    const body = new TextEncoder().encode(text);
    const at = body.indexOf(63);
    body[at] = 0xff;
    const response = await call(`/cdapi/v2/company_base/search/${path}`, { method: 'POST', body });
    expect(await readIssues(response)).toEqual([{ loc: ['body', at], type: 'value_error.jsondecode' }]);
  });

  const manyWords = { query_string: { query: 'a b '.repeat(1000), default_field: 'name' } };
  it.each([
    ['a list', '[]', 'Failed to parse es dsl query'],
    ['no query', '{}', 'query'],
    ['an unknown key', { ...all, size: 5 }, 'request does not support [size]'],
    ['an unknown clause', { query: { foo: {} } }, 'foo'],
    ['an unknown nested path', { query: { nested: { path: 'x', ...all } } }, 'nested object under path [x]'],
    ['a broken query string', { query: { query_string: { query: '(a' } } }, 'Failed to parse query [(a]'],
    ['an unsupported sort', { ...all, sort: ['name'] }, 'name'],
    ['an object as sort', { ...all, sort: [{ followers: 'asc' }] }, 'sort'],
    ['null as sort', { ...all, sort: null }, 'sort'],
    ['a list in the sort', { ...all, sort: [['id']] }, 'sort'],
    ['too many clauses', { query: manyWords }, 'maxClauseCount'],
    ['too many characters', { query: { match: { name: 'x'.repeat(15_001) } } }, 'characters'],
    ['deep nesting', `{"query":${'{"bool":{"must":'.repeat(150)}{"match_all":{}}${'}}'.repeat(150)}}`, ''],
  ])('%s in a DSL body is a 400', async (_, body, text) => {
    const response = await post('/cdapi/v2/company_clean/search/es_dsl', body);
    expect([response.status, await response.json()]).toEqual([400, { Error: expect.stringContaining(text) }]);
  });
});

describe('a preview', () => {
  it('has 20 items with the fields of its family', async () => {
    const items = await preview('', all);
    expect(items).toHaveLength(20);
    const fields =
      'id,name,websites_professional_network_canonical,website_main,size_range,industry,location_hq_country';
    expect(Object.keys(items[0] ?? {}).join()).toBe(`${fields},logo,_score`);
    expect(items.every(({ _score }) => _score === 1)).toBe(true);
    const item = items.find(({ website_main }) => website_main !== null);
    expect(item?.website_main).toBe(cleanCompanies.find(({ id }) => id === item?.id)?.websites_main);
  });

  it('has up to 50 pages, and an empty page after the last item', async () => {
    const pages = [];
    for (const page of [1, 2, 3, 4, 5, 6]) pages.push(await preview(`?page=${page}`, all));
    expect(sorted(pages.flat().map(({ id }) => id))).toEqual(ids);
    expect(await preview('?page=7', all)).toEqual([]);
    for (const page of [0, 51]) expect((await post(`${PREVIEW}?page=${page}`, all)).status).toBe(422);
  });

  it('with a snapshot never repeats or skips a record while data changes', async () => {
    const query = { query: { match: { name: 'snapshot' } }, sort: ['_score'] };
    const { query: match, sort } = query;
    /** The same query, written in another way. */
    const reordered = JSON.stringify({ sort, query: match }, null, 2);
    const putCompanies = (from: number, count: number, getWords: (at: number) => number) =>
      put(
        'company_clean',
        Array.from({ length: count }, (_, at) => ({ id: from + at, name: 'snapshot '.repeat(getWords(at)) })),
      );
    await putCompanies(500, 45, (at) => 1 + (at % 3));
    const first = await post(`${PREVIEW}?snapshot=true`, query);
    const token = first.headers.get('x-snapshot-token') ?? '';
    expect(token).toMatch(/./);
    const seen = (await first.json<{ id: number }[]>()).map(({ id }) => id);
    await putCompanies(600, 30, () => 5);
    for (const page of [2, 3]) {
      const items = await preview(`?page=${page}&snapshot_token=${token}`, reordered);
      seen.push(...items.map(({ id }) => id));
    }
    expect(sorted(seen)).toEqual(Array.from({ length: 45 }, (_, at) => 500 + at));
    expect((await post(`${PREVIEW}?page=2&snapshot_token=${token}`, all)).status).toBe(422);
    const [issue] = await readIssues(await post(`${PREVIEW}?page=2&snapshot_token=${'0'.repeat(48)}`, query));
    expect(issue?.loc).toEqual(['query', 'snapshot_token']);
    expect((await post(`${PREVIEW}?page=2&snapshot=true`, query)).headers.get('x-snapshot-token')).toBeNull();
  });
});
