// Cursors and limits of a search. Golden queries test the results.
import { expect, it } from 'vitest';
import { LimitError } from '../../../../../worker/sandbox/search/engine/query/term-expansion.ts';
import { all, bool, createTestIndex, wildcard } from './harness.ts';

const index = createTestIndex({
  9: { text: 'a', keyword: 'b', number: [5, 50], long: '9007199254740993', day: '2024-01-01', flag: true },
  10: { text: 'a a', keyword: ['a', 'c'], number: 7, long: '9007199254740995' },
  11: { text: 'b', number: -7, long: 3, day: '2023-01-01', flag: false },
  101: { text: 'a b c', keyword: 'b', number: [1, 4, 100] },
  2: { text: 'a', float: 0.5 },
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

it('fails if the patterns of a search expand to too many terms', async () => {
  const text = Array.from({ length: 2500 }, (_, at) => `w${at}x`).join(' ');
  const other = createTestIndex({ 1: { text } });
  const patterns = Array.from({ length: 50 }, (_, at) =>
    wildcard('text', `?*${'*?'.repeat(at % 3)}x${'*'.repeat(at)}`),
  );
  await expect(other.findIds(bool({ should: patterns }))).rejects.toThrow(LimitError);
});
