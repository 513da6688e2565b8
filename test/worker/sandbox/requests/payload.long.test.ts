// The bodies of data requests: accepted forms and queries, and the errors of invalid ones.
import { beforeAll, describe, expect, it } from 'vitest';
import { assumptions } from '../assumptions.ts';
import { call, control, idsFile, orderForm, orderJson, readIssues } from '../client.ts';

type Fields = (readonly [string, string])[];

const MAX_RECORDS = 10_000;
const NETWORK = 'https://www.professional-network.example';

// No request is processed during these tests.
beforeAll(() => control({ run_ms: 3_600_000, rate_per_s: 100_000 }));

const repeat = (field: string, values: readonly string[]): Fields => values.map((value) => [field, value]);
const countTo = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));

describe('a list of ids', () => {
  it.each<[string, Fields]>([
    ['in the field ids', repeat('ids', ['1'])],
    ['in the field ids[]', repeat('ids[]', ['1'])],
    [
      'in both fields',
      [
        ['ids', '1'],
        ['ids[]', '2'],
      ],
    ],
    ['with 19 digits', repeat('ids', ['9223372036854775807'])],
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
    ['with 10,000 ids', repeat('ids', countTo(MAX_RECORDS))],
  ])('is accepted %s', async (_, fields) => {
    expect((await orderForm('company_clean/ids', fields)).status).toBe(201);
  });

  it.each<[string, Fields, (string | number)[], string]>([
    ['if it is missing', [['id', '1']], ['body', 'ids'], 'value_error.missing'],
    ['with a name', repeat('ids', ['acme']), ['body', 'ids', 0], 'type_error.integer'],
    ['with a decimal', repeat('ids', ['1', '1.5']), ['body', 'ids', 1], 'type_error.integer'],
    ['with 0', repeat('ids', ['0']), ['body', 'ids', 0], 'value_error.number.not_ge'],
    ['with a negative id', repeat('ids', ['-3']), ['body', 'ids', 0], 'value_error.number.not_ge'],
    [
      'beyond 64 bits',
      repeat('ids', ['9223372036854775808']),
      ['body', 'ids', 0],
      'value_error.number.not_le',
    ],
    [
      'with 100,000 zeros',
      repeat('ids', [`${'0'.repeat(100_000)}x`]),
      ['body', 'ids', 0],
      'type_error.integer',
    ],
    [
      'with a private webhook',
      [
        ['ids', '1'],
        ['webhook_url', 'https://169.254.169.254/'],
      ],
      ['body', 'webhook_url'],
      'value_error.url',
    ],
  ])('is rejected %s', async (_, fields, loc, type) => {
    expect(await readIssues(await orderForm('company_clean/ids', fields))).toEqual([{ loc, type }]);
  });

  const fileAsIds = new FormData();
  fileAsIds.append('ids', new File(['1'], 'ids.csv'));
  const withType = (body: string, type: string): RequestInit => ({ body, headers: { 'content-type': type } });
  it.each<[string, RequestInit]>([
    ['no body', {}],
    ['JSON', withType('{"ids":[1]}', 'application/json')],
    ['a form without a boundary', withType('x', 'multipart/form-data')],
    ['a truncated form', withType('--b\r\nContent-', 'multipart/form-data; boundary=b')],
    ['a file in place of ids', { body: fileAsIds }],
  ])('is rejected as %s', async (_, init) => {
    const response = await call('/cdapi/v2/data_requests/company_clean/ids', { method: 'POST', ...init });
    expect((await readIssues(response)).length).toBeGreaterThan(0);
  });
});

it('rejects more than 10,000 keys of any kind', async () => {
  const keys = countTo(MAX_RECORDS + 1);
  const fields = ['ids', 'ids_file', 'shorthand_names', 'urls'];
  const responses = [
    await orderForm('company_clean/ids', repeat('ids', keys)),
    await orderForm('company_base/id_file', [idsFile(keys.join('\n'))]),
    await orderForm('company_clean/shorthand_names', repeat('shorthand_names', keys)),
    await orderForm('company_clean/urls', repeat('urls', keys)),
  ];
  expect(await Promise.all(responses.map(readIssues))).toEqual(
    fields.map((field) => [{ loc: ['body', field], type: 'value_error.list.max_items' }]),
  );
});

describe('a file of ids', () => {
  const order = (content: string | Uint8Array) => orderForm('company_base/id_file', [idsFile(content)]);

  it.each(['1', '1\n2\n', '1\r\n2\r\n'])('is accepted as %j', async (content) => {
    expect((await order(content)).status).toBe(201);
  });

  it(assumptions.blankLines, async () => {
    expect((await order('\ufeff1\n\n 2\n\n')).status).toBe(201);
  });

  it.each<[string, string | Uint8Array, (string | number)[]]>([
    ['with a heading', 'id\n1\n2', ['body', 'ids_file', 1]],
    ['with a name', '1\n2\n\nacme\n5', ['body', 'ids_file', 4]],
    ['with two columns', '1\n2,acme', ['body', 'ids_file', 2]],
    ['if it is empty', '', ['body', 'ids_file']],
    ['with blank lines only', '\n\n', ['body', 'ids_file']],
    ['in UTF-16', Uint8Array.of(0xff, 0xfe, 0x31, 0), ['body', 'ids_file']],
    ['if it is binary', Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0), ['body', 'ids_file']],
  ])('is rejected %s, with the line', async (_, content, loc) => {
    const [first] = await readIssues(await order(content));
    expect(first?.loc).toEqual(loc);
  });

  it('is rejected as a text field', async () => {
    const response = await orderForm('company_base/id_file', [['ids_file', '1\n2']]);
    expect(await readIssues(response)).toEqual([{ loc: ['body', 'ids_file'], type: 'value_error.file' }]);
  });
});

describe('names and URLs', () => {
  it.each([
    ['company_clean/shorthand_names', repeat('shorthand_names', ['acme', '2020'])],
    ['employee_base/shorthand_names', repeat('shorthand_names[]', ['josé-garcía'])],
    ['company_clean/urls', repeat('urls', [`${NETWORK}/company/acme/`, `${NETWORK}/school/bolt?x=1`])],
    ['employee_clean/urls', repeat('urls[]', [`${NETWORK}/in/jane`])],
  ])('are accepted by %s: %j', async (path, fields) => {
    expect((await orderForm(path, fields)).status).toBe(201);
  });

  it.each([
    ['company_clean/urls', `${NETWORK}/company/`],
    ['employee_clean/urls', `${NETWORK}/company/acme`],
    ['company_clean/urls', 'acme'],
    ['company_clean/urls', 'https://acme.example/company/about'],
    ['company_clean/urls', ''],
    ['company_clean/shorthand_names', 'a/b'],
    ['company_clean/shorthand_names', ' '],
  ])('are rejected by %s without a shorthand name: %j', async (path, value) => {
    const field = path.split('/')[1] ?? '';
    expect(await readIssues(await orderForm(path, [[field, value]]))).toEqual([
      { loc: ['body', field, 0], type: 'value_error.shorthand_name' },
    ]);
  });

  it.each([
    ['shorthand_names', ['acme', 'bolt', 'ACME']],
    [
      'urls',
      [`${NETWORK}/company/acme`, `${NETWORK}/company/bolt`, 'http://network.example/company/Acme/about'],
    ],
  ])('are rejected if they repeat: %s', async (field, values) => {
    expect(await readIssues(await orderForm(`company_clean/${field}`, repeat(field, values)))).toEqual([
      { loc: ['body', field, 2], type: 'value_error.duplicate' },
    ]);
  });
});

describe('a query', () => {
  const all = { query: { match_all: {} } };
  const buildDsl = (length: number): object => {
    const query = { query: { match: { name: '' } } };
    return { query: { match: { name: 'x'.repeat(length - JSON.stringify(query).length) } } };
  };

  it.each([
    ['company_base/filter', 'filters', { filters: { industry: 'robots' } }],
    ['job_base/filter', 'no filters', { filters: {} }],
    ['company_clean/es_dsl', 'a DSL body', { es_dsl_query: all }],
    ['company_base/es_dsl', '15,000 characters', { es_dsl_query: buildDsl(15_000) }],
    ['company_base/es_dsl', 'a sort', { es_dsl_query: { ...all, sort: ['id'] } }],
    [
      'employee_base/es_dsl',
      'limit and webhook',
      { es_dsl_query: all, limit: 5, webhook_url: 'https://a.example' },
    ],
    ['employee_clean/es_dsl', 'nulls', { es_dsl_query: all, limit: null, webhook_url: null }],
    ['job_multi_source/es_dsl', 'an old data_format', { es_dsl_query: all, data_format: 'json' }],
  ])('is accepted by %s with %s', async (path, _, body) => {
    const response = await orderJson(path, body);
    expect([response.status, await response.text()]).toEqual([201, expect.stringContaining('request_id')]);
  });

  it(assumptions.limitBounds, async () => {
    const order = (limit: number) =>
      orderJson('company_base/filter', { filters: { name: String(limit) }, limit });
    for (const limit of [1, 10_001]) expect((await order(limit)).status).toBe(201);
    for (const limit of [0, -1])
      expect(await readIssues(await order(limit))).toEqual([
        { loc: ['body', 'limit'], type: 'value_error.number.not_ge' },
      ]);
  });

  it.each<[unknown, (string | number)[], string]>([
    ['', ['body'], 'value_error.missing'],
    ['{"filters": {', ['body', 13], 'value_error.jsondecode'],
    [[], ['body'], 'type_error.dict'],
    [{}, ['body', 'filters'], 'value_error.missing'],
    [{ filters: [] }, ['body', 'filters'], 'type_error.dict'],
    [{ filters: { industri: 'x' } }, ['body', 'filters', 'industri'], 'value_error.extra'],
    [{ filters: { industry: 7 } }, ['body', 'filters', 'industry'], 'type_error.str'],
    [
      '{"filters": {"name": "a", "industry": "b", "name": "c"}}',
      ['body', 'filters', 'name'],
      'value_error.duplicate',
    ],
    [{ filters: {}, limit: 'x' }, ['body', 'limit'], 'type_error.integer'],
    [{ filters: {}, limit: 1.5 }, ['body', 'limit'], 'type_error.integer'],
    [{ filters: {}, webhook_url: 1 }, ['body', 'webhook_url'], 'type_error.str'],
    [{ filters: {}, webhook_url: 'http://a.example' }, ['body', 'webhook_url'], 'value_error.url'],
  ])('is rejected as %j, with the invalid part', async (body, loc, type) => {
    expect(await readIssues(await orderJson('company_base/filter', body))).toEqual([{ loc, type }]);
  });

  it.each([
    ['an unknown clause', { query: { nothing: {} } }],
    ['a list', []],
    ['an unknown key', { ...all, size: 5 }],
    ['an unsupported sort', { ...all, sort: ['name'] }],
    ['20,000 characters in one clause', { query: { query_string: { query: 'x'.repeat(20_000) } } }],
    ['15,001 characters', buildDsl(15_001)],
  ])('of the DSL with %s is a 400', async (_, query) => {
    const response = await orderJson('company_clean/es_dsl', { es_dsl_query: query });
    expect([response.status, await response.json()]).toEqual([400, { Error: expect.any(String) }]);
  });

  it.each([
    ['company_base/filter', '{"filters": @}', 90_000],
    ['company_clean/es_dsl', '{"es_dsl_query": @}', 7_000],
    [
      'company_clean/es_dsl',
      '{"es_dsl_query":{"query":{"wildcard":{"name":{"value":"x","rewrite":@}}}}}',
      2_000,
    ],
  ])('of %s is rejected if it is nested deeply: %s', async (path, body, depth) => {
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect([400, 422]).toContain((await orderJson(path, body.replace('@', deep))).status);
  });

  it('is rejected as invalid UTF-8, with the first invalid byte', async () => {
    const bytes = new TextEncoder().encode('{"filters": {"name": "é?"}}');
    bytes[bytes.indexOf(63)] = 0xff;
    const response = await call('/cdapi/v2/data_requests/company_base/filter', {
      method: 'POST',
      body: bytes,
    });
    expect(await readIssues(response)).toEqual([{ loc: ['body', 24], type: 'value_error.jsondecode' }]);
  });

  it('is rejected above 16 MiB', async () => {
    const response = await orderJson('company_base/filter', ' '.repeat(17 * 1024 * 1024));
    expect(await readIssues(response)).toEqual([{ loc: ['body'], type: 'value_error.body.max_size' }]);
  });
});
