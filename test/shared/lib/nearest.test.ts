// The known name that a mistyped one is closest to.
import fc from 'fast-check';
import { distance as editDistance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { distance, isTypo, nearest } from '../../../shared/lib/nearest.ts';

const word = fc.stringMatching(/^[a-d_]{0,8}$/);

describe('a distance', () => {
  it('is none for the same word, the same both ways, and never more than without swaps', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const far = distance(one, other);
        expect(far === 0).toBe(one === other);
        expect(distance(other, one)).toBe(far);
        expect(far).toBeLessThanOrEqual(editDistance(one, other));
        expect(far * 2).toBeGreaterThanOrEqual(editDistance(one, other));
      }),
      { numRuns: 1000 },
    );
  });

  it('counts neighbours that are swapped once', () => {
    expect(distance('nmae', 'name')).toBe(1);
    expect(distance('indsutry', 'industry')).toBe(1);
    expect(distance('kitten', 'sitting')).toBe(3);
  });
});

describe('the nearest name', () => {
  it('is one of the known ones, and none of them is closer', () => {
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1 }), (given, known) => {
        const found = nearest(given, known);
        expect(known).toContain(found);
        for (const name of known) {
          expect(distance(given, name)).toBeGreaterThanOrEqual(distance(given, found));
        }
      }),
    );
  });

  it('is a typo only where it is close', () => {
    expect(isTypo('industri', 'industry')).toBe(true);
    expect(isTypo('Founded', 'founded')).toBe(true);
    expect(isTypo('carbon_footprint', 'careers_page_url')).toBe(false);
    expect(isTypo('size', 'name')).toBe(false);
  });
});
