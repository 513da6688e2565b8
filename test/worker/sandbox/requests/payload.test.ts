// The bodies of data requests: what each kind takes, and what is said about those that are wrong.
import { beforeAll, describe, expect, it } from 'vitest';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';
import { call } from '../client.ts';
import { complaints, control, idsFile, orderForm, orderJson } from './client.ts';

const MANY = 10_001;

beforeAll(async () => {
  // Nothing is to be worked on while bodies are looked at.
  await control({ run_ms: 3_600_000, rate_per_s: 100_000 });
});

const each = (field: string, values: readonly string[]) => values.map((value) => [field, value] as const);

describe('a list of ids', () => {
  it.each<[string, [string, string][]]>([
    ['as ids', [['ids', '1']]],
    ['as ids[]', [['ids[]', '1']]],
    [
      'as both',
      [
        ['ids', '1'],
        ['ids[]', '2'],
      ],
    ],
    ['of 19 digits', [['ids', '9223372036854775807']]],
    [
      'with an old data_format',
      [
        ['ids', '1'],
        ['data_format', 'csv'],
      ],
    ],
    [
      'with a webhook',
      [
        ['ids', '1'],
        ['webhook_url', 'https://hooks.example/a'],
      ],
    ],
  ])('%s is accepted', async (_, fields) => {
    expect((await orderForm('company_clean/ids', fields)).status).toBe(201);
  });

  it('of 10,000 is accepted', async () => {
    const ids = Array.from({ length: MANY - 1 }, (_, at) => String(at + 1));
    expect((await orderForm('company_clean/ids', each('ids', ids))).status).toBe(201);
  });

  it.each<[string, [string, string][], { loc: (string | number)[]; type: string }]>([
    ['that is missing', [['id', '1']], { loc: ['body', 'ids'], type: 'value_error.missing' }],
    ['with a name', [['ids', 'acme']], { loc: ['body', 'ids', 0], type: 'type_error.integer' }],
    ['with a broken number', [['ids', '1.5']], { loc: ['body', 'ids', 0], type: 'type_error.integer' }],
    ['with a 0', [['ids', '0']], { loc: ['body', 'ids', 0], type: 'value_error.number.not_ge' }],
    ['with a negative one', [['ids', '-3']], { loc: ['body', 'ids', 0], type: 'value_error.number.not_ge' }],
    [
      'with one beyond 64 bits',
      [['ids', '9223372036854775808']],
      { loc: ['body', 'ids', 0], type: 'value_error.number.not_le' },
    ],
    [
      'with endless zeros',
      [['ids', `${'0'.repeat(100_000)}x`]],
      { loc: ['body', 'ids', 0], type: 'type_error.integer' },
    ],
    [
      'with a private webhook',
      [
        ['ids', '1'],
        ['webhook_url', 'https://169.254.169.254/'],
      ],
      { loc: ['body', 'webhook_url'], type: 'value_error.url' },
    ],
  ])('%s is refused, and the place is named', async (_, fields, complaint) => {
    expect(await complaints(await orderForm('company_clean/ids', fields))).toEqual([complaint]);
  });

  it('over 10,000 is refused at once, as ids, file, names or URLs', async () => {
    const texts = Array.from({ length: MANY }, (_, at) => String(at + 1));
    const refused = [
      await orderForm('company_clean/ids', each('ids', texts)),
      await orderForm('company_base/id_file', [idsFile(texts.join('\n'))]),
      await orderForm('company_clean/shorthand_names', each('shorthand_names', texts)),
      await orderForm('company_clean/urls', each('urls', texts)),
    ];
    const fields = ['ids', 'ids_file', 'shorthand_names', 'urls'];
    expect(await Promise.all(refused.map(complaints))).toEqual(
      fields.map((field) => [{ loc: ['body', field], type: 'value_error.list.max_items' }]),
    );
  });

  it('names at most twenty complaints', async () => {
    const response = await orderForm('company_clean/ids', each('ids', Array(500).fill('x')));
    expect(await complaints(response)).toHaveLength(20);
  });

  it.each<[string, RequestInit]>([
    ['no body', { method: 'POST' }],
    ['JSON', { method: 'POST', body: '{"ids":[1]}', headers: { 'content-type': 'application/json' } }],
    [
      'a form without a boundary',
      { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    ],
    [
      'a form that breaks off',
      {
        method: 'POST',
        body: '--b\r\nContent-',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['a file in place of ids', { method: 'POST', body: formWithFile() }],
  ])('that comes as %s is a 422', async (_, init) => {
    const response = await call('/cdapi/v2/data_requests/company_clean/ids', init);
    expect((await complaints(response)).length).toBeGreaterThan(0);
  });
});

function formWithFile(): FormData {
  const form = new FormData();
  form.append('ids', new File(['1'], 'ids.csv'));
  return form;
}

describe('a file of ids', () => {
  const order = (content: string | Uint8Array) => orderForm('company_base/id_file', [idsFile(content)]);

  it.each([
    ['one id', '1'],
    ['a line end behind the last', '1\n2\n'],
    ['the line ends of Windows', '1\r\n2\r\n'],
  ])('with %s is accepted', async (_, content) => {
    expect((await order(content)).status).toBe(201);
  });

  it(assumptions.blankLines, async () => {
    expect((await order('\ufeff1\n\n 2\n\n')).status).toBe(201);
  });

  it.each<[string, string | Uint8Array, (string | number)[]]>([
    ['with a heading', 'id\n1\n2', ['body', 'ids_file', 1]],
    ['with a name in it', '1\n2\n\nacme\n5', ['body', 'ids_file', 4]],
    ['with two columns', '1\n2,acme', ['body', 'ids_file', 2]],
    ['that is empty', '', ['body', 'ids_file']],
    ['that holds blank lines only', '\n\n', ['body', 'ids_file']],
    ['in UTF-16', Uint8Array.of(0xff, 0xfe, 0x31, 0), ['body', 'ids_file', 1]],
    ['of another kind', Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0), ['body', 'ids_file', 1]],
  ])('%s is refused, and the line is named', async (_, content, loc) => {
    const [first] = await complaints(await order(content));
    expect(first?.loc).toEqual(loc);
  });

  it('that is a text of the form is refused', async () => {
    const response = await orderForm('company_base/id_file', [['ids_file', '1\n2']]);
    expect(await complaints(response)).toEqual([{ loc: ['body', 'ids_file'], type: 'value_error.file' }]);
  });
});

describe('names and URLs', () => {
  const network = 'https://www.professional-network.example';

  it.each([
    ['names', 'company_clean/shorthand_names', each('shorthand_names', ['acme', '2020'])],
    ['names in brackets', 'employee_base/shorthand_names', each('shorthand_names[]', ['josé-garcía'])],
    ['URLs', 'company_clean/urls', each('urls', [`${network}/company/acme/`, `${network}/school/bolt?x=1`])],
    ['URLs of people', 'employee_clean/urls', each('urls[]', [`${network}/in/jane`])],
  ])('%s are accepted', async (_, path, fields) => {
    expect((await orderForm(path, fields)).status).toBe(201);
  });

  it.each([
    ['a URL without a name', 'company_clean/urls', each('urls', [`${network}/company/`])],
    ['a URL of another kind', 'employee_clean/urls', each('urls', [`${network}/company/acme`])],
    ['a bare name', 'company_clean/urls', each('urls', ['acme'])],
    ['an empty URL', 'company_clean/urls', each('urls', [''])],
    ['a name with a slash', 'company_clean/shorthand_names', each('shorthand_names', ['a/b'])],
    ['an empty name', 'company_clean/shorthand_names', each('shorthand_names', [' '])],
  ])('%s yields no shorthand name and is refused', async (_, path, fields) => {
    const field = path.split('/')[1];
    expect(await complaints(await orderForm(path, fields))).toEqual([
      { loc: ['body', field, 0], type: 'value_error.shorthand_name' },
    ]);
  });

  it.each([
    ['names', 'company_clean/shorthand_names', each('shorthand_names', ['acme', 'bolt', 'ACME'])],
    [
      'URLs of one page',
      'company_clean/urls',
      each('urls', [
        `${network}/company/acme`,
        `${network}/company/bolt`,
        `http://x.example/company/Acme/about`,
      ]),
    ],
  ])('%s that stand twice are refused', async (_, path, fields) => {
    const field = path.split('/')[1];
    expect(await complaints(await orderForm(path, fields))).toEqual([
      { loc: ['body', field, 2], type: 'value_error.duplicate' },
    ]);
  });
});

/** A DSL body that has so many characters. */
function named(characters: number): object {
  const bare = JSON.stringify({ query: { match: { name: '' } } }).length;
  return { query: { match: { name: 'x'.repeat(characters - bare) } } };
}

describe('a query', () => {
  const match = { query: { match_all: {} } };

  it.each([
    ['filters', 'company_base/filter', { filters: { industry: 'robots' } }],
    ['no filters', 'job_base/filter', { filters: {} }],
    ['a DSL body', 'company_clean/es_dsl', { es_dsl_query: match }],
    ['a DSL body of 15,000 characters', 'company_base/es_dsl', { es_dsl_query: named(15_000) }],
    ['a sorted DSL body', 'company_base/es_dsl', { es_dsl_query: { ...match, sort: ['id'] } }],
    [
      'a limit and a webhook',
      'employee_base/es_dsl',
      { es_dsl_query: match, limit: 5, webhook_url: 'https://a.example' },
    ],
    ['nulls', 'employee_clean/es_dsl', { es_dsl_query: match, limit: null, webhook_url: null }],
    ['an old data_format', 'job_multi_source/es_dsl', { es_dsl_query: match, data_format: 'json' }],
  ])('with %s is accepted', async (_, path, body) => {
    const response = await orderJson(path, body);
    expect([response.status, await response.text()]).toEqual([201, expect.stringContaining('request_id')]);
  });

  it(assumptions.limitBounds, async () => {
    const limited = (limit: unknown) =>
      orderJson('company_base/filter', { filters: { name: String(limit) }, limit });
    expect((await limited(1)).status).toBe(201);
    expect((await limited(10_001)).status).toBe(201);
    for (const limit of [0, -1]) {
      expect(await complaints(await limited(limit))).toEqual([
        { loc: ['body', 'limit'], type: 'value_error.number.not_ge' },
      ]);
    }
  });

  it.each<[string, unknown, (string | number)[], string]>([
    ['an empty body', '', ['body'], 'value_error.missing'],
    ['broken JSON', '{"filters": {', ['body', 13], 'value_error.jsondecode'],
    ['a list', [], ['body'], 'type_error.dict'],
    ['no filters', {}, ['body', 'filters'], 'value_error.missing'],
    ['filters that are a list', { filters: [] }, ['body', 'filters'], 'type_error.dict'],
    [
      'an unknown filter',
      { filters: { industri: 'x' } },
      ['body', 'filters', 'industri'],
      'value_error.extra',
    ],
    [
      'a filter of another type',
      { filters: { industry: 7 } },
      ['body', 'filters', 'industry'],
      'type_error.str',
    ],
    [
      'a filter that stands twice',
      '{"filters": {"name": "a", "industry": "b", "name": "c"}}',
      ['body', 'filters', 'name'],
      'value_error.duplicate',
    ],
    ['a limit that is a word', { filters: {}, limit: 'x' }, ['body', 'limit'], 'type_error.integer'],
    ['a broken limit', { filters: {}, limit: 1.5 }, ['body', 'limit'], 'type_error.integer'],
    [
      'a webhook that is a number',
      { filters: {}, webhook_url: 1 },
      ['body', 'webhook_url'],
      'type_error.str',
    ],
    [
      'a webhook without https',
      { filters: {}, webhook_url: 'http://a.example' },
      ['body', 'webhook_url'],
      'value_error.url',
    ],
  ])('with %s is refused, and the part is named', async (_, body, loc, type) => {
    expect(await complaints(await orderJson('company_base/filter', body))).toEqual([{ loc, type }]);
  });

  it.each([
    ['an unknown clause', { query: { nothing: {} } }],
    ['a list', []],
    ['a key beside query and sort', { query: { match_all: {} }, size: 5 }],
    ['a sort by what is no sort', { query: { match_all: {} }, sort: ['name'] }],
    ['15,001 characters and more', { query: { query_string: { query: 'x'.repeat(20_000) } } }],
    ['15,001 characters', named(15_001)],
  ])('of the DSL with %s is a 400 in its own shape', async (_, query) => {
    const response = await orderJson('company_clean/es_dsl', { es_dsl_query: query });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ Error: expect.any(String) });
  });

  it.each([
    ['filters', 'company_base/filter', '{"filters": @}', 90_000],
    ['DSL', 'company_clean/es_dsl', '{"es_dsl_query": @}', 7_000],
    [
      'an option that changes nothing',
      'company_clean/es_dsl',
      '{"es_dsl_query":{"query":{"wildcard":{"name":{"value":"x","rewrite":@}}}}}',
      2_000,
    ],
  ])('nested without end is refused (%s)', async (_, path, body, depth) => {
    const response = await orderJson(
      path,
      body.replace('@', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    );
    expect([400, 422]).toContain(response.status);
  });

  it('with bytes that are no UTF-8 is refused, and the first is named', async () => {
    const bytes = new TextEncoder().encode('{"filters": {"name": "é?"}}');
    bytes[bytes.indexOf(63)] = 0xff;
    const response = await call('/cdapi/v2/data_requests/company_base/filter', {
      method: 'POST',
      body: bytes,
    });
    expect(await complaints(response)).toEqual([{ loc: ['body', 24], type: 'value_error.jsondecode' }]);
  });

  it('larger than anything reasonable is refused', async () => {
    const response = await orderJson('company_base/filter', ' '.repeat(17 * 1024 * 1024));
    expect(await complaints(response)).toEqual([{ loc: ['body'], type: 'value_error.body.max_size' }]);
  });
});
