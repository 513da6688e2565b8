// Searches of the façade: order, pages, totals, sources, several indexes, complaints.
import { beforeAll, describe, expect, it } from 'vitest';
import { call, done, lines } from './harness.ts';

/** The ids of a search's hits, in their order. */
async function ids(path: string, body: unknown): Promise<string[]> {
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
  const fields = {
    name: { type: 'text', fields: { exact: { type: 'keyword' } } },
    legs: { type: 'integer' },
    kind: { type: 'keyword' },
    seen: { type: 'date' },
    tame: { type: 'boolean' },
    weight: { type: 'float' },
    place: { type: 'geo_point' },
    title: { type: 'alias', path: 'name' },
  };
  await done('PUT', '/animals', { mappings: { properties: fields } });
  await done('POST', '/_bulk', lines('animals', animals));
});

describe('a search', () => {
  it('answers in the shape of Elasticsearch', async () => {
    expect(await done('POST', '/animals/_search', { query: { match: { name: 'fox' } } })).toEqual({
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

  it('without a query finds everything', async () => {
    expect(await ids('/animals/_search', {})).toEqual(['1', '2', '3', '4']);
  });

  it('takes a query from its address, before the one of its body', async () => {
    const body = { query: { match: { name: 'snake' } } };
    expect(await ids('/animals/_search?q=brown%20AND%20dog&df=name', body)).toEqual(['2']);
    expect(await ids('/animals/_search?q=brown%20dog&df=name&default_operator=AND', undefined)).toEqual([
      '2',
    ]);
  });

  it('finds fields by an alias', async () => {
    expect(await ids('/animals/_search', { query: { match: { title: 'fox' } } })).toEqual(['1']);
  });

  it('narrows hits by a filter behind the query', async () => {
    const body = { query: { match: { name: 'brown' } }, post_filter: { term: { kind: 'bird' } } };
    expect(await ids('/animals/_search', body)).toEqual(['3']);
  });

  it('leaves out hits below a least score', async () => {
    const query = { bool: { should: [{ match: { name: 'brown' } }, { match: { name: 'fox' } }] } };
    expect(await done('POST', '/animals/_search', { query, min_score: 1 })).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: '1' }] },
    });
  });

  it.each([
    ['exactly', {}, { value: 4, relation: 'eq' }],
    ['as far as asked', { track_total_hits: 3 }, { value: 3, relation: 'gte' }],
    ['not at all', { track_total_hits: false }, undefined],
  ])('counts hits %s', async (_, body, total) => {
    const answer = await call('POST', '/animals/_search', { size: 0, ...body });
    expect(JSON.parse(answer.text).hits).toEqual({ ...(total && { total }), max_score: null, hits: [] });
  });

  it('tells a total as a number only where it is exact', async () => {
    expect(await done('GET', '/animals/_search?rest_total_hits_as_int=true')).toMatchObject({
      hits: { total: 4 },
    });
    expect(
      (await call('GET', '/animals/_search?rest_total_hits_as_int=true&track_total_hits=3')).status,
    ).toBe(400);
  });

  it.each([
    ['nothing', '_source=false', undefined],
    ['a field', '_source=legs', { legs: 4 }],
    ['all but some', '_source_excludes=n*,home,seen,tame,kind', { legs: 4 }],
    ['fields of an object', '_source_includes=home.*', { home: { wood: 'oak' } }],
  ])('shows %s of the source', async (_, parameters, source) => {
    const { text } = await call('GET', `/animals/_search?q=fox&df=name&${parameters}`);
    expect(JSON.parse(text).hits.hits[0]._source).toEqual(source);
  });

  it('tells versions where they are asked for', async () => {
    expect(
      await done('POST', '/animals/_search', { version: true, seq_no_primary_term: true }),
    ).toMatchObject({
      hits: { hits: [{ _version: 1, _seq_no: 0, _primary_term: 1 }, {}, {}, {}] },
    });
  });

  it('is told in part where the address says so', async () => {
    expect(await done('GET', '/animals/_search?q=fox&df=name&filter_path=hits.hits._id')).toEqual({
      hits: { hits: [{ _id: '1' }] },
    });
  });
});

describe('an order', () => {
  it.each([
    ['a number, missing values last', ['weight'], ['4', '3', '1', '2'], [0.25, 1.5, 'Infinity', 'Infinity']],
    ['a number downwards', [{ weight: 'desc' }], ['3', '4', '1', '2'], [1.5, 0.25, '-Infinity', '-Infinity']],
    [
      'a keyword, missing values first',
      [{ kind: { order: 'asc', missing: '_first' } }],
      ['4', '3', '1', '2'],
      [null, 'bird', 'mammal', 'mammal'],
    ],
    [
      'a date',
      { seen: { order: 'desc' } },
      ['2', '1', '4', '3'],
      [1709510400000, 1704153600000, 1703980800000],
    ],
    [
      'a date in a format',
      [{ seen: { order: 'asc', format: 'yyyy-MM-dd' } }],
      ['4', '1', '2', '3'],
      ['2023-12-31', '2024-01-02', '2024-03-04', null],
    ],
    ['a boolean', ['tame'], ['1', '2', '3', '4'], [0, 1, 1]],
    [
      'missing values as if they had one',
      [{ weight: { missing: 1 } }],
      ['4', '1', '2', '3'],
      [0.25, 1, 1, 1.5],
    ],
  ])('by %s', async (_, sort, order, values) => {
    const { text } = await call('POST', '/animals/_search', { sort });
    const { hits } = JSON.parse(text).hits;
    expect(hits.map((hit: { _id: string }) => hit._id)).toEqual(order);
    expect(hits.map((hit: { sort: unknown[] }) => hit.sort[0]).slice(0, values.length)).toEqual(values);
  });

  it('has scores only where they are asked for', async () => {
    const query = { match: { name: 'brown' } };
    expect(await done('POST', '/animals/_search', { query, sort: ['legs'] })).toMatchObject({
      hits: { max_score: null, hits: [{ _score: null }, { _score: null }, { _score: null }] },
    });
    expect(
      await done('POST', '/animals/_search', { query, sort: ['legs'], track_scores: true }),
    ).toMatchObject({
      hits: { max_score: expect.any(Number), hits: [{ _score: expect.any(Number) }, {}, {}] },
    });
  });

  it('is paged through behind the last hit, as its values stand in the answer', async () => {
    const order = '"size":1,"sort":[{"seen":"asc"},{"legs":"desc"}]';
    const seen: (string | undefined)[] = [];
    let after = '';
    for (let page = 0; page < 6; page += 1) {
      const { text } = await call('POST', '/animals/_search', `{${order}${after}}`);
      const [, values] = /"sort":(\[[^\]]*\])/.exec(text) ?? [];
      if (values === undefined) break;
      seen.push(/"_id":"(\d)"/.exec(text)?.[1]);
      after = `,"search_after":${values}`;
    }
    expect(seen).toEqual(['4', '1', '2', '3']);
  });

  it('by score goes on behind a score as it was told', async () => {
    const search = { query: { match: { name: 'brown' } }, sort: ['_score', 'name.exact'], size: 1 };
    const told: unknown[] = [];
    for (let after = {}; ; ) {
      const { hits } = (await done('POST', '/animals/_search', { ...search, ...after })) as {
        hits: { hits: { _id: string; _score: number; sort: (number | string)[] }[] };
      };
      const [hit] = hits.hits;
      if (hit === undefined) break;
      expect(String(hit.sort[0]).replace(/^0\.0*|\./g, '').length).toBeLessThanOrEqual(9);
      expect(hit.sort[0]).toBe(hit._score);
      told.push(hit._id);
      after = { search_after: hit.sort };
    }
    expect(told).toEqual(['3', '2', '1']);
  });

  it.each([
    ['text', { sort: ['name'] }, 'Text fields are not optimised'],
    ['what is not mapped', { sort: ['nope'] }, 'No mapping found for [nope] in order to sort on'],
    [
      'a value that is none',
      { sort: ['legs'], search_after: ['four'] },
      'Failed to parse search_after value for field [legs].',
    ],
    [
      'too few values',
      { sort: ['legs', 'kind'], search_after: [4] },
      'search_after has 1 value(s) but sort has 2.',
    ],
    ['values without an order', { search_after: [4] }, 'Sort must contain at least one field.'],
    [
      'values and a page',
      { sort: ['legs'], search_after: [4], from: 1 },
      '`from` parameter must be set to 0',
    ],
  ])('is refused by %s', async (_, body, words) => {
    const { status, text } = await call('POST', '/animals/_search', body);
    expect(status).toBe(400);
    expect(JSON.parse(text).error.root_cause[0].reason).toContain(words);
  });
});

describe('several indexes', () => {
  beforeAll(async () => {
    await done('PUT', '/herd-1', {
      mappings: { properties: { n: { type: 'long' }, only: { type: 'long' } } },
    });
    await done('PUT', '/herd-2', { mappings: { properties: { n: { type: 'double' } } } });
    await done(
      'POST',
      '/_bulk',
      lines('herd-1', { a: { n: 1, only: 1, t: 'sheep' }, c: { n: 3, t: 'sheep dog' } }),
    );
    await done(
      'POST',
      '/_bulk',
      lines('herd-2', { b: { n: 1.5, t: 'sheep' }, d: { n: 7, t: 'cow' }, e: { t: 'sheep' } }),
    );
  });

  it('are searched as one, in one order', async () => {
    expect(await ids('/herd-*/_search', { sort: ['n'], size: 3 })).toEqual(['a', 'b', 'c']);
    expect(await ids('/herd-1,herd-2/_search', { sort: [{ n: 'desc' }], from: 1, size: 3 })).toEqual([
      'c',
      'b',
      'a',
    ]);
    expect(await ids('/herd-*/_search', { sort: [{ n: 'asc' }], search_after: [3] })).toEqual(['d', 'e']);
    expect(await done('POST', '/herd-*/_search', { size: 0 })).toMatchObject({
      hits: { total: { value: 5 } },
    });
  });

  it('are named by patterns, less those that are taken out again', async () => {
    expect(await done('GET', '/herd-*,-herd-2/_count')).toMatchObject({ count: 2, _shards: { total: 1 } });
    expect(await done('GET', '/nothing-*/_count')).toMatchObject({ count: 0 });
    expect((await call('GET', '/nothing-*/_search?allow_no_indices=false')).status).toBe(404);
    expect((await call('GET', '/herd-1,missing/_search')).status).toBe(404);
    expect(await done('GET', '/herd-1,missing/_search?ignore_unavailable=true')).toMatchObject({
      hits: { total: { value: 2 } },
    });
  });

  it('have the scores of some multiplied', async () => {
    const query = { match_all: {} };
    const boosted = await done('POST', '/herd-*/_search', {
      query,
      size: 1,
      indices_boost: [{ '*-2': 3 }, { 'herd-1': 2 }],
    });
    expect(boosted).toMatchObject({ hits: { max_score: 3, hits: [{ _index: 'herd-2', _score: 3 }] } });
  });

  it('answer for those that complain', async () => {
    expect(await done('POST', '/herd-*/_search', { sort: ['only'] })).toMatchObject({
      _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: 'herd-2' }] },
      hits: { total: { value: 2 } },
    });
  });

  it('are asked many things at once', async () => {
    const body = [
      { index: 'herd-1' },
      { size: 0 },
      { index: 'missing' },
      {},
      { index: ['herd-1', 'herd-2'] },
      { query: { term: { n: 7 } } },
      { index: ['herd-1', 'missing'], ignore_unavailable: true },
      { size: 0 },
    ];
    expect(await done('POST', '/_msearch', body)).toMatchObject({
      responses: [
        { status: 200, hits: { total: { value: 2 } } },
        { status: 404, error: { type: 'index_not_found_exception' } },
        { status: 200, hits: { hits: [{ _id: 'd' }] } },
        { status: 200, hits: { total: { value: 2 } } },
      ],
    });
  });
});

describe('a keyword with a normalizer', () => {
  // Issue 14.2: "Accept custom `normalizer`s with `lowercase` in mappings".
  it('compares values, terms, starts, patterns and ranges in lower case', async () => {
    const normalizer = { type: 'custom', char_filter: [], filter: ['lowercase'] };
    const properties = {
      kind: { type: 'keyword', normalizer: 'small' },
      plain: { type: 'keyword', normalizer: 'lowercase' },
      same: { type: 'keyword', normalizer: 'kept' },
    };
    const settings = { analysis: { normalizer: { small: normalizer, kept: { type: 'custom' } } } };
    await done('PUT', '/normal', { settings, mappings: { properties } });
    await done('PUT', '/normal/_doc/1', { kind: 'BlueBird', plain: 'X', same: 'Y' });
    for (const query of [
      { term: { kind: 'BLUEBIRD' } },
      { match: { kind: 'bluebird' } },
      { terms: { kind: ['Bluebird', 'y'] } },
      { prefix: { kind: 'BLUE' } },
      { wildcard: { kind: '*BIRD' } },
      { fuzzy: { kind: 'BLUEBYRD' } },
      { range: { kind: { gte: 'BLUE', lt: 'BLUF' } } },
      { query_string: { query: 'plain:x AND kind:BLUEbird' } },
    ]) {
      expect(await done('POST', '/normal/_search', { query }), JSON.stringify(query)).toMatchObject({
        hits: { hits: [{ _id: '1', _source: { kind: 'BlueBird' } }] },
      });
    }
    expect(await ids('/normal/_search', { query: { terms: { same: ['y'] } } })).toEqual([]);
    expect(await ids('/normal/_search', { query: { terms: { same: ['Y'] } } })).toEqual(['1']);
    await done('DELETE', '/normal');
  });

  it('may do nothing else', async () => {
    const normalizer = { folded: { type: 'custom', filter: ['asciifolding'] } };
    const { status, text } = await call('PUT', '/folded', { settings: { analysis: { normalizer } } });
    expect(status).toBe(400);
    expect(text).toContain('index.analysis.normalizer.folded.filter');
  });
});

describe('what is not there', () => {
  it.each([
    ['aggregations', { aggs: { a: { terms: { field: 'kind' } } } }],
    ['highlights', { highlight: { fields: { name: {} } } }],
    ['scripts', { script_fields: {} }],
    ['an early end', { terminate_after: 1 }],
    ['an unknown part of the body', { match: { name: 'fox' } }],
    ['too large a window', { from: 9_995, size: 6 }],
    ['a negative size', { size: -1 }],
    ['a size beyond all', { size: 2 ** 31 }],
  ])('is refused: %s', async (_, body) => {
    const { status, json } = await call('POST', '/animals/_search', body);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      status: 400,
      error: { root_cause: [{ type: expect.any(String) }], type: expect.any(String) },
    });
  });

  it('is told apart: what no index could read, and what one index complains of', async () => {
    expect(await call('POST', '/animals/_search', { query: { foo: {} } })).toMatchObject({
      json: { error: { type: 'parsing_exception', reason: 'unknown query [foo]' } },
    });
    expect(await call('POST', '/animals/_search', { query: { term: { legs: 'four' } } })).toMatchObject({
      json: {
        error: {
          type: 'search_phase_execution_exception',
          reason: 'all shards failed',
          root_cause: [{ type: 'query_shard_exception', index: 'animals' }],
          failed_shards: [{ shard: 0, index: 'animals' }],
        },
      },
    });
  });

  it('is refused of a field of which only its presence is known', async () => {
    await done('PUT', '/animals/_doc/5', { place: { lat: 1, lon: 2 } });
    expect(await ids('/animals/_search', { query: { exists: { field: 'place' } } })).toEqual(['5']);
    expect((await call('POST', '/animals/_search', { query: { term: { place: 'present' } } })).status).toBe(
      400,
    );
    await done('DELETE', '/animals/_doc/5');
  });

  it.each([
    ['a parameter', 'GET', '/animals/_search?nonsense=1', 400],
    ['a scroll', 'GET', '/animals/_search?scroll=1m', 400],
    ['a path', 'POST', '/animals/_update_by_query', 400],
    ['an index', 'GET', '/missing/_search', 404],
  ])('is refused: %s', async (_, method, path, status) => {
    expect((await call(method, path)).status).toBe(status);
  });

  it('is refused: more clauses than eight thousand', async () => {
    const query = (clauses: number): unknown => ({
      bool: { should: Array.from({ length: clauses }, (_, legs) => ({ term: { legs } })) },
    });
    expect(await ids('/animals/_search', { query: query(2000) })).toHaveLength(4);
    expect((await call('POST', '/animals/_search', { query: query(8193) })).text).toContain(
      'maxClauseCount is set to 8192',
    );
  });

  it('is refused: what is nested too deep', async () => {
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

  it('is broken JSON', async () => {
    expect(await call('POST', '/animals/_search', '{"query":')).toMatchObject({ status: 400 });
    expect(await call('POST', '/animals/_search', '[]')).toMatchObject({ status: 400 });
  });
});

describe('the façade as a whole', () => {
  it('tells who it is, how it is and what it has', async () => {
    expect(await done('GET', '/')).toMatchObject({ version: { number: expect.any(String) } });
    expect(await done('GET', '/')).toMatchObject({ version: { build_date: expect.stringContaining('T') } });
    expect(await done('GET', '/_cluster/health')).toMatchObject({ status: 'green', timed_out: false });
    expect((await call('GET', '/_cat/indices/animals?h=index,docs.count')).text).toBe('animals 4\n');
    expect((await call('GET', '/_cat/indices/animals?format=json&h=docs.count')).json).toBe(
      '[{"docs.count":"4"}]',
    );
    expect(await done('POST', '/animals/_refresh')).toMatchObject({ _shards: { failed: 0 } });
    expect(await done('GET', '/_resolve/index/anim*')).toMatchObject({ indices: [{ name: 'animals' }] });
  });
});
