// Tests the comparison of answers with Lucene's.
import { expect, it } from 'vitest';
import { compareAnswer } from './answers.ts';

const lucene = { ids: ['7', '8', '9'], scores: [2, 1.99, 1] };

it.each([
  ['scores within 2.5 %', ['7', '8', '9'], [2.02, 1.99, 1], undefined],
  ['almost equal scores in another order', ['8', '7', '9'], [1.99, 2, 1], undefined],
  ['another order', ['9', '7', '8'], [1, 2, 1.99], 'order'],
  ['a missing hit', ['7', '8'], [2, 1.99], 'total'],
  ['another hit', ['7', '8', '1'], [2, 1.99, 1], 'set'],
  ['a duplicate hit', ['7', '8', '8'], [2, 1.99, 1.99], 'set'],
  ['a score beyond the tolerance', ['7', '8', '9'], [2.06, 1.99, 1], 'scores'],
  ['a missing score', ['7', '8', '9'], [2, 1.99], 'scores'],
])('compares an answer with %s', (_, ids, scores, differs) => {
  expect(compareAnswer({ ids, scores }, lucene).differs).toBe(differs);
});

it('treats scores that are all zero as equal', () => {
  const zero = { ...lucene, scores: [0, 0, 0] };
  expect(compareAnswer(zero, zero)).toEqual({ maxDeviation: 0 });
  expect(compareAnswer(lucene, zero).differs).toBe('scores');
});
