// Sorting by ids, the number of statements of a search, and its limits. Golden queries test the results.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SortKey } from '../../../../../worker/sandbox/search/engine/engine.ts';
import { LimitError } from '../../../../../worker/sandbox/search/engine/query/term-expansion.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import {
  all,
  bool,
  createTestEngine,
  createTestIndex,
  fuzzy,
  nested,
  phrase,
  regexp,
  type TestIndex,
  term,
  wildcard,
} from './harness.ts';
import { type Watch, watchDatabase } from './watch-database.ts';

let index: TestIndex;

beforeAll(async () => {
  index = await createTestIndex({
    9: { text: 'a', keyword: 'b', number: [5, 50], long: '9007199254740993', day: '2024-01-01', flag: true },
    10: { text: 'a a', keyword: ['a', 'c'], number: 7, long: '9007199254740995' },
    11: { text: 'b', number: -7, long: 3, day: '2023-01-01', flag: false },
    101: { text: 'a b c', keyword: 'b', number: [1, 4, 100] },
    2: { text: 'a', float: 0.5 },
  });
});

it('sorts ids by length and then by text if some are not numbers', async () => {
  const ids = ['9007199254740995', 'b', '9007199254740993', '10', '9', 'a'];
  const mixed = await createTestIndex(Object.fromEntries(ids.map((id) => [id, { text: 'a' }])));
  const sort: SortKey[] = [{ field: '_id', order: 'asc' }];
  const hits = await mixed.search(all, { sort });
  expect(hits.map(({ id }) => id)).toEqual(['9', 'a', 'b', '10', '9007199254740993', '9007199254740995']);
  expect(hits.map((hit) => hit.sort)).toEqual(hits.map(({ id }) => [id]));
});

it.each(['number', 'long', 'keyword', 'day', '_id', '_score', 'nothing'])(
  'accepts cursors of any type when sorting by %s',
  async (field) => {
    for (const value of ['word', 7, null, '', 1e300, '9'.repeat(40)]) {
      const hits = await index.search(all, { sort: [{ field, order: 'asc' }], after: [value] });
      expect(hits.length).toBeLessThanOrEqual(5);
    }
  },
);

describe('a search', () => {
  async function countStatements(query: Query): Promise<number> {
    const watch: Watch = { statements: 0 };
    const engine = createTestEngine(watchDatabase(env.SANDBOX_DB, watch));
    await engine.search(index.name, { query, size: 10, sort: [{ field: 'number', order: 'asc' }] });
    return watch.statements;
  }

  it('runs at most 50 statements for 1,024 different clauses', async () => {
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
    const should = Array.from({ length: 1024 }, (_, at) => kinds[at % kinds.length]?.(at) ?? all);
    const mixed = bool({ should });
    expect(await countStatements(mixed)).toBeLessThanOrEqual(50);
  });

  it('runs one statement if its lists are cached, and reads them again after a write', async () => {
    const watch: Watch = { statements: 0 };
    const engine = createTestEngine(watchDatabase(env.SANDBOX_DB, watch));
    const other = await createTestIndex({ 1: { text: 'word' } }, engine);
    expect(await other.findIds(term('text', 'word'))).toEqual(['1']);
    watch.statements = 0;
    expect(await other.findIds(term('text', 'word'))).toEqual(['1']);
    expect(watch.statements).toBe(1);
    await createTestEngine().put(other.name, [{ id: '2', source: { text: 'word' } }]);
    expect(await other.findIds(term('text', 'word'))).toEqual(['1', '2']);
  });

  it('fails if its patterns expand to too many terms', async () => {
    const text = Array.from({ length: 2500 }, (_, at) => `w${at}x`).join(' ');
    const other = await createTestIndex({ 1: { text } });
    const patterns = Array.from({ length: 50 }, (_, at) =>
      wildcard('text', `?*${'*?'.repeat(at % 3)}x${'*'.repeat(at)}`),
    );
    await expect(other.findIds(bool({ should: patterns }))).rejects.toThrow(LimitError);
  });
});
