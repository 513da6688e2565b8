// How ids are ordered, what a search asks of the database, and what it refuses; answers are shown by the golden queries.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SortKey } from '../../../../../worker/sandbox/search/engine/engine.ts';
import { LimitError } from '../../../../../worker/sandbox/search/engine/query/term-expansion.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
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
} from './harness.ts';
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

describe('an order', () => {
  it('of ids goes by their length and then by their letters where not all are numbers', async () => {
    const ids = ['9007199254740995', 'b', '9007199254740993', '10', '9', 'a'];
    const mixed = await indexOf(Object.fromEntries(ids.map((id) => [id, { text: 'a' }])));
    const sort: SortKey[] = [{ field: '_id', order: 'asc' }];
    const found = await mixed.search(all, { sort });
    expect(found.map(({ id }) => id)).toEqual(['9', 'a', 'b', '10', '9007199254740993', '9007199254740995']);
    expect(found.map((hit) => hit.sort)).toEqual(found.map(({ id }) => [id]));
  });

  it('goes on behind values of another kind', async () => {
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
    const engine = engineOn(watched(env.SANDBOX_DB, watch));
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
    const other = await indexOf({ 1: { text: 'word' } }, engineOn(watched(env.SANDBOX_DB, watch)));
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
