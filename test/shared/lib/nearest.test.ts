// Suggestions for mistyped names.
import fc from 'fast-check';
import { distance as levenshtein } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { editDistance, findNearest, isLikelyTypo } from '../../../shared/lib/nearest.ts';

const word = fc.stringMatching(/^[a-d_]{0,8}$/);

describe('the edit distance', () => {
  it('is zero for equal words, symmetric, and at most the Levenshtein distance', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right);
        expect(distance === 0).toBe(left === right);
        expect(editDistance(right, left)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(levenshtein(left, right));
        expect(distance * 2).toBeGreaterThanOrEqual(levenshtein(left, right));
      }),
      { numRuns: 1000 },
    );
  });

  it('counts a transposition once', () => {
    expect(editDistance('nmae', 'name')).toBe(1);
    expect(editDistance('indsutry', 'industry')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});

describe('the nearest name', () => {
  it('is a known name with the smallest distance', () => {
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1 }), (typed, known) => {
        const found = findNearest(typed, known);
        expect(known).toContain(found);
        for (const name of known) {
          expect(editDistance(typed, name)).toBeGreaterThanOrEqual(editDistance(typed, found));
        }
      }),
    );
  });

  it('is a likely typo only at a small distance', () => {
    expect(isLikelyTypo('industri', 'industry')).toBe(true);
    expect(isLikelyTypo('Founded', 'founded')).toBe(true);
    expect(isLikelyTypo('carbon_footprint', 'careers_page_url')).toBe(false);
    expect(isLikelyTypo('size', 'name')).toBe(false);
  });
});
