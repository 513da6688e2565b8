// Regular expressions, wildcards and fuzzy terms: results and running time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints } from '../../../../../worker/sandbox/search/engine/index/order.ts';
import { PatternError } from '../../../../../worker/sandbox/search/engine/query/automaton.ts';
import {
  compileRegexp,
  compileWildcard,
  type Pattern,
} from '../../../../../worker/sandbox/search/engine/query/pattern.ts';
import {
  matchFuzzy,
  matchPattern,
  type Vocabulary,
} from '../../../../../worker/sandbox/search/engine/query/vocabulary.ts';

const sortTerms = (terms: readonly string[]): string[] => [...new Set(terms)].sort(compareCodePoints);
const toVocabulary = (terms: readonly string[]): Vocabulary => ({ terms, from: 0, to: terms.length });
const match = (pattern: Pattern, terms: readonly string[]): (string | undefined)[] => {
  const sorted = sortTerms(terms);
  return matchPattern(toVocabulary(sorted), pattern).matches.map(({ rank }) => sorted[rank]);
};
const matchRegexp = (pattern: string, terms: readonly string[]) =>
  match(compileRegexp(pattern, false), terms);
const matchWildcard = (pattern: string, terms: readonly string[]) =>
  match(compileWildcard(pattern, false), terms);

describe('a regular expression', () => {
  it.each([
    ['(', 'unexpected end-of-string'],
    ['a{1001}', 'too many repetitions'],
  ])('%s is rejected: %s', (pattern, message) => {
    expect(() => compileRegexp(pattern, false)).toThrow(PatternError);
    expect(() => compileRegexp(pattern, false)).toThrow(message);
  });

  it('matches like JavaScript for common operators', () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', 'ab'),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `${a}${b}`),
        fc
          .tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{1,2}', '{2}', '{0,3}', '{2,}'))
          .map(([a, sign]) => `(${a})${sign}`),
      ),
    }));
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })),
        (pattern, terms) => {
          const regExp = new RegExp(`^(?:${pattern})$`, 'u');
          expect(matchRegexp(pattern, terms)).toEqual(sortTerms(terms).filter((term) => regExp.test(term)));
        },
      ),
    );
  });

  it('is rejected if it needs too many states', () => {
    const long = Array.from({ length: 400 }, (_, at) =>
      (at * 7919).toString(2).padStart(40, '0').replaceAll('0', 'b').replaceAll('1', 'a'),
    );
    expect(() => matchRegexp('(a|b)*a(a|b){30}&(b|a)*b(a|b){29}', long)).toThrow(PatternError);
  });

  it('that makes backtracking engines slow is fast', () => {
    expect(matchRegexp('(a*)*(a*)*(a*)*b', ['a'.repeat(5000), `${'a'.repeat(5000)}b`])).toHaveLength(1);
    expect(matchRegexp(`${'a?'.repeat(200)}${'a'.repeat(200)}`, ['a'.repeat(200)])).toHaveLength(1);
  });
});

describe('a wildcard pattern', () => {
  it('matches like the equivalent in JavaScript', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', '*', '?', '\\*', '\\?', '.'), { maxLength: 8 });
    const terms = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '𝒳'), maxLength: 7 }));
    const equivalents = new Map([
      ['*', '.*'],
      ['?', '.'],
      ['.', '\\.'],
    ]);
    fc.assert(
      fc.property(parts, terms, (pattern, words) => {
        const regExp = new RegExp(`^${pattern.map((part) => equivalents.get(part) ?? part).join('')}$`, 'su');
        expect(matchWildcard(pattern.join(''), words)).toEqual(
          sortTerms(words).filter((word) => regExp.test(word)),
        );
      }),
    );
  });

  it('with many stars is fast', () => {
    expect(matchWildcard(`${'*a'.repeat(300)}*b`, ['a'.repeat(3000)])).toEqual([]);
  });
});

/** Computes the edit distance by its definition. */
function computeDistance(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const table = a.map(() => b.map(() => 0));
  const at = (i: number, j: number): number => (i < 0 ? j + 1 : j < 0 ? i + 1 : (table[i]?.[j] ?? 0));
  a.forEach((x, i) => {
    b.forEach((y, j) => {
      const row = table[i];
      if (row === undefined) return;
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (x === y ? 0 : 1));
      if (transpositions && i > 0 && j > 0 && x === b[j - 1] && a[i - 1] === y) {
        row[j] = Math.min(row[j] ?? 0, at(i - 2, j - 2) + 1);
      }
    });
  });
  return at(a.length - 1, b.length - 1);
}

describe('a fuzzy term', () => {
  it('matches the terms within its edit distance', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '𝒳'), maxLength: 6 });
    fc.assert(
      fc.property(
        word,
        fc.array(word),
        fc.constantFrom(1, 2),
        fc.boolean(),
        (value, terms, maxEdits, transpositions) => {
          const expected = sortTerms(terms)
            .map((term, rank) => ({ rank, distance: computeDistance([...value], [...term], transpositions) }))
            .filter((match) => match.distance <= maxEdits);
          const vocabulary = toVocabulary(sortTerms(terms));
          expect(matchFuzzy(vocabulary, value, maxEdits, transpositions).matches).toEqual(expected);
        },
      ),
    );
  });
});

it('compares code points like UTF-8 bytes', () => {
  const encoder = new TextEncoder();
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '\ue000', '\uffff', '𝒳', '\ud7ff'),
    maxLength: 4,
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [encoder.encode(a), encoder.encode(b)];
      const first = x.findIndex((byte, at) => byte !== y[at]);
      const expected = first < 0 ? x.length - y.length : (x[first] ?? 0) - (y[first] ?? -1);
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(expected));
    }),
  );
});
