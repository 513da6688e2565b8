// The comparison with golden answers detects differences and allows ties and rounding.
import { expect, it } from 'vitest';
import { findDifference } from './golden-compare.ts';

/** Builds results from hits as `id:score`. */
const build = (text: string, total = text.split(' ').length) => ({
  total,
  maxScore: null,
  hits: text.split(' ').map((hit) => {
    const [id = '', score] = hit.split(':');
    return { id, score: Number(score), sort: undefined };
  }),
});

const byScore = { hasPrevious: false, isSorted: false };
const answer = { total: 3, hits: [['1', 3] as const, ['2', 2] as const, ['3', 2] as const] };
const firstPage = { total: 9, hits: [['1', 3] as const, ['2', 2] as const] };
const error = { error: '[a] is none' };

it.each([
  ['another total', build('1:3 2:2 3:2', 4), answer, byScore],
  ['fewer hits', build('1:3 2:2', 3), answer, byScore],
  ['another hit', build('1:3 2:2 4:2'), answer, byScore],
  ['another score', build('1:3.001 2:2 3:2'), answer, byScore],
  ['swapped scores', build('2:3 1:2 3:2'), answer, byScore],
  ['an error', { error: 'no' }, answer, byScore],
  ['another order of sorted hits', build('1:3 3:2 2:2'), answer, { hasPrevious: false, isSorted: true }],
  ['another best hit of a page', build('5:3 2:2', 9), firstPage, byScore],
  ['another message', { error: '[b] is none' }, error, byScore],
  ['a missing error', build('1:3'), error, byScore],
])('detects %s', (_, found, expected, page) => {
  expect(findDifference(found, expected, page)).toEqual(expect.any(String));
});

it.each([
  ['another order of equal scores', build('1:3 3:2 2:2'), answer, byScore],
  ['rounded scores', build('1:3.00001 2:2 3:2'), answer, byScore],
  ['another last hit of a page', build('1:3 5:2', 9), firstPage, byScore],
  ['another first hit of a later page', build('5:3 2:2', 9), firstPage, { ...byScore, hasPrevious: true }],
  ['a longer message', { error: 'failed: [a] is none' }, error, byScore],
])('allows %s', (_, found, expected, page) => {
  expect(findDifference(found, expected, page)).toBeUndefined();
});
