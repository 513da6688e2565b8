// The façade's searches: order, pages, totals, sources, several indexes, errors.
import { beforeAll, describe, expect, it } from 'vitest';
import { filterSource } from '../../es-facade/source-filter.ts';
import { buildBulkLines, call, callOk } from './harness.ts';

/** Returns the ids of a search's hits. */
async function findIds(path: string, body: unknown): Promise<string[]> {
  const { status, text } = await call('POST', path, body);
  if (status !== 200) throw new Error(text);
  return Array.from(text.matchAll(/"_id":"([^"]*)"/g), ([, id = '']) => id);
}

const animals = {
  1: {
    name: 'quick brown fox',
    legs: 4,
    kind: 'mammal',
    seen: '2024-01-02',
    tame: false,
    home: { wood: 'oak' },
  },
  2: { name: 'lazy brown dog', legs: 4, kind: 'mammal', seen: '2024-03-04', tame: true },
  3: { name: 'brown hen', legs: 2, kind: 'bird', tame: true, weight: 1.5 },
  4: { name: 'snake', legs: 0, seen: '2023-12-31', weight: 0.25 },
};

beforeAll(async () => {
  const properties = {
    name: { type: 'text', fields: { exact: { type: 'keyword' } } },
    legs: { type: 'integer' },
    kind: { type: 'keyword' },
    seen: { type: 'date' },
    tame: { type: 'boolean' },
    weight: { type: 'float' },
    place: { type: 'geo_point' },
    title: { type: 'alias', path: 'name' },
  };
  await callOk('PUT', '/animals', { mappings: { properties } });
  await callOk('POST', '/_bulk', buildBulkLines('animals', animals));
});

describe('_search', () => {
  it('responds in the format of Elasticsearch', async () => {
    expect(await callOk('POST', '/animals/_search', { query: { match: { name: 'fox' } } })).toEqual({
      took: 0,
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: {
        total: { value: 1, relation: 'eq' },
        max_score: expect.closeTo(1.03, 1),
        hits: [{ _index: 'animals', _id: '1', _score: expect.closeTo(1.03, 1), _source: animals[1] }],
      },
    });
  });

  const brown = { query: { match: { name: 'brown' } } };
  it.each([
    ['no query', '', {}, ['1', '2', '3', '4']],
    [
      'a query in the parameters',
      '?q=brown%20AND%20dog&df=name',
      { query: { match: { name: 'snake' } } },
      ['2'],
    ],
    ['a default operator', '?q=brown%20dog&df=name&default_operator=AND', undefined, ['2']],
    ['a field alias', '', { query: { match: { title: 'fox' } } }, ['1']],
    ['a post_filter', '', { ...brown, post_filter: { term: { kind: 'bird' } } }, ['3']],
  ])('supports %s', async (_, parameters, body, ids) => {
    expect(await findIds(`/animals/_search${parameters}`, body)).toEqual(ids);
  });

  it.each([
    ['exactly', '', {}, { value: 4, relation: 'eq' }],
    ['up to a limit', '', { track_total_hits: 3 }, { value: 3, relation: 'gte' }],
    ['not at all', '', { track_total_hits: false }, undefined],
    ['as an integer', '?rest_total_hits_as_int=true', {}, 4],
  ])('counts hits %s', async (_, parameters, body, total) => {
    const { text } = await call('POST', `/animals/_search${parameters}`, { size: 0, ...body });
    expect(JSON.parse(text).hits).toEqual({ ...(total && { total }), max_score: null, hits: [] });
  });
});

it.each([
  [['a'], [], { a: { b: 1, c: [{ d: 2, e: 3 }] } }],
  [['a.c.d'], [], { a: { c: [{ d: 2 }] } }],
  [['*.d', 'h'], [], { a: { c: [{ d: 2 }] }, h: null }],
  [['f.g'], [], { 'f.g': 4 }],
  [[], ['a.c', 'f*'], { a: { b: 1 }, h: null }],
  [['a'], ['*.e'], { a: { b: 1, c: [{ d: 2 }] } }],
  [['nothing'], [], {}],
])('filters a source by includes %j and excludes %j', (includes, excludes, filtered) => {
  const source = { a: { b: 1, c: [{ d: 2, e: 3 }] }, 'f.g': 4, h: null };
  expect(filterSource(source, { includes, excludes })).toEqual(filtered);
});

describe('sort', () => {
  it.each([
    ['numbers, missing last', ['weight'], ['4', '3', '1', '2'], [0.25, 1.5, 'Infinity', 'Infinity']],
    ['numbers descending', [{ weight: 'desc' }], ['3', '4', '1', '2'], [1.5, 0.25, '-Infinity', '-Infinity']],
    [
      'keywords, missing first',
      [{ kind: { order: 'asc', missing: '_first' } }],
      ['4', '3', '1', '2'],
      [null, 'bird', 'mammal', 'mammal'],
    ],
    [
      'dates',
      { seen: { order: 'desc' } },
      ['2', '1', '4', '3'],
      [1709510400000, 1704153600000, 1703980800000],
    ],
    ['booleans', ['tame'], ['1', '2', '3', '4'], [0, 1, 1]],
    [
      'a substitute for missing values',
      [{ weight: { missing: 1 } }],
      ['4', '1', '2', '3'],
      [0.25, 1, 1, 1.5],
    ],
  ])('orders by %s', async (_, sort, order, values) => {
    const { text } = await call('POST', '/animals/_search', { sort });
    const { hits } = JSON.parse(text).hits;
    expect(hits.map((hit: { _id: string }) => hit._id)).toEqual(order);
    expect(hits.map((hit: { sort: unknown[] }) => hit.sort[0]).slice(0, values.length)).toEqual(values);
  });

  it.each([
    ['{"sort":[{"seen":"asc"},{"legs":"desc"}]', ['4', '1', '2', '3']],
    ['{"query":{"match":{"name":"brown"}},"sort":["_score","name.exact"]', ['3', '2', '1']],
  ])('pages by the sort values of the last hit: %s', async (search, expected) => {
    const ids: (string | undefined)[] = [];
    for (let after = ''; ids.length <= expected.length; ) {
      const { text } = await call('POST', '/animals/_search', `${search},"size":1${after}}`);
      const [, values] = /"sort":(\[[^\]]*\])/.exec(text) ?? [];
      if (values === undefined) break;
      ids.push(/"_id":"(\d)"/.exec(text)?.[1]);
      after = `,"search_after":${values}`;
    }
    expect(ids).toEqual(expected);
  });

  it.each([
    [{ sort: ['name'] }, 'Text fields are not optimised'],
    [{ sort: ['nope'] }, 'No mapping found for [nope] in order to sort on'],
    [{ sort: ['place'] }, "Can't sort by [place]"],
    [{ sort: ['legs'], search_after: ['four'] }, 'Failed to parse search_after value for field [legs].'],
    [{ sort: ['legs', 'kind'], search_after: [4] }, 'search_after has 1 value(s) but sort has 2.'],
    [{ search_after: [4] }, 'Sort must contain at least one field.'],
    [{ sort: ['legs'], search_after: [4], from: 1 }, '`from` parameter must be set to 0'],
  ])('rejects %j', async (body, reason) => {
    const { status, text } = await call('POST', '/animals/_search', body);
    expect(status).toBe(400);
    expect(JSON.parse(text).error.root_cause[0].reason).toContain(reason);
  });
});

describe('a search of several indexes', () => {
  beforeAll(async () => {
    const fields = [{ n: { type: 'long' }, only: { type: 'long' } }, { n: { type: 'double' } }];
    for (const [at, properties] of fields.entries())
      await callOk('PUT', `/herd-${at + 1}`, { mappings: { properties } });
    await callOk('POST', '/_bulk', [
      ...buildBulkLines('herd-1', { a: { n: 1, only: 1, t: 'sheep' }, c: { n: 3, t: 'sheep dog' } }),
      ...buildBulkLines('herd-2', { b: { n: 1.5, t: 'sheep' }, d: { n: 7, t: 'cow' }, e: { t: 'sheep' } }),
    ]);
  });

  it.each([
    ['/herd-*', { sort: ['n'], size: 3 }, ['a', 'b', 'c']],
    ['/herd-1,herd-2', { sort: [{ n: 'desc' }], from: 1, size: 3 }, ['c', 'b', 'a']],
    ['/herd-*', { sort: [{ n: 'asc' }], search_after: [3] }, ['d', 'e']],
  ])('merges the hits of %s in one order: %j', async (path, body, ids) => {
    expect(await findIds(`${path}/_search`, body)).toEqual(ids);
  });

  it('resolves index expressions', async () => {
    expect(await callOk('GET', '/herd-*,-herd-2/_count')).toMatchObject({ count: 2, _shards: { total: 1 } });
    expect((await call('GET', '/nothing-*/_search?allow_no_indices=false')).status).toBe(404);
    expect((await call('GET', '/herd-1,missing/_search')).status).toBe(404);
    expect(await callOk('GET', '/herd-1,missing/_search?ignore_unavailable=true')).toMatchObject({
      hits: { total: { value: 2 } },
    });
  });

  it('succeeds if some indexes fail', async () => {
    expect(await callOk('POST', '/herd-*/_search', { sort: ['only'] })).toMatchObject({
      _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: 'herd-2' }] },
      hits: { total: { value: 2 } },
    });
  });
});

it('compares keywords with a lower-case normalizer in all clauses', async () => {
  const normalizer = { type: 'custom', char_filter: [], filter: ['lowercase'] };
  const properties = {
    kind: { type: 'keyword', normalizer: 'small' },
    plain: { type: 'keyword', normalizer: 'lowercase' },
    same: { type: 'keyword', normalizer: 'kept' },
  };
  const settings = { analysis: { normalizer: { small: normalizer, kept: { type: 'custom' } } } };
  await callOk('PUT', '/normal', { settings, mappings: { properties } });
  await callOk('PUT', '/normal/_doc/1', { kind: 'BlueBird', plain: 'X', same: 'Y' });
  for (const query of [
    { term: { kind: 'BLUEBIRD' } },
    { match: { kind: 'bluebird' } },
    { terms: { kind: ['Bluebird', 'y'] } },
    { prefix: { kind: 'BLUE' } },
    { wildcard: { kind: '*BIRD' } },
    { fuzzy: { kind: 'BLUEBYRD' } },
    { range: { kind: { gte: 'BLUE', lt: 'BLUF' } } },
    { query_string: { query: 'plain:x AND kind:BLUEbird' } },
    { terms: { same: ['Y'] } },
  ])
    expect(await findIds('/normal/_search', { query }), JSON.stringify(query)).toEqual(['1']);
  expect(await findIds('/normal/_search', { query: { terms: { same: ['y'] } } })).toEqual([]);
});

describe('errors', () => {
  it.each([
    ['aggregations', { aggs: { a: { terms: { field: 'kind' } } } }],
    ['script fields', { script_fields: {} }],
    ['a minimum score', { min_score: 1 }],
    ['an early end', { terminate_after: 1 }],
    ['an unknown member', { match: { name: 'fox' } }],
    ['a too large window', { from: 9_995, size: 6 }],
    ['a negative size', { size: -1 }],
    ['a huge size', { size: 2 ** 31 }],
    ['a term on a stored field', { query: { term: { place: 'x' } } }],
    ['broken JSON', '{"query":'],
    ['a list', '[]'],
  ])('rejects %s', async (_, body) => {
    const { status, json } = await call('POST', '/animals/_search', body);
    expect([status, json]).toMatchObject([
      400,
      { status: 400, error: { root_cause: [{ type: expect.any(String) }], type: expect.any(String) } },
    ]);
  });

  it('distinguishes syntax errors from errors of an index', async () => {
    expect((await call('POST', '/animals/_search', { query: { foo: {} } })).json).toMatchObject({
      error: { type: 'parsing_exception', reason: 'unknown query [foo]' },
    });
    expect(
      (await call('POST', '/animals/_search', { query: { term: { legs: 'four' } } })).json,
    ).toMatchObject({
      error: {
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        root_cause: [{ type: 'query_shard_exception', index: 'animals' }],
        failed_shards: [{ shard: 0, index: 'animals' }],
      },
    });
  });

  it.each([
    ['an unknown parameter', 'GET', '/animals/_search?nonsense=1', 400],
    ['a scroll', 'GET', '/animals/_search?scroll=1m', 400],
    [
      'a limited total as integer',
      'GET',
      '/animals/_search?rest_total_hits_as_int=true&track_total_hits=3',
      400,
    ],
    ['an unknown path', 'POST', '/animals/_update_by_query', 400],
    ['a missing index', 'GET', '/missing/_search', 404],
  ])('rejects %s', async (_, method, path, status) => {
    expect((await call(method, path)).status).toBe(status);
  });

  it('survives deeply nested bodies', async () => {
    const deep = `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`;
    for (const [path, body] of [
      ['/animals/_search', `{"query":${deep}}`],
      ['/animals/_doc/9', deep],
      ['/deep/_bulk', `{"index":{}}\n${deep}\n`],
    ] as const) {
      const { status, text } = await call('POST', path, body);
      expect(text, path).toMatch(/"(?:error|errors)":/);
      expect([200, 400], path).toContain(status);
    }
    expect((await call('PUT', '/deep-2', `{"settings":${deep}}`)).status).toBeLessThan(500);
  });
});

it('runs several searches in one request, each with its indexes', async () => {
  for (const name of ['pack-1', 'pack-2']) await callOk('PUT', `/${name}/_doc/${name}`, { n: 7 });
  const body = [
    { index: 'pack-1' },
    { size: 0 },
    { index: 'missing' },
    {},
    { index: ['pack-1', 'pack-2'] },
    { query: { term: { n: 7 } } },
    { index: ['pack-1', 'missing'], ignore_unavailable: true },
    { size: 0 },
  ];
  expect(await callOk('POST', '/_msearch', body)).toMatchObject({
    responses: [
      { status: 200, hits: { total: { value: 1 } } },
      { status: 404, error: { type: 'index_not_found_exception' } },
      { status: 200, hits: { total: { value: 2 } } },
      { status: 200, hits: { total: { value: 1 } } },
    ],
  });
});

it('lists indexes, and creates them only if the cluster’s settings allow it', async () => {
  const list = await callOk('GET', '/_cat/indices/pack-*?format=json&h=index,docs.count');
  expect(list).toEqual([
    { index: 'pack-1', 'docs.count': '1' },
    { index: 'pack-2', 'docs.count': '1' },
  ]);
  expect(await callOk('GET', '/_cat/indices?format=json&health=red')).toEqual([]);
  expect(await callOk('GET', '/_resolve/index/pack-1')).toMatchObject({ indices: [{ name: 'pack-1' }] });
  await callOk('PUT', '/pack-1/_settings', { number_of_replicas: 0 });
  expect((await call('PUT', '/missing/_settings', { number_of_replicas: 0 })).status).toBe(404);
  const allow = (pattern: string) =>
    callOk('PUT', '/_cluster/settings', { transient: { 'action.auto_create_index': pattern } });
  await allow('flock-*');
  expect((await call('PUT', '/swarm/_doc/1', {})).status).toBe(404);
  await callOk('PUT', '/flock-1/_doc/1', {});
  await allow('true');
  await callOk('PUT', '/swarm/_doc/1', {});
});

it('responds to requests for version, health and refresh', async () => {
  expect(await callOk('GET', '/')).toMatchObject({ version: { number: expect.any(String) } });
  expect(await callOk('GET', '/_cluster/health')).toMatchObject({ status: 'green', timed_out: false });
  expect(await callOk('POST', '/animals/_refresh')).toMatchObject({ _shards: { failed: 0 } });
});
