// Suggestions for mistyped names.
import fc from 'fast-check';
import { distance as levenshtein } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { editDistance, findNearest, isLikelyTypo } from '../../../shared/lib/nearest.ts';

const word = fc.stringMatching(/^[a-d_]{0,8}$/);

describe('the edit distance', () => {
  it('is zero for equal words, symmetric, and at most the Levenshtein distance', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const far = editDistance(one, other);
        expect(far === 0).toBe(one === other);
        expect(editDistance(other, one)).toBe(far);
        expect(far).toBeLessThanOrEqual(levenshtein(one, other));
        expect(far * 2).toBeGreaterThanOrEqual(levenshtein(one, other));
      }),
      { numRuns: 1000 },
    );
  });

  it('counts swapped neighbours once', () => {
    expect(editDistance('nmae', 'name')).toBe(1);
    expect(editDistance('indsutry', 'industry')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});

describe('the nearest name', () => {
  it('is one of the known ones, and none of them is closer', () => {
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1 }), (given, known) => {
        const found = findNearest(given, known);
        expect(known).toContain(found);
        for (const name of known) {
          expect(editDistance(given, name)).toBeGreaterThanOrEqual(editDistance(given, found));
        }
      }),
    );
  });

  it('is a typo only where it is close', () => {
    expect(isLikelyTypo('industri', 'industry')).toBe(true);
    expect(isLikelyTypo('Founded', 'founded')).toBe(true);
    expect(isLikelyTypo('carbon_footprint', 'careers_page_url')).toBe(false);
    expect(isLikelyTypo('size', 'name')).toBe(false);
  });
});
