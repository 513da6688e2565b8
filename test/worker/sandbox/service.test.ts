import { beforeAll, describe, expect, it } from 'vitest';
import { fetchRecords } from '../golden-data.ts';
import { call, put } from './client.ts';

const clean = [
  {
    id: 1,
    name: 'Acme',
    websites_main: 'https://www.acme.example/',
    industry: 'Robots',
    updates: [{ date: 'x' }],
  },
  { id: 3, name: 'Second', websites_main: 'http://shared.example' },
  { id: 2, name: 'First', websites_main: 'shared.example/home' },
];
const base = [
  { id: 1, name: 'Acme', website: 'acme.example', canonical_shorthand_name: 'acme' },
  { id: 9, name: 'Digits', company_shorthand_name: '2020' },
];

beforeAll(async () => {
  await put('company_clean', clean);
  await put('company_base', base);
});

describe('enrich', () => {
  it.each(['acme.example', 'https://www.ACME.example/about?x=1', 'http://acme.example:8080'])(
    'finds a company by %s',
    async (website) => {
      const response = await call(`/cdapi/v2/company_clean/enrich?website=${encodeURIComponent(website)}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(clean[0]);
    },
  );

  it('answers with the lowest id where several companies have one website', async () => {
    const response = await call('/cdapi/v2/company_clean/enrich?website=shared.example');
    expect(await response.json()).toMatchObject({ id: 2 });
  });

  it.each(['nobody.example', 'not a website', ''])('of %j is a 404 with a detail', async (website) => {
    const response = await call(`/cdapi/v2/company_clean/enrich?website=${encodeURIComponent(website)}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: 'Company not found' });
  });

  it('without a website is a 422 that names it', async () => {
    const response = await call('/cdapi/v2/company_clean/enrich');
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [{ loc: ['query', 'website'], msg: 'field required', type: 'value_error.missing' }],
    });
  });
});

describe('collect', () => {
  it.each([
    ['an id', '1', 1],
    ['a shorthand name', 'acme', 1],
    ['a shorthand name in another case', 'ACME', 1],
    ['a profile URL', 'https://www.professional-network.example/company/acme/', 1],
    ['an id that is also a shorthand name', '9', 9],
    ['a profile URL whose name is of digits', 'https://www.professional-network.example/company/2020', 9],
  ])('takes %s', async (_, key, id) => {
    const response = await call(`/cdapi/v2/company_base/collect/${encodeURIComponent(key)}`);
    expect(await response.json()).toMatchObject({ id });
  });

  it.each([
    '2020',
    '9223372036854775807',
    '99999999999999999999',
    'nobody',
    'https://acme.example/about',
    '%00',
    "x' OR 1=1",
  ])('of %s is a 404 or 422, never a 500', async (key) => {
    const response = await call(`/cdapi/v2/company_base/collect/${encodeURIComponent(key)}`);
    expect([404, 422]).toContain(response.status);
  });

  it.each(['0', '-5'])('of id %s is a 422 with the bound', async (id) => {
    const response = await call(`/cdapi/v2/company_base/collect/${id}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ['path', 'company_id'], type: 'value_error.number.not_ge', ctx: { limit_value: 1 } }],
    });
  });
});

describe('what is there', () => {
  it('is counted, with websites and ids of posts to try things with', async () => {
    await put('employee_post', [{ id: '7123456789012345679', article_body: 'x' }]);
    const status = await (await call('/status')).json();
    expect(status).toMatchObject({
      records: { company_base: 2, employee_post: 1 },
      posts: ['7123456789012345679'],
    });
    expect(status).toHaveProperty('websites', expect.arrayContaining(['acme.example']));
    const post = await call('/cdapi/v2/employee_post/collect/7123456789012345679');
    expect(await post.json()).toMatchObject({ article_body: 'x' });
  });
});

describe('fields', () => {
  it('limit the record, by repeating the parameter, and those that it lacks are ignored', async () => {
    const response = await call(
      '/cdapi/v2/company_clean/enrich?website=acme.example&fields=industry&fields=id&fields=absent',
    );
    expect(await response.json()).toEqual({ id: 1, industry: 'Robots' });
  });

  // Service: "Base employee collect examples select `region` and `industry`."
  it('select region and industry of a base employee', async () => {
    const [base] = await fetchRecords('employee_base', 1);
    await put('employee_base', [base]);
    const response = await call(`/cdapi/v2/employee_base/collect/${base?.id}?fields=region&fields=industry`);
    expect(await response.json()).toEqual({ region: base?.region, industry: base?.industry });
    expect(base?.regions).toContainEqual({ region: base?.region });
  });
});

describe('the front gateway', () => {
  it.each([
    ['without a key', '', 'No API key found in request'],
    ['with another key', 'nope', 'Unauthorized'],
  ])('refuses a call %s', async (_, apikey, message) => {
    const response = await call('/cdapi/v2/company_base/collect/1', { headers: { apikey } });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ message });
  });

  it('answers an unknown path with plain text', async () => {
    const response = await call('/cdapi/v2/company_base/nothing');
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('404 page not found');
  });

  it('answers a wrong method with a 500', async () => {
    const response = await call('/cdapi/v2/company_base/collect/1', { method: 'POST' });
    expect(response.status).toBe(500);
  });
});

describe('putting records in', () => {
  it('of a multi-source family puts them where that family is read', async () => {
    expect(await put('company_multi_source', [{ id: 41, name: 'Several' }])).toMatchObject({ added: 1 });
    for (const family of ['company_multi_source', 'company_clean']) {
      const response = await call(`/cdapi/v2/${family}/collect/41`);
      expect(await response.json()).toEqual({ id: 41, name: 'Several' });
    }
    const found = await call('/cdapi/v2/company_multi_source/search/es_dsl', {
      method: 'POST',
      body: '{"query":{"match":{"name":"several"}}}',
    });
    expect(await found.json()).toEqual([41]);
  });

  const company = { id: '123456789012345', name: 'New', websites_main: 'new.example' };

  it('adds, changes and leaves alone, and says which', async () => {
    expect(await put('company_clean', [company])).toMatchObject({ added: 1, changed: 0, unchanged: 0 });
    expect(await put('company_clean', [company])).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    const moved = { ...company, websites_main: 'moved.example' };
    expect(await put('company_clean', [moved])).toMatchObject({ added: 0, changed: 1, unchanged: 0 });
    const status = async (website: string) =>
      (await call(`/cdapi/v2/company_clean/enrich?website=${website}`)).status;
    expect([await status('new.example'), await status('moved.example')]).toEqual([404, 200]);
  });

  it('reports the websites that lead to several records', async () => {
    const { shared_websites } = await put('company_clean', [
      { id: 3, name: 'Second', websites_main: 'http://shared.example' },
    ]);
    expect(shared_websites).toEqual([{ website: 'shared.example', ids: ['2', '3'] }]);
  });

  it('refuses what has no id or the id of another in the batch, each with its place, and takes the rest', async () => {
    const answer = await put('company_clean', [
      { name: 'x' },
      7,
      { id: 0 },
      { id: 77 },
      { id: '77' },
      null,
      { id: 1.5 },
      { id: 78, deep: JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) },
    ]);
    expect(answer.added).toBe(1);
    expect(answer.refused.map(({ index }) => index)).toEqual([0, 1, 2, 4, 5, 6, 7]);
  });

  it.each([
    ['an unknown family', 'companies', '{"records":[]}', 404],
    ['no JSON', 'company_clean', 'x', 422],
    ['another shape', 'company_clean', '[]', 422],
  ])('with %s is refused', async (_, family, body, status) => {
    expect((await call(`/records/${family}`, { method: 'POST', body })).status).toBe(status);
  });
});
