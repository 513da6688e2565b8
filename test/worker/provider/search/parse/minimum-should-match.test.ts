// minimum_should_match: how many clauses have to match, by how many there are.
import { describe, expect, it } from 'vitest';
import { requiredClauses } from '../../../../../worker/provider/search/parse/minimum-should-match.ts';
import { read } from './harness.ts';

describe('minimum_should_match', () => {
  it.each([
    ['2', 5, 2],
    ['7', 5, 7],
    ['0', 5, 0],
    ['-2', 5, 3],
    ['-7', 5, 0],
    ['75%', 4, 3],
    ['75%', 5, 3],
    ['10%', 5, 0],
    ['100%', 3, 3],
    ['-25%', 4, 3],
    ['-25%', 5, 4],
    ['-10%', 5, 5],
    ['3<90%', 3, 3],
    ['3<90%', 4, 3],
    ['3<-1 5<50%', 3, 3],
    ['3<-1 5<50%', 4, 3],
    ['3<-1 5<50%', 5, 4],
    ['3<-1 5<50%', 6, 3],
    ['2 < -25%  9 < -3', 10, 7],
  ])('%s of %i is %i', (specification, clauses, required) => {
    expect(requiredClauses(specification, clauses)).toBe(required);
  });

  it.each(['two', '', '%', '5%5', '3<', '<3', '3<x 5<2', '3<-1 x', '1.5', '99999999999'])(
    '%j is none',
    (specification) => {
      const asked = read({ match: { d: { query: 'a b', minimum_should_match: specification } } });
      expect(asked).toMatch(/^error: failed to create query: For input string: /);
    },
  );
});
