// The façade's indexes and documents: mappings, settings, names, writes.
import { describe, expect, it } from 'vitest';
import { resolveIndexes } from '../../es-facade/facade.ts';
import { formatJson } from '../../es-facade/json.ts';
import { buildBulkLines, call, callOk, send } from './harness.ts';

const createWithFields = (path: string, properties: unknown) =>
  callOk('PUT', path, { mappings: { properties } });
const getMapping = (index: string) => callOk('GET', `/${index}/_mapping`);
const failure = (type: string, reason: unknown = expect.any(String)) => ({ error: { type, reason } });

describe('creating an index', () => {
  it('accepts every field type and returns the mapping unchanged', async () => {
    const fields = {
      text: {
        type: 'text',
        analyzer: 'standard',
        fields: { exact: { type: 'keyword', null_value: 'NULL' } },
      },
      keyword: { type: 'keyword', ignore_above: 256, doc_values: true },
      number: { type: 'integer', null_value: -1, coerce: true },
      day: { type: 'date', format: 'yyyy-MM-dd||epoch_millis', null_value: '2000-01-01' },
      flag: { type: 'boolean', null_value: false },
      picture: { type: 'binary' },
      location: { type: 'geo_point' },
      inner: { properties: { a: { type: 'float' } } },
      children: { type: 'nested', dynamic: 'strict', properties: { b: { type: 'byte' } } },
      other: { type: 'alias', path: 'keyword' },
    };
    await createWithFields('/every-type', fields);
    expect(await getMapping('every-type')).toEqual({ 'every-type': { mappings: { properties: fields } } });
  });

  it.each([
    ['an unknown type', { type: 'knn_vector' }, 'No handler for type [knn_vector] declared on field [a]'],
    ['an unsupported analyzer', { type: 'text', analyzer: 'english' }, '[analyzer]'],
    ['an unknown normalizer', { type: 'keyword', normalizer: 'x' }, 'normalizer [x] not found for field [a]'],
    ['copy_to', { type: 'text', copy_to: 'b' }, '[copy_to]'],
    ['ignored malformed values', { type: 'date', ignore_malformed: true }, '[ignore_malformed]'],
    ['an unknown parameter', { type: 'text', nonsense: 1 }, 'unknown parameter [nonsense]'],
    ['an invalid date format', { type: 'date', format: 'QQQ' }, 'Invalid format: [QQQ]'],
    ['an invalid null_value', { type: 'integer', null_value: 'none' }, 'For input string: "none"'],
    ['a field without a type', {}, 'No type specified for field [a]'],
  ])('rejects %s', async (_, field, reason) => {
    const { status, json } = await call('PUT', '/rejected', { mappings: { properties: { a: field } } });
    expect(status).toBe(400);
    expect(json).toMatchObject(failure('mapper_parsing_exception', expect.stringContaining(reason)));
    expect((await call('HEAD', '/rejected')).status).toBe(404);
  });

  it.each([
    ['aliases', { aliases: { a: {} } }],
    ['index sorting', { settings: { index: { 'sort.field': 'a' } } }],
    ['another result window', { settings: { 'index.max_result_window': 2 } }],
    [
      'another normalizer than lower case',
      {
        settings: { analysis: { normalizer: { folded: { type: 'custom', filter: ['asciifolding'] } } } },
      },
    ],
    ['a runtime field', { mappings: { runtime: { a: { type: 'keyword' } } } }],
    ['an unknown member', { warmers: {} }],
  ])('rejects %s', async (_, body) => {
    expect((await call('PUT', '/rejected', body)).status).toBe(400);
  });

  it('accepts settings that change no results', () =>
    callOk('PUT', '/settings', { settings: { number_of_shards: 3, index: { refresh_interval: '1s' } } }));

  it('rejects existing and invalid names', async () => {
    await callOk('PUT', '/twice');
    expect((await call('PUT', '/twice')).json).toMatchObject(failure('resource_already_exists_exception'));
    for (const name of ['Capital', '_hidden', 'a%20b', 'a%2Cb', '%2A'])
      expect((await call('PUT', `/${name}`)).json, name).toMatchObject(
        failure('invalid_index_name_exception'),
      );
  });
});

describe('an index expression', () => {
  const existing = ['a-1', 'a-2', 'b'].map((name) => ({ name }));
  const strict = { ignoreUnavailable: false, allowNone: true };
  const resolve = (expression: string | undefined, options = strict) =>
    resolveIndexes(existing, expression, options).map(({ name }) => name);

  it.each([
    [undefined, ['a-1', 'a-2', 'b']],
    ['_all', ['a-1', 'a-2', 'b']],
    ['b,a-1', ['a-1', 'b']],
    ['a-*', ['a-1', 'a-2']],
    ['*,-a-1', ['a-2', 'b']],
    ['z*', []],
  ])('%s resolves to %j', (expression, names) => {
    expect(resolve(expression)).toEqual(names);
  });

  it('fails for a missing index unless the options allow it', () => {
    expect(() => resolve('z')).toThrow('no such index [z]');
    expect(() => resolve('z*', { ...strict, allowNone: false })).toThrow('no such index [z*]');
    expect(resolve('z,b', { ...strict, ignoreUnavailable: true })).toEqual(['b']);
  });
});

it('deletes indexes with their documents, all or none', async () => {
  await callOk('PUT', '/gone-1/_doc/1', { a: 'x' });
  await callOk('PUT', '/gone-2');
  expect(await call('DELETE', '/gone-1,missing')).toMatchObject({
    status: 404,
    json: { error: { type: 'index_not_found_exception', index: 'missing' } },
  });
  expect((await call('HEAD', '/gone-1')).status).toBe(200);
  await callOk('DELETE', '/gone-*');
  expect((await call('HEAD', '/gone-1')).status).toBe(404);
  await callOk('PUT', '/gone-1');
  expect(await callOk('GET', '/gone-1/_search')).toMatchObject({ hits: { total: { value: 0 } } });
});

describe('dynamic mapping', () => {
  it('detects types as Elasticsearch does', async () => {
    const text =
      '{"word":"one","whole":1,"real":1.0,"big":9223372036854775807,"yes":true,"day":"2024-01-02","moment":"2024-01-02T03:04:05Z","slashes":"2024/01/02","number":"2024","nothing":null,"empty":[],"list":[null,2],"inner":{"a":1},"dotted.name":"x","objects":[{"a":1},{"b":"2"}]}';
    await callOk('PUT', '/dynamic/_doc/1', text);
    const word = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
    const properties = {
      word,
      whole: { type: 'long' },
      real: { type: 'float' },
      big: { type: 'long' },
      yes: { type: 'boolean' },
      day: { type: 'date' },
      moment: { type: 'date' },
      slashes: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      number: word,
      list: { type: 'long' },
      inner: { properties: { a: { type: 'long' } } },
      dotted: { properties: { name: word } },
      objects: { properties: { a: { type: 'long' }, b: word } },
    };
    expect(await getMapping('dynamic')).toEqual({ dynamic: { mappings: { properties } } });
  });

  it('follows the setting of the nearest object', async () => {
    const properties = {
      open: { dynamic: true, properties: {} },
      closed: { dynamic: 'strict', properties: {} },
    };
    await callOk('PUT', '/nearest', { mappings: { dynamic: false, properties } });
    await callOk('PUT', '/nearest/_doc/1', { ignored: 1, open: { a: 1 } });
    const { text } = await call('GET', '/nearest/_mapping');
    expect(text).toContain('"open":{"dynamic":true,"properties":{"a":{"type":"long"}}}');
    expect(text).not.toContain('ignored');
    const strict = await call('PUT', '/nearest/_doc/2', { closed: { a: 1 } });
    expect(strict.json).toMatchObject(failure('strict_dynamic_mapping_exception'));
  });
});

it('adds fields to a mapping, and rejects a change of type', async () => {
  await createWithFields('/added', { a: { type: 'keyword' } });
  await callOk('PUT', '/added/_mapping', { properties: { b: { type: 'long' } } });
  const reason = 'mapper [a] cannot be changed from type [keyword] to [text]';
  const changed = await call('PUT', '/added/_mapping', { properties: { a: { type: 'text' } } });
  expect(changed.json).toMatchObject(failure('illegal_argument_exception', reason));
  expect(await getMapping('added')).toEqual({
    added: { mappings: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } } },
  });
  await callOk('PUT', '/added/_doc/1', { a: 'x', c: 'quick fox' });
  expect(await callOk('GET', '/added/_count?q=c:fox')).toMatchObject({ count: 1 });
});

describe('a document', () => {
  it('is created, replaced, read and deleted with an increasing version', async () => {
    expect(await call('PUT', '/one/_doc/1', { a: 1 })).toMatchObject({
      status: 201,
      json: { _index: 'one', _id: '1', _version: 1, result: 'created', _seq_no: 0, _primary_term: 1 },
    });
    expect(await callOk('PUT', '/one/_doc/1', { a: 2 })).toMatchObject({
      _version: 2,
      result: 'updated',
      _seq_no: 1,
    });
    expect(await callOk('GET', '/one/_doc/1')).toMatchObject({ found: true, _version: 2, _source: { a: 2 } });
    expect(await callOk('DELETE', '/one/_doc/1')).toMatchObject({ _version: 3, result: 'deleted' });
    expect(await call('GET', '/one/_doc/1')).toMatchObject({ status: 404, json: { found: false } });
    expect(await call('DELETE', '/one/_doc/1')).toMatchObject({ status: 404, json: { result: 'not_found' } });
  });

  it('can have any id, and gets one if it has none', async () => {
    const created = await call('POST', '/ids/_doc', { a: 1 });
    expect(created).toMatchObject({ status: 201, json: { _id: expect.stringMatching(/^[\w-]+$/) } });
    await callOk('PUT', '/ids/_doc/%E4%B8%AD%E6%96%87%20%2F', { a: 1 });
    expect(await callOk('GET', '/ids/_doc/%E4%B8%AD%E6%96%87%20%2F')).toMatchObject({
      _id: '中文 /',
      found: true,
    });
    expect(await callOk('POST', '/ids/_search', { query: { ids: { values: ['中文 /'] } } })).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: '中文 /' }] },
    });
  });

  it('keeps all digits of its numbers', async () => {
    await callOk('PUT', '/digits/_doc/1', '{"n":9223372036854775807}');
    const { text } = await call('POST', '/digits/_search', { sort: ['n'] });
    expect(text).toContain('"_source":{"n":9223372036854775807},"sort":[9223372036854775807]');
    expect(formatJson(1.2e18)).toBe('1.2e+18');
  });

  it.each([
    ['a second _create', '/one/_create/9', { a: 2 }, 409, 'version_conflict_engine_exception'],
    ['no body', '/one/_doc/9', '', 400, 'parse_exception'],
    ['broken JSON', '/one/_doc/9', '{"a":', 400, 'document_parsing_exception'],
    ['a list', '/one/_doc/9', '[1]', 400, 'document_parsing_exception'],
    ['a value of the wrong type', '/one/_doc/9', { day: 'someday' }, 400, 'document_parsing_exception'],
  ])('is rejected for %s', async (_, path, body, status, type) => {
    await callOk('PUT', '/one/_doc/9', { a: 1, day: '2024-01-01' });
    expect(await call('PUT', path, body)).toMatchObject({ status, json: failure(type) });
  });
});

describe('_bulk', () => {
  it('writes in order, with a result for each document', async () => {
    await createWithFields('/many', { n: { type: 'integer' } });
    const { json } = await call('POST', '/many/_bulk?refresh=true', [
      ...[
        { index: { _id: '1' } },
        { n: 1 },
        { create: { _id: '1' } },
        { n: 2 },
        { index: { _id: 2 } },
        { n: 'two' },
      ],
      ...[{ index: { _id: '3' } }, { n: 3 }, { delete: { _id: '3' } }, { delete: { _id: '4' } }],
      ...[{ update: { _id: '1' } }, { doc: { n: 5 } }, { index: { _id: '' } }, { n: 6 }],
      ...[{ index: { _index: 'Wrong' } }, { n: 7 }],
    ]);
    expect(json).toMatchObject({
      errors: true,
      items: [
        { index: { _id: '1', status: 201, result: 'created' } },
        { create: { status: 409, error: { type: 'version_conflict_engine_exception' } } },
        { index: { _id: '2', status: 400, error: { type: 'document_parsing_exception' } } },
        { index: { _id: '3', status: 201 } },
        { delete: { _id: '3', status: 200, result: 'deleted' } },
        { delete: { _id: '4', status: 404, result: 'not_found' } },
        { update: { status: 400 } },
        { index: { status: 400, error: { reason: 'if _id is specified it must not be empty' } } },
        { index: { _index: 'Wrong', status: 400, error: { type: 'invalid_index_name_exception' } } },
      ],
    });
    expect(await callOk('GET', '/many/_search')).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _source: { n: 1 } }] },
    });
  });

  it('accepts gzipped bodies', async () => {
    const lines = buildBulkLines('packed', { 1: { a: 'x' } }).map((line) => `${JSON.stringify(line)}\n`);
    const stream = new Blob(lines).stream().pipeThrough(new CompressionStream('gzip'));
    const init = { body: await new Response(stream).arrayBuffer(), headers: { 'content-encoding': 'gzip' } };
    expect(await (await send('/_bulk', { method: 'POST', ...init })).json()).toMatchObject({ errors: false });
    expect(await callOk('GET', '/packed/_count')).toMatchObject({ count: 1 });
  });

  const VALIDATION = 'action_request_validation_exception';
  it.each([
    ['no final newline', '{"index":{"_index":"a"}}', 'illegal_argument_exception', 'terminated by a newline'],
    ['an unknown action', '{"del":{}}\n', 'illegal_argument_exception', 'Malformed action/metadata line [1]'],
    ['no index', '{"index":{}}\n{}\n', VALIDATION, '1: index is missing;'],
    ['no document', '{"index":{"_index":"a"}}\n', VALIDATION, 'no requests added'],
    ['an empty body', '', 'parse_exception', 'request body is required'],
    [
      'an unknown parameter',
      '{"index":{"_index":"a","nonsense":1}}\n{}\n',
      'illegal_argument_exception',
      '[nonsense]',
    ],
  ])('is rejected as a whole for %s', async (_, body, type, reason) => {
    const { status, json } = await call('POST', '/_bulk', body);
    expect([status, json]).toMatchObject([400, failure(type, expect.stringContaining(reason))]);
  });
});
