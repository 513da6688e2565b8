// The standard analyzer, compared with Lucene, and field name patterns.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { analyze, lowerCase } from '../../../../worker/sandbox/search/analysis/standard.ts';
import { createMappingLookup, matchesPattern } from '../../../../worker/sandbox/search/fields.ts';
import golden from '../../../golden/analysis.json?raw';

const goldenSchema = z.object({
  cases: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.number()]))])),
});
const { cases } = goldenSchema.parse(JSON.parse(golden));

/** Lucene's scanner takes a lone surrogate at the end for the end of the text and loses words. */
const DIFFERENT = ['acme \ud800'];

const listTerms = (text: string) => analyze(text).map(({ term }) => term);

/** Any UTF-16, in runs that reach the maximum token length. */
const character = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(...'ab1_.,:\'" #', ...'אアあ漢กΣİ', ...'\u0301\u200d\ufe0f\u20e3', '\ud83d', '\udc69'),
  fc.constantFrom('😀', '👩', '🏽', '🇩', '𐐀', '\u{e0061}', '\u{e007f}'),
);
const run = fc
  .tuple(character, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })))
  .map(([unit, times]) => unit.repeat(times));
const anyText = fc.array(run, { maxLength: 40 }).map((runs) => runs.join(''));

describe('analyze', () => {
  it('returns the tokens of Lucene for 5,000 texts, with one known difference', () => {
    expect(cases.length).toBe(5_000);
    const different = cases.filter(([text, tokens]) => {
      const own = analyze(text).map(({ term, position }) => [term, position]);
      return JSON.stringify(own) !== JSON.stringify(tokens);
    });
    expect(different.map(([text]) => text)).toEqual(DIFFERENT);
    expect(listTerms('Acme \ud800')).toEqual(['acme']);
  });

  it('splits words after 255 UTF-16 units, but not surrogate pairs', () => {
    expect(listTerms('x'.repeat(600)).map((term) => term.length)).toEqual([255, 255, 90]);
    expect(listTerms('𐐀'.repeat(200)).map((term) => term.length)).toEqual([254, 146]);
  });

  it('returns consecutive positions and terms of 1 to 255 units in text order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lowered = lowerCase(text);
        let from = 0;
        analyze(text).forEach(({ term, position }, index) => {
          expect(position).toBe(index);
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(255);
          const at = lowered.indexOf(term, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + term.length;
        });
      }),
      { numRuns: 40 },
    );
  });

  it('analyses texts separated by a space independently', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        expect(listTerms(`${first} ${second}`)).toEqual([...listTerms(first), ...listTerms(second)]);
      }),
      { numRuns: 40 },
    );
  });

  it('is fast on 20,000 joiners', () => {
    expect(analyze('\u200d'.repeat(20_000))).toEqual([]);
  });
});

describe('lowerCase', () => {
  it.each([
    ['İSTANBUL', 'istanbul'],
    ['IŞIK', 'işik'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['\u212aelvin', 'kelvin'],
    ['STRAẞE', 'straße'],
    ['Germ*Y?', 'germ*y?'],
    ['𐐀', '𐐨'],
    ['\ud801', '\ud801'],
  ])('converts %j to %j', (text, expected) => {
    expect(lowerCase(text)).toBe(expected);
  });

  it('keeps the length of every character', () => {
    for (let code = 0; code < 0x110000; code += 0x100) {
      const block = String.fromCodePoint(...Array.from({ length: 0x100 }, (_, at) => code + at));
      expect(lowerCase(block).length).toBe(block.length);
    }
  });

  it('converts characters independently', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(lowerCase(text)).toBe(Array.from(text, lowerCase).join(''));
      }),
      { numRuns: 40 },
    );
  });
});

it.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', 'a*bc', true],
  ['', '*', true],
  ['aba', 'ab*ba', false],
  ['abcabc', '*abc', true],
  ['abcabd', '*abc', false],
  ['a.c.b', 'a*b*c', false],
  ['a'.repeat(200), `${'a*'.repeat(5000)}b`, false],
])('the name %s and the pattern %s match: %s', (name, pattern, matches) => {
  expect(matchesPattern(name, pattern)).toBe(matches);
});

it.each(['__proto__', 'constructor', ''])('%j is not a field', (path) => {
  const lookup = createMappingLookup({ properties: { name: { type: 'text' } } });
  expect(lookup.getField(path)).toBeUndefined();
});
