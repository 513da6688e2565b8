// Documents of the façade: one by one and many at once.
import { describe, expect, it } from 'vitest';
import { call, done, lines, send } from './harness.ts';

describe('one document', () => {
  it('is made, replaced, read and deleted, with a version that grows', async () => {
    expect(await call('PUT', '/one/_doc/1', { a: 1 })).toMatchObject({
      status: 201,
      json: { _index: 'one', _id: '1', _version: 1, result: 'created', _seq_no: 0, _primary_term: 1 },
    });
    expect(await done('PUT', '/one/_doc/1', { a: 2 })).toMatchObject({
      _version: 2,
      result: 'updated',
      _seq_no: 1,
    });
    expect(await done('GET', '/one/_doc/1')).toMatchObject({ found: true, _version: 2, _source: { a: 2 } });
    expect(await done('DELETE', '/one/_doc/1')).toMatchObject({ _version: 3, result: 'deleted' });
    expect(await call('GET', '/one/_doc/1')).toMatchObject({ status: 404, json: { found: false } });
    expect(await call('DELETE', '/one/_doc/1')).toMatchObject({ status: 404, json: { result: 'not_found' } });
  });

  it('gets an id of twenty characters where it has none', async () => {
    const { status, json } = await call('POST', '/ids/_doc', { a: 1 });
    expect(status).toBe(201);
    expect(json).toMatchObject({ _id: expect.stringMatching(/^[\w-]{20}$/) });
  });

  it('may have any id', async () => {
    await done('PUT', '/ids/_doc/%E4%B8%AD%E6%96%87%20%2F', { a: 1 });
    expect(await done('GET', '/ids/_doc/%E4%B8%AD%E6%96%87%20%2F')).toMatchObject({
      _id: '中文 /',
      found: true,
    });
    expect(await done('POST', '/ids/_search', { query: { ids: { values: ['中文 /'] } } })).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: '中文 /' }] },
    });
  });

  it('is not made twice by _create', async () => {
    await done('PUT', '/created/_create/1', { a: 1 });
    expect(await call('PUT', '/created/_create/1', { a: 2 })).toMatchObject({
      status: 409,
      json: { error: { type: 'version_conflict_engine_exception' } },
    });
  });

  it('keeps all digits of a number', async () => {
    await done('PUT', '/digits/_doc/1', '{"n":9223372036854775807}');
    const { text } = await call('POST', '/digits/_search', { sort: ['n'] });
    expect(text).toContain('"_source":{"n":9223372036854775807},"sort":[9223372036854775807]');
  });

  it('is refused with a value that does not fit, unless its field passes over it', async () => {
    const fields = { day: { type: 'date' }, loose: { type: 'date', ignore_malformed: true } };
    await done('PUT', '/fits', { mappings: { properties: fields } });
    expect(await call('PUT', '/fits/_doc/1', { day: 'someday' })).toMatchObject({
      status: 400,
      json: {
        error: {
          type: 'document_parsing_exception',
          reason: "failed to parse field [day] of type [date] in document with id '1'",
          caused_by: { reason: expect.stringContaining('failed to parse date field [someday]') },
        },
      },
    });
    await done('PUT', '/fits/_doc/2', { day: '2024-01-01', loose: 'someday' });
    expect(await done('POST', '/fits/_search', { query: { term: { _ignored: 'loose' } } })).toMatchObject({
      hits: { hits: [{ _id: '2', _ignored: ['loose'] }] },
    });
  });

  it.each([
    ['no body', '', 'parse_exception'],
    ['broken JSON', '{"a":', 'document_parsing_exception'],
    ['a list', '[1]', 'document_parsing_exception'],
  ])('is refused for %s', async (_, body, type) => {
    expect(await call('PUT', '/one/_doc/9', body)).toMatchObject({ status: 400, json: { error: { type } } });
  });
});

describe('many documents', () => {
  it('are written in order, each with its own outcome', async () => {
    await done('PUT', '/many', { mappings: { properties: { n: { type: 'integer' } } } });
    const answer = await call('POST', '/many/_bulk?refresh=true', [
      { index: { _id: '1' } },
      { n: 1 },
      { create: { _id: '1' } },
      { n: 2 },
      { index: { _id: 2 } },
      { n: 'two' },
      { index: { _id: '3' } },
      { n: 3 },
      { delete: { _id: '3' } },
      { delete: { _id: '4' } },
      { update: { _id: '1' } },
      { doc: { n: 5 } },
      { index: { _id: '' } },
      { n: 6 },
      { index: { _index: 'Wrong' } },
      { n: 7 },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
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
      },
    });
    expect(await done('GET', '/many/_search')).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _source: { n: 1 } }] },
    });
  });

  it('may come packed', async () => {
    const text = lines('packed', { 1: { a: 'x' } })
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    const packed = await new Response(stream).arrayBuffer();
    const headers = { 'content-encoding': 'gzip' };
    const response = await send('/_bulk', { method: 'POST', body: packed, headers });
    expect(await response.json()).toMatchObject({ errors: false });
    expect(await done('GET', '/packed/_count')).toMatchObject({ count: 1 });
  });

  it.each([
    [
      'that does not end a line',
      '{"index":{"_index":"a"}}',
      'illegal_argument_exception',
      'must be terminated by a newline',
    ],
    [
      'with an action that is none',
      '{"del":{}}\n',
      'illegal_argument_exception',
      'Malformed action/metadata line [1]',
    ],
    ['without an index', '{"index":{}}\n{}\n', 'action_request_validation_exception', '1: index is missing;'],
    [
      'without a document',
      '{"index":{"_index":"a"}}\n',
      'action_request_validation_exception',
      'no requests added',
    ],
    ['that is empty', '', 'parse_exception', 'request body is required'],
    [
      'with a parameter that there is not',
      '{"index":{"_index":"a","nonsense":1}}\n{}\n',
      'illegal_argument_exception',
      '[nonsense]',
    ],
  ])('are refused together in a body %s', async (_, body, type, words) => {
    expect(await call('POST', '/_bulk', body)).toMatchObject({
      status: 400,
      json: { error: { type, reason: expect.stringContaining(words) } },
    });
  });

  it('make only indexes that they may make', async () => {
    await done('PUT', '/_cluster/settings', { transient: { 'action.auto_create_index': '-not-*,+made-*' } });
    const body = [
      { index: { _index: 'made-1' } },
      {},
      { index: { _index: 'not-1' } },
      {},
      { index: { _index: 'else' } },
      {},
    ];
    expect(await call('POST', '/_bulk', body)).toMatchObject({
      json: { items: [{ index: { status: 201 } }, { index: { status: 404 } }, { index: { status: 404 } }] },
    });
    await done('PUT', '/_cluster/settings', { transient: { 'action.auto_create_index': 'true' } });
  });
});
