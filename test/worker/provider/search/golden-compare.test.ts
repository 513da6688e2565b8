// The comparison with golden answers notices what it is there for, and no more.
import { describe, expect, it } from 'vitest';
import { difference } from './golden-compare.ts';

const found = (hits: readonly (readonly [string, number | null])[], total = hits.length) => ({
  total,
  maxScore: null,
  hits: hits.map(([id, score]) => ({ id, score, sort: undefined })),
});

const byScore = { begun: false, ordered: false };
const answer = { total: 3, hits: [['1', 3] as const, ['2', 2] as const, ['3', 2] as const] };

describe('a difference', () => {
  it.each([
    [
      'in the total',
      found(
        [
          ['1', 3],
          ['2', 2],
          ['3', 2],
        ],
        4,
      ),
    ],
    [
      'in the number of hits',
      found(
        [
          ['1', 3],
          ['2', 2],
        ],
        3,
      ),
    ],
    [
      'in a hit',
      found([
        ['1', 3],
        ['2', 2],
        ['4', 2],
      ]),
    ],
    [
      'in a score',
      found([
        ['1', 3.001],
        ['2', 2],
        ['3', 2],
      ]),
    ],
    [
      'in the scores of two hits',
      found([
        ['2', 3],
        ['1', 2],
        ['3', 2],
      ]),
    ],
    ['where a refusal is', { error: 'no' }],
  ])('%s is told', (_, wrong) => {
    expect(difference(wrong, answer, byScore)).toEqual(expect.any(String));
  });

  it('in the order of equal scores is none, unless an order was asked for', () => {
    const turned = found([
      ['1', 3],
      ['3', 2],
      ['2', 2],
    ]);
    expect(difference(turned, answer, byScore)).toBeUndefined();
    expect(difference(turned, answer, { begun: false, ordered: true })).toEqual(expect.any(String));
    expect(
      difference(
        found([
          ['1', 3.00001],
          ['2', 2],
          ['3', 2],
        ]),
        answer,
        byScore,
      ),
    ).toBeUndefined();
  });

  it('at an edge of a page beyond which others may have the same score is none', () => {
    const first = { total: 9, hits: [['1', 3] as const, ['2', 2] as const] };
    const turned = (best: string, worst: string) =>
      found(
        [
          [best, 3],
          [worst, 2],
        ],
        9,
      );
    expect(difference(turned('1', '5'), first, byScore)).toBeUndefined();
    expect(difference(turned('5', '2'), first, byScore)).toEqual(expect.any(String));
    expect(difference(turned('5', '2'), first, { ...byScore, begun: true })).toBeUndefined();
  });

  it('in the words of a refusal is told', () => {
    expect(difference({ error: 'failed: [a] is none' }, { error: '[a] is none' }, byScore)).toBeUndefined();
    expect(difference({ error: '[b] is none' }, { error: '[a] is none' }, byScore)).toEqual(
      expect.any(String),
    );
    expect(difference(found([]), { error: '[a] is none' }, byScore)).toEqual(expect.any(String));
  });
});
