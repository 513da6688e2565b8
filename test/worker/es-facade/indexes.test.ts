// Indexes of the façade: mappings, settings, names, and what documents add to a mapping.
import { describe, expect, it } from 'vitest';
import { call, done } from './harness.ts';

const properties = (path: string, fields: unknown): Promise<unknown> =>
  done('PUT', path, { mappings: { properties: fields } });

async function mappingOf(index: string): Promise<unknown> {
  return done('GET', `/${index}/_mapping`);
}

describe('making an index', () => {
  it('takes every type of field that the engine has, and shows the mapping as it was given', async () => {
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
      inner: { properties: { a: { type: 'float' } } },
      children: { type: 'nested', dynamic: 'strict', properties: { b: { type: 'byte' } } },
      other: { type: 'alias', path: 'keyword' },
    };
    await properties('/every-type', fields);
    expect(await mappingOf('every-type')).toEqual({ 'every-type': { mappings: { properties: fields } } });
  });

  it.each([
    [
      'a type that there is not',
      { a: { type: 'knn_vector' } },
      'No handler for type [knn_vector] declared on field [a]',
    ],
    ['an analyzer but the standard one', { a: { type: 'text', analyzer: 'english' } }, '[analyzer]'],
    [
      'an unknown normalizer',
      { a: { type: 'keyword', normalizer: 'x' } },
      'normalizer [x] not found for field [a]',
    ],
    ['copies', { a: { type: 'text', copy_to: 'b' } }, '[copy_to]'],
    ['a parameter that there is not', { a: { type: 'text', nonsense: 1 } }, 'unknown parameter [nonsense]'],
    ['a format of dates that is none', { a: { type: 'date', format: 'QQQ' } }, 'Invalid format: [QQQ]'],
    [
      'a null_value that does not fit',
      { a: { type: 'integer', null_value: 'none' } },
      'For input string: "none"',
    ],
    ['no type', { a: {} }, 'No type specified for field [a]'],
  ])('refuses %s', async (_, fields, words) => {
    const { status, text } = await call('PUT', '/refused', { mappings: { properties: fields } });
    expect(status).toBe(400);
    expect(text).toContain('mapper_parsing_exception');
    expect(JSON.parse(text).error.reason).toContain(words);
    expect((await call('HEAD', '/refused')).status).toBe(404);
  });

  it.each([
    ['aliases', { aliases: { a: {} } }],
    ['an order of the index', { settings: { index: { 'sort.field': 'a' } } }],
    ['another window', { settings: { 'index.max_result_window': 2 } }],
    ['a runtime field', { mappings: { runtime: { a: { type: 'keyword' } } } }],
    ['a part that there is not', { warmers: {} }],
  ])('refuses %s', async (_, body) => {
    expect((await call('PUT', '/refused', body)).status).toBe(400);
  });

  it('takes settings that change no answer and shows them', async () => {
    await done('PUT', '/settings', { settings: { number_of_shards: 3, index: { refresh_interval: '1s' } } });
    await done('PUT', '/settings/_settings', { number_of_replicas: 2 });
    expect(await done('GET', '/settings/_settings')).toEqual({
      settings: {
        settings: { index: { number_of_shards: '3', number_of_replicas: '2', refresh_interval: '1s' } },
      },
    });
  });

  it('refuses a name that is there and names that none may have', async () => {
    await done('PUT', '/twice');
    const { status, json } = await call('PUT', '/twice');
    expect([status, json]).toMatchObject([400, { error: { type: 'resource_already_exists_exception' } }]);
    for (const name of ['Capital', '_hidden', 'a%20b', 'a%2Cb', '%2A']) {
      expect((await call('PUT', `/${name}`)).json, name).toMatchObject({
        error: { type: 'invalid_index_name_exception' },
        status: 400,
      });
    }
  });
});

describe('deleting indexes', () => {
  it('goes by names and patterns, and by all names or none', async () => {
    for (const name of ['gone-1', 'gone-2', 'gone-3']) await done('PUT', `/${name}`);
    const missing = await call('DELETE', '/gone-1,missing');
    expect(missing).toMatchObject({
      status: 404,
      json: { error: { type: 'index_not_found_exception', index: 'missing' } },
    });
    expect((await call('HEAD', '/gone-1')).status).toBe(200);
    await done('DELETE', '/gone-1,missing?ignore_unavailable=true');
    await done('DELETE', '/gone-*');
    for (const name of ['gone-1', 'gone-2', 'gone-3'])
      expect((await call('HEAD', `/${name}`)).status).toBe(404);
  });

  it('forgets the documents', async () => {
    await done('PUT', '/forgets/_doc/1', { a: 'x' });
    await done('DELETE', '/forgets');
    await done('PUT', '/forgets');
    expect(await done('GET', '/forgets/_search')).toMatchObject({ hits: { total: { value: 0 } } });
  });
});

describe('dynamic mapping', () => {
  it('finds the type of each value as Elasticsearch does', async () => {
    const text =
      '{"word":"one","whole":1,"real":1.0,"big":9223372036854775807,"yes":true,"day":"2024-01-02","moment":"2024-01-02T03:04:05Z","slashes":"2024/01/02","number":"2024","nothing":null,"empty":[],"list":[null,2],"inner":{"a":1},"dotted.name":"x","objects":[{"a":1},{"b":"2"}]}';
    await done('PUT', '/dynamic/_doc/1', text);
    const word = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
    expect(await mappingOf('dynamic')).toEqual({
      dynamic: {
        mappings: {
          properties: {
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
          },
        },
      },
    });
  });

  it('adds to a mapping that was given, so that the new fields are searched', async () => {
    await properties('/grows', { a: { type: 'keyword' } });
    await done('PUT', '/grows/_doc/1', { a: 'x', b: 'quick fox' });
    expect(await done('GET', '/grows/_count?q=b:fox')).toMatchObject({ count: 1 });
  });

  it('does as the nearest object says', async () => {
    const mappings = {
      dynamic: false,
      properties: { open: { dynamic: true, properties: {} }, closed: { dynamic: 'strict', properties: {} } },
    };
    await done('PUT', '/says', { mappings });
    await done('PUT', '/says/_doc/1', { passed: 1, open: { a: 1 } });
    expect(await mappingOf('says')).toMatchObject({
      says: { mappings: { properties: { open: { properties: { a: { type: 'long' } } } } } },
    });
    expect((await call('GET', '/says/_mapping')).text).not.toContain('passed');
    expect(await call('PUT', '/says/_doc/2', { closed: { a: 1 } })).toMatchObject({
      status: 400,
      json: { error: { type: 'strict_dynamic_mapping_exception' } },
    });
  });
});

describe('adding to a mapping', () => {
  it('keeps what is there and refuses another type', async () => {
    await properties('/added', { a: { type: 'keyword' } });
    await done('PUT', '/added/_mapping', { properties: { b: { type: 'long' } } });
    const { status, json } = await call('PUT', '/added/_mapping', { properties: { a: { type: 'text' } } });
    expect([status, json]).toMatchObject([
      400,
      { error: { reason: 'mapper [a] cannot be changed from type [keyword] to [text]' } },
    ]);
    expect(await mappingOf('added')).toEqual({
      added: { mappings: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } } },
    });
  });
});
