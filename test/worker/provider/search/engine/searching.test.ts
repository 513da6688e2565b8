// Totals, orders, pages and scores of a search, and how much it asks of the database.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SortKey, SortValue } from '../../../../../worker/provider/search/engine/engine.ts';
import { LimitError } from '../../../../../worker/provider/search/engine/expand.ts';
import type { Query } from '../../../../../worker/provider/search/tree.ts';
import {
  all,
  bool,
  engineOn,
  fuzzy,
  indexOf,
  nested,
  phrase,
  regexp,
  type TestIndex,
  term,
  wildcard,
} from './setup.ts';
import { type Watch, watched } from './watched.ts';

let index: TestIndex;

const records = {
  9: { text: 'a', keyword: 'b', number: [5, 50], long: '9007199254740993', day: '2024-01-01', flag: true },
  10: { text: 'a a', keyword: ['a', 'c'], number: 7, long: '9007199254740995' },
  11: { text: 'b', number: -7, long: 3, day: '2023-01-01', flag: false },
  101: { text: 'a b c', keyword: 'b', number: [1, 4, 100] },
  2: { text: 'a', float: 0.5 },
};

beforeAll(async () => {
  index = await indexOf(Object.fromEntries(Object.entries(records)));
});

const order = async (...sort: SortKey[]): Promise<string[]> =>
  (await index.search(all, { sort })).map(({ id }) => id);

describe('the order', () => {
  it('without keys has the best score first and shows it', async () => {
    const hits = await index.search(term('text', 'a'));
    const scores = hits.map(({ score }) => score ?? 0);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(hits.map(({ sort }) => sort)).toEqual(scores.map((score) => [score]));
    expect(
      (await index.search(term('text', 'a'), { sort: [{ field: '_score', order: 'asc' }] })).map(
        ({ score }) => score,
      ),
    ).toEqual([...scores].reverse());
  });

  it('by a field has no scores, unless they are asked for', async () => {
    const sort: SortKey[] = [{ field: 'number', order: 'asc' }];
    expect((await index.search(term('text', 'a'), { sort })).every(({ score }) => score === null)).toBe(true);
    expect(
      (await index.search(term('text', 'a'), { sort, scores: true })).every(({ score }) => (score ?? 0) > 0),
    ).toBe(true);
  });

  it('takes the least of several numbers upwards, the greatest downwards, and what has none last', async () => {
    expect(await order({ field: 'number', order: 'asc' })).toEqual(['11', '101', '9', '10', '2']);
    expect(await order({ field: 'number', order: 'desc' })).toEqual(['101', '9', '10', '11', '2']);
  });

  it.each([
    [{ field: 'number', order: 'asc', missing: '_first' }, ['2', '11', '101', '9', '10']],
    [{ field: 'number', order: 'asc', missing: 6 }, ['11', '101', '9', '2', '10']],
    [{ field: 'number', order: 'asc', mode: 'max' }, ['11', '10', '9', '101', '2']],
    [{ field: 'number', order: 'asc', mode: 'sum' }, ['11', '10', '9', '101', '2']],
    [{ field: 'number', order: 'asc', mode: 'avg' }, ['11', '10', '9', '101', '2']],
    [{ field: 'number', order: 'desc', mode: 'median' }, ['9', '10', '101', '11', '2']],
    [{ field: 'keyword', order: 'asc' }, ['10', '9', '101', '2', '11']],
    [{ field: 'keyword', order: 'desc' }, ['10', '9', '101', '2', '11']],
    [{ field: 'keyword', order: 'asc', mode: 'max' }, ['9', '101', '10', '2', '11']],
    [{ field: 'long', order: 'asc' }, ['11', '9', '10', '2', '101']],
    [{ field: 'long', order: 'desc' }, ['10', '9', '11', '2', '101']],
    [{ field: 'day', order: 'asc' }, ['11', '9', '2', '10', '101']],
    [{ field: 'flag', order: 'asc' }, ['11', '9', '2', '10', '101']],
    [{ field: '_id', order: 'asc' }, ['2', '9', '10', '11', '101']],
    [{ field: '_id', order: 'desc' }, ['101', '11', '10', '9', '2']],
    [{ field: 'nothing', order: 'asc' }, ['2', '9', '10', '11', '101']],
  ] as const)('by %j, ties in the order of the index', async (key, ids) => {
    expect(await order(key)).toEqual(ids);
  });

  it('shows dates in milliseconds, whole numbers beyond 2^53 as text, and null for nothing', async () => {
    const hits = await index.search(term('text', 'a'), {
      sort: [
        { field: '_id', order: 'asc' },
        { field: 'day', order: 'asc' },
        { field: 'long', order: 'asc' },
        { field: 'keyword', order: 'asc' },
      ],
    });
    expect(hits.map(({ sort }) => sort)).toEqual([
      ['2', null, null, null],
      ['9', Date.UTC(2024, 0, 1), '9007199254740993', 'b'],
      ['10', null, '9007199254740995', 'a'],
      ['101', null, null, 'b'],
    ]);
  });
});

describe('pages', () => {
  it('pass over hits, and say the exact total on every page', async () => {
    const result = await index.engine.search(index.name, {
      query: term('text', 'a'),
      sort: [{ field: '_id', order: 'asc' }],
      from: 1,
      size: 2,
    });
    expect(result.total).toBe(4);
    expect(result.hits.map(({ id }) => id)).toEqual(['9', '10']);
    expect(await index.engine.search(index.name, { query: all, size: 0 })).toEqual({ total: 5, hits: [] });
    expect(await index.engine.search(index.name, { query: all, from: 9, size: 3 })).toEqual({
      total: 5,
      hits: [],
    });
    expect(await index.engine.count(index.name, term('text', 'a'))).toBe(4);
  });

  it.each([
    ['number', 'asc'],
    ['number', 'desc'],
    ['keyword', 'asc'],
    ['keyword', 'desc'],
    ['long', 'asc'],
    ['long', 'desc'],
    ['day', 'desc'],
    ['flag', 'asc'],
    ['float', 'desc'],
    ['_score', 'desc'],
    ['nothing', 'asc'],
  ] as const)('behind the last hit give every record once, in order: %s %s', async (field, direction) => {
    const sort: SortKey[] = [
      { field, order: direction },
      { field: '_id', order: 'desc' },
    ];
    const query = bool({ should: [all, term('text', 'a')] });
    const whole = (await index.search(query, { sort })).map(({ id }) => id);
    const walked: string[] = [];
    for (let after: SortValue[] | undefined; ; ) {
      const [hit] = await index.search(query, { sort, size: 1, ...(after === undefined ? {} : { after }) });
      if (hit === undefined) break;
      walked.push(hit.id);
      after = hit.sort;
    }
    expect(walked).toEqual(whole);
    expect(walked).toHaveLength(5);
  });

  it('go by the length of ids and then by their letters where not all are numbers', async () => {
    const ids = ['9007199254740995', 'b', '9007199254740993', '10', '9', 'a'];
    const mixed = await indexOf(Object.fromEntries(ids.map((id) => [id, { text: 'a' }])));
    const sort: SortKey[] = [{ field: '_id', order: 'asc' }];
    const found = await mixed.search(all, { sort });
    expect(found.map(({ id }) => id)).toEqual(['9', 'a', 'b', '10', '9007199254740993', '9007199254740995']);
    expect(found.map((hit) => hit.sort)).toEqual(found.map(({ id }) => [id]));
  });

  it('begin behind values that no record has', async () => {
    const behind = async (field: string, value: SortValue) =>
      (await index.search(all, { sort: [{ field, order: 'asc' }], after: [value] })).map(({ id }) => id);
    expect((await behind('number', 4)).slice(0, 2)).toEqual(['9', '10']);
    expect((await behind('keyword', 'aa')).slice(0, 2).sort()).toEqual(['101', '9']);
    expect(await behind('_id', '99')).toEqual(['101']);
    expect((await behind('long', '9007199254740994')).slice(0, 1)).toEqual(['10']);
  });

  it('survive values of another kind', async () => {
    for (const field of ['number', 'long', 'keyword', 'day', '_id', '_score', 'nothing']) {
      for (const value of ['word', 7, null, '', 1e300, '9'.repeat(40)]) {
        const hits = await index.search(all, { sort: [{ field, order: 'asc' }], after: [value] });
        expect(hits.length).toBeLessThanOrEqual(5);
      }
    }
  });
});

describe('the work of a search', () => {
  async function statementsOf(query: Query): Promise<number> {
    const watch: Watch = { statements: 0 };
    const engine = engineOn(watched(env.PROVIDER_DB, watch));
    await engine.search(index.name, { query, size: 10, sort: [{ field: 'number', order: 'asc' }] });
    return watch.statements;
  }

  it('stays within 50 statements at 1,024 different clauses', async () => {
    const kinds: ((at: number) => Query)[] = [
      (at) => term('text', `w${at}`),
      (at) => term('number', at),
      (at) => ({ kind: 'terms', field: 'keyword', values: [`k${at}`], boost: 1 }),
      (at) => phrase('text', `w${at} x${at}`),
      (at) => phrase('text', `w${at} x${at}`, 0, true),
      (at) => ({ kind: 'prefix', field: 'text', value: `w${at}`, caseInsensitive: false, boost: 1 }),
      (at) => wildcard('text', `*${at}`),
      (at) => regexp('keyword', `k${at}.+`),
      (at) => fuzzy('text', `word${at}`, 1),
      (at) => ({ kind: 'range', field: 'keyword', lower: { value: `k${at}`, inclusive: true }, boost: 1 }),
      (at) => ({ kind: 'ids', values: [String(at)], boost: 1 }),
      (at) => ({ kind: 'exists', field: ['text', 'number', 'day'][at % 3] ?? '', boost: 1 }),
      (at) => nested('child', term('child.text', `w${at}`)),
      (at) => nested('child.grandchild', term('child.grandchild.number', at)),
    ];
    const mixed = Array.from({ length: 1024 }, (_, at) => kinds[at % kinds.length]?.(at) ?? all);
    expect(await statementsOf(bool({ should: mixed }))).toBeLessThanOrEqual(50);
    for (const kind of kinds) {
      const alike = bool({ should: Array.from({ length: 1024 }, (_, at) => kind(at)) });
      expect(await statementsOf(alike)).toBeLessThanOrEqual(50);
    }
  }, 30_000);

  it('is one statement where all is remembered, and everything is read anew after a write', async () => {
    const watch: Watch = { statements: 0 };
    const other = await indexOf({ 1: { text: 'word' } }, engineOn(watched(env.PROVIDER_DB, watch)));
    expect(await other.ids(term('text', 'word'))).toEqual(['1']);
    watch.statements = 0;
    expect(await other.ids(term('text', 'word'))).toEqual(['1']);
    expect(watch.statements).toBe(1);
    await engineOn().put(other.name, [{ id: '2', source: { text: 'word' } }]);
    expect(await other.ids(term('text', 'word'))).toEqual(['1', '2']);
  });

  it('is refused where patterns stand for too many terms', async () => {
    const other = await indexOf({
      1: { text: Array.from({ length: 2500 }, (_, at) => `w${at}x`).join(' ') },
    });
    const greedy = Array.from({ length: 50 }, (_, at) =>
      wildcard('text', `?*${'*?'.repeat(at % 3)}x${'*'.repeat(at)}`),
    );
    await expect(other.ids(bool({ should: greedy }))).rejects.toThrow(LimitError);
  });
});
