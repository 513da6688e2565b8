// Indexing of records: which values are found, and when a field is read.
import { expect, it } from 'vitest';
import { type SearchRequest, searchIndex } from '../../../../../worker/sandbox/search/engine/engine.ts';
import {
  createFieldCache,
  SearchIndex,
} from '../../../../../worker/sandbox/search/engine/index/search-index.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { all, bool, createTestIndex, mapping, nested, splitWords, term } from './harness.ts';

it('skips values that do not fit their fields', async () => {
  const source = { text: ['word', {}], number: 'many', day: '2024-2-1', child: 'none', place: 7 };
  const index = createTestIndex({ 1: source });
  expect(await index.findIds(term('text', 'word'))).toEqual(['1']);
  for (const field of ['number', 'day', 'child.number', 'place.city'])
    expect(await index.findIds({ kind: 'exists', field, boost: 1 })).toEqual([]);
});

it('distinguishes keywords with unusual characters', async () => {
  const keywords = ['a\u0000b', 'a', 'a\ud800'];
  const index = createTestIndex(Object.fromEntries(keywords.map((keyword, at) => [at + 1, { keyword }])));
  for (const [at, keyword] of keywords.entries())
    expect(await index.findIds(term('keyword', keyword))).toEqual([String(at + 1)]);
});

it('reads the properties of a search when a field of theirs is first used', async () => {
  const children = [
    { text: 'a', number: 1, grandchild: [{ number: 5 }] },
    { text: 'b', number: 2 },
  ];
  const reads: string[][] = [];
  const index = new SearchIndex(mapping, splitWords, async function* (properties) {
    reads.push(Object.keys(properties));
    yield [{ id: '1', source: { text: 'word', keyword: 'Word' } }];
    yield [{ id: '12', source: { text: 'word', child: children } }];
  });
  const find = async (query: Query, request: Partial<SearchRequest> = {}): Promise<string[]> =>
    (await searchIndex(index, { query, size: 10, ...request })).hits.map(({ id }) => id);
  expect(await find(all)).toEqual(['1', '12']);
  expect(await find(term('text', 'word'), { sort: [{ field: 'keyword', order: 'asc' }] })).toEqual([
    '1',
    '12',
  ]);
  expect(await find(term('text.exact', 'word'))).toEqual(['1', '12']);
  const child = (number: number): Query =>
    nested('child', bool({ must: [term('child.text', 'b'), term('child.number', number)] }));
  expect(await find(nested('child', term('child.text', 'b')))).toEqual(['12']);
  expect([await find(child(1)), await find(child(2))]).toEqual([[], ['12']]);
  expect(await find(nested('child.grandchild', term('child.grandchild.number', 5)))).toEqual(['12']);
  expect(await find(bool({ mustNot: [term('unknown', 1), term('keyword', 'Word')] }))).toEqual(['12']);
  expect(reads).toEqual([[], ['text', 'keyword'], ['text'], ['child'], ['child'], ['child']]);
});

it('evicts the least recently used fields above the budget, and finds the same after it', async () => {
  const reads: string[] = [];
  const fields = createFieldCache(250);
  const [first, other] = ['first ', 'other '].map(
    (name) =>
      new SearchIndex(
        mapping,
        splitWords,
        async function* (properties) {
          reads.push(name + Object.keys(properties).join());
          yield [{ id: '1', source: { text: 'word', keyword: name, number: 1 } }];
        },
        fields,
        name,
      ),
  );
  const find = async (index: SearchIndex | undefined, ...terms: Query[]): Promise<number | undefined> =>
    index && (await searchIndex(index, { query: bool({ must: terms }), size: 0 })).total;
  const keyword = (name: string): Query => term('keyword', name);
  expect(await find(first, keyword('first '))).toBe(1);
  expect(await find(other, keyword('other '))).toBe(1);
  expect(await find(first, keyword('first '))).toBe(1);
  expect(reads).toEqual(['first keyword', 'other keyword']);
  // More than the budget in one search.
  expect(await find(first, keyword('first '), term('number', 1), term('text', 'word'))).toBe(1);
  expect(fields.calculatedSize).toBeLessThanOrEqual(250);
  expect(await find(other, keyword('other '))).toBe(1);
  expect(reads).toEqual(['first keyword', 'other keyword', 'first text,number', 'other keyword']);
});
