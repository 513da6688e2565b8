// The comparison with golden answers notices what it is there for, and no more.
import { describe, expect, it } from 'vitest';
import { difference } from './golden-compare.ts';

/** Hits as `id:score`. */
const found = (hits: string, total = hits.split(' ').length) => ({
  total,
  maxScore: null,
  hits: hits.split(' ').map((hit) => {
    const [id = '', score] = hit.split(':');
    return { id, score: Number(score), sort: undefined };
  }),
});

const byScore = { begun: false, ordered: false };
const answer = { total: 3, hits: [['1', 3] as const, ['2', 2] as const, ['3', 2] as const] };
const first = { total: 9, hits: [['1', 3] as const, ['2', 2] as const] };
const refusal = { error: '[a] is none' };

describe('a difference', () => {
  it.each([
    ['in the total', found('1:3 2:2 3:2', 4), answer, byScore],
    ['in the number of hits', found('1:3 2:2', 3), answer, byScore],
    ['in a hit', found('1:3 2:2 4:2'), answer, byScore],
    ['in a score', found('1:3.001 2:2 3:2'), answer, byScore],
    ['in the scores of two hits', found('2:3 1:2 3:2'), answer, byScore],
    ['where a refusal is', { error: 'no' }, answer, byScore],
    ['in an order that was asked for', found('1:3 3:2 2:2'), answer, { begun: false, ordered: true }],
    ['in the best of a page', found('5:3 2:2', 9), first, byScore],
    ['in the words of a refusal', { error: '[b] is none' }, refusal, byScore],
    ['where no refusal is', found('1:3'), refusal, byScore],
  ])('%s is told', (_, wrong, expected, page) => {
    expect(difference(wrong, expected, page)).toEqual(expect.any(String));
  });

  it.each([
    ['in the order of equal scores', found('1:3 3:2 2:2'), answer, byScore],
    ['of the last digits of a score', found('1:3.00001 2:2 3:2'), answer, byScore],
    ['at the edge of a page', found('1:3 5:2', 9), first, byScore],
    ['at the edge where a page begins', found('5:3 2:2', 9), first, { ...byScore, begun: true }],
    ['in words around a refusal', { error: 'failed: [a] is none' }, refusal, byScore],
  ])('%s is none', (_, right, expected, page) => {
    expect(difference(right, expected, page)).toBeUndefined();
  });
});
