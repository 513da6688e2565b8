// The sandbox's service over HTTP: records, import, gateway, OpenAPI description, and assumptions about searches.
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { fetchRecords } from '../golden-data.ts';
import { assumptions } from './assumptions.ts';
import { call, control, post, put, readIssues } from './client.ts';

const NETWORK = 'https://www.professional-network.example';
const acme = {
  id: 1,
  name: 'Acme',
  websites_main: 'https://www.acme.example/',
  industry: 'Robots',
  updates: [{}],
};

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  await put('company_clean', [
    acme,
    { id: 3, name: 'Second', websites_main: 'http://shared.example' },
    { id: 2, name: 'First', websites_main: 'shared.example/home' },
  ]);
  await put('company_base', [
    {
      id: 1,
      name: 'one two',
      website: 'acme.example',
      canonical_shorthand_name: 'acme',
      last_updated: '2024-03-01 00:00:00',
    },
    { id: 2, name: 'one two', last_updated: '2024-01-01 00:00:00' },
    { id: 9, name: 'one', company_shorthand_name: '2020', last_updated: '2024-02-01 00:00:00' },
  ]);
  const [engineer, founder] = ['Engineer', 'Founder'];
  await put('employee_base', [
    {
      id: 1,
      experience: [
        { title: engineer, is_current: 0 },
        { title: founder, is_current: 1 },
      ],
    },
    {
      id: 2,
      experience: [{ title: engineer, is_current: 1 }],
      skills: [{ skill: 'Machine Learning' }, { skill: 'SQL' }],
    },
  ]);
  await put('job_base', [{ id: 9, title: 'Baker' }]);
});

const enrich = (website: string) =>
  call(`/cdapi/v2/company_clean/enrich?website=${encodeURIComponent(website)}`);
const collect = (key: string) => call(`/cdapi/v2/company_base/collect/${encodeURIComponent(key)}`);
const find = async (path: string, body: unknown): Promise<unknown> =>
  (await post(`/cdapi/v2/${path}`, body)).json();

describe('enrich', () => {
  it.each(['acme.example', 'https://www.ACME.example/about?x=1', 'http://acme.example:8080'])(
    'finds a company by %s',
    async (website) => {
      const response = await enrich(website);
      expect([response.status, await response.json()]).toEqual([200, acme]);
    },
  );

  it('returns the lowest id of several companies with one website', async () => {
    expect(await (await enrich('shared.example')).json()).toMatchObject({ id: 2 });
  });

  it.each(['nobody.example', 'not a website', ''])('of %j is a 404', async (website) => {
    const response = await enrich(website);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Company not found' }]);
  });

  it('without a website is a 422', async () => {
    const response = await call('/cdapi/v2/company_clean/enrich');
    const detail = [{ loc: ['query', 'website'], msg: 'field required', type: 'value_error.missing' }];
    expect([response.status, await response.json()]).toEqual([422, { detail }]);
  });
});

describe('collect', () => {
  it.each([
    ['1', 1],
    ['acme', 1],
    ['ACME', 1],
    [`${NETWORK}/company/acme/`, 1],
    ['9', 9],
  ])('of %s finds %i', async (key, id) => {
    expect(await (await collect(key)).json()).toMatchObject({ id });
  });

  it.each([
    ...['2020', '9223372036854775807', '99999999999999999999', 'nobody', 'https://acme.example/about', '%00'],
    "x' OR 1=1",
  ])('of %s is a 404 or 422', async (key) => {
    expect([404, 422]).toContain((await collect(key)).status);
  });

  it.each(['0', '-5'])('of id %s is a 422 with the bound', async (id) => {
    const response = await collect(id);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ['path', 'company_id'], type: 'value_error.number.not_ge', ctx: { limit_value: 1 } }],
    });
  });

  // Service: "Base employee collect examples select `region` and `industry`."
  it('selects region and industry of a base employee', async () => {
    const [employee] = await fetchRecords('employee_base', 1);
    await put('employee_base', [employee]);
    const response = await call(
      `/cdapi/v2/employee_base/collect/${employee?.id}?fields=region&fields=industry`,
    );
    expect(await response.json()).toEqual({ region: employee?.region, industry: employee?.industry });
    expect(employee?.regions).toContainEqual({ region: employee?.region });
  });
});

describe('the gateway', () => {
  it.each([
    ['', 'No API key found in request'],
    ['nope', 'Unauthorized'],
  ])('rejects the key %j', async (apikey, message) => {
    const response = await call('/cdapi/v2/company_base/collect/1', { headers: { apikey } });
    expect([response.status, await response.json()]).toEqual([401, { message }]);
  });

  it('responds to an unknown path with a 404 in plain text, and to a wrong method with a 500', async () => {
    const response = await call('/cdapi/v2/company_base/nothing');
    expect([response.status, await response.text()]).toEqual([404, '404 page not found']);
    expect((await post('/cdapi/v2/company_base/collect/1', {})).status).toBe(500);
  });
});

describe('an import', () => {
  it('appears in the status, with sample websites and posts', async () => {
    await put('employee_post', [{ id: '7123456789012345679', article_body: 'x' }]);
    expect(await (await call('/status')).json()).toMatchObject({
      records: { company_base: 3, employee_post: 1 },
      posts: ['7123456789012345679'],
      websites: expect.arrayContaining(['acme.example']),
    });
    const collected = await call('/cdapi/v2/employee_post/collect/7123456789012345679');
    expect(await collected.json()).toMatchObject({ article_body: 'x' });
  });

  it('of multi-source records stores them in the family that holds them', async () => {
    expect(await put('company_multi_source', [{ id: 41, name: 'Several' }])).toMatchObject({ added: 1 });
    for (const family of ['company_multi_source', 'company_clean']) {
      const response = await call(`/cdapi/v2/${family}/collect/41`);
      expect(await response.json()).toEqual({ id: 41, name: 'Several' });
    }
    expect(
      await find('company_multi_source/search/es_dsl', { query: { match: { name: 'several' } } }),
    ).toEqual([41]);
  });

  it('counts added, changed and unchanged records', async () => {
    const company = { id: '123456789012345', name: 'New', websites_main: 'new.example' };
    const moved = { ...company, websites_main: 'moved.example' };
    expect(await put('company_clean', [company])).toMatchObject({ added: 1, changed: 0, unchanged: 0 });
    expect(await put('company_clean', [company])).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    expect(await put('company_clean', [moved])).toMatchObject({ added: 0, changed: 1, unchanged: 0 });
    expect([(await enrich('new.example')).status, (await enrich('moved.example')).status]).toEqual([
      404, 200,
    ]);
  });

  it('reports websites that several records share', async () => {
    const { shared_websites } = await put('company_clean', [
      { id: 3, websites_main: 'http://shared.example' },
    ]);
    expect(shared_websites).toEqual([{ website: 'shared.example', ids: ['2', '3'] }]);
  });

  it('rejects records without a valid unique id or with deep nesting, and accepts the others', async () => {
    const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
    const records = [
      { name: 'x' },
      7,
      { id: 0 },
      { id: 77 },
      { id: '77' },
      null,
      { id: 1.5 },
      { id: 78, deep },
    ];
    const { added, refused } = await put('company_clean', records);
    expect(added).toBe(1);
    expect(refused.map(({ index }) => index)).toEqual([0, 1, 2, 4, 5, 6, 7]);
  });
});

describe('the OpenAPI description', () => {
  type Operation = {
    operationId?: string;
    parameters?: { name: string; in: string; required: boolean }[];
    requestBody?: { required?: boolean };
  };
  type Description = { info: { version: string }; paths: Record<string, Record<string, Operation>> };
  const readDescription = async (): Promise<Description> =>
    (await call('/cdapi/openapi.json', { headers: { apikey: '' } })).json();

  it('lists every path, without a key', async () => {
    const { info, paths } = await readDescription();
    expect(info.version).toBe('1.0');
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(operations.map(({ path }) => path)));
    expect(Object.keys(paths)).toHaveLength(operations.length + 2);
  });
});

it(assumptions.charsets, async () => {
  const search = (charset: string, ...bytes: number[]): Promise<Response> =>
    call('/cdapi/v2/company_base/search/filter', {
      method: 'POST',
      headers: { 'content-type': `application/json${charset}` },
      body: Uint8Array.from([...new TextEncoder().encode('{"name":"a'), ...bytes, 0x22, 0x7d]),
    });
  expect((await search('; charset=iso-8859-1', 0xfc)).status).toBe(200);
  expect((await search('', 0xc3, 0xbc)).status).toBe(200);
  for (const [charset, loc] of [
    ['', ['body', 10]],
    ['; charset=utf-8', ['body', 10]],
    ['; charset=x-nobody', ['header', 'content-type']],
  ] as const)
    expect((await readIssues(await search(charset, 0xfc)))[0]?.loc).toEqual(loc);
  expect((await call('/cdapi/v2/company_clean/enrich?website=%FC.example')).status).toBe(422);
});

it(assumptions.compressedBodies, async () => {
  const headers = { 'content-encoding': 'gzip' };
  const response = await call('/cdapi/v2/company_base/search/filter', {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect([response.status, await response.json()]).toEqual([
    415,
    { detail: 'The body is compressed. Send it without Content-Encoding.' },
  ]);
});

it(assumptions.absentFields, async () => {
  const response = await call('/cdapi/v2/company_base/collect/1?fields=name&fields=nothing');
  expect(await response.json()).toEqual({ name: 'one two' });
});

it(assumptions.websiteOfPreviews, async () => {
  const items = await find('company_clean/search/es_dsl/preview', { query: { match: { name: 'acme' } } });
  expect(items).toMatchObject([{ website_main: acme.websites_main }]);
});

it(assumptions.lastPage, async () => {
  const page = await post('/cdapi/v2/company_base/search/filter?items_per_page=3', {});
  expect(await page.json()).toEqual([1, 2, 9]);
  expect(page.headers.get('x-next-page-after')).toBeNull();
});

it(assumptions.cursorDate, async () => {
  for (const after of ['"2024-03-01 00:00:00",1', '"1999-01-01 00:00:00",1', 'null,1', '1'])
    expect(await find(`company_base/search/filter?after=${encodeURIComponent(after)}`, {})).toEqual([2, 9]);
});

it(assumptions.updatedOrder, async () => {
  expect(await find('company_base/search/filter?sort=last_updated', {})).toEqual([2, 9, 1]);
  const query = { match: { name: 'two' } };
  expect(await find('company_base/search/es_dsl', { query, sort: ['_score'] })).toEqual([1, 2]);
});

it(assumptions.multiSource, async () => {
  const company = await call('/cdapi/v2/company_multi_source/enrich?website=acme.example');
  expect(await company.json()).toMatchObject({ name: 'Acme' });
  expect(await find('job_multi_source/search/es_dsl', { query: { match: { title: 'baker' } } })).toEqual([9]);
});

it(assumptions.sameExperience, async () => {
  const filters = { experience_title: 'Engineer' };
  expect(await find('employee_base/search/filter', filters)).toEqual([1, 2]);
  expect(await find('employee_base/search/filter', { ...filters, active_experience: true })).toEqual([2]);
});

it(assumptions.severalSkills, async () => {
  const findBySkill = (skill: string) => find('employee_base/search/filter', { skill });
  for (const skill of ['sql AND "machine learning"', 'machine learning', 'python OR sql'])
    expect(await findBySkill(skill), skill).toEqual([2]);
  for (const skill of ['machine sql', 'sql AND python']) expect(await findBySkill(skill), skill).toEqual([]);
});

it(assumptions.filterWords, async () => {
  expect(await find('company_base/search/filter', { name: 'two one' })).toEqual([1, 2]);
  expect(await find('company_base/search/filter', { name: 'nothing AND two OR one' })).toEqual([1, 2, 9]);
});

it(assumptions.snapshotLife, async () => {
  const path = '/cdapi/v2/company_base/search/filter/preview';
  const token = (await post(`${path}?snapshot=true`, {})).headers.get('x-snapshot-token');
  const repeat = async () => (await post(`${path}?page=1&snapshot_token=${token}`, {})).status;
  expect(await repeat()).toBe(200);
  await control({ clock_offset_s: 15 * 60 + 1 });
  expect(await repeat()).toBe(422);
  await control({ clock_offset_s: 0 });
});

it(assumptions.digitsOnly, async () => {
  await put('company_base', [{ id: 30, name: 'by name', canonical_shorthand_name: '1' }]);
  expect(await (await collect('1')).json()).toMatchObject({ name: 'one two' });
  expect(await (await collect(`${NETWORK}/company/1`)).json()).toMatchObject({ name: 'by name' });
});
