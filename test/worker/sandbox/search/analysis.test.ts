// The standard analyzer splits and lower-cases as Lucene does, and stands any text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { analyze, lowerCase, type Token } from '../../../../worker/sandbox/search/analysis/standard.ts';
import text from '../../../golden/analysis.json?raw';

const golden = z.object({
  lucene: z.string(),
  cases: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.number()]))])),
});
const { cases } = golden.parse(JSON.parse(text));

/** Where the analyzer means to differ. */
const DIFFERENCES = [
  {
    text: 'acme \ud800',
    reason:
      'At a text that ends in half a character Lucene’s scanner takes the end for reached and loses words.',
  },
];

const pairs = (tokens: readonly Token[]) => tokens.map(({ term, position }) => [term, position]);
const terms = (of: string) => analyze(of).map(({ term }) => term);

/** UTF-16 of all kinds, in runs long enough to reach the longest token. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    ...'ab1_.,:\'" #',
    ...'אアあ漢กΣİ',
    '\u0301',
    '\u200d',
    '\ufe0f',
    '\u20e3',
    '\ud83d',
    '\udc69',
  ),
  fc.constantFrom('😀', '👩', '🏽', '🇩', '𐐀', '\u{e0061}', '\u{e007f}'),
);
const run = fc.tuple(unit, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })));
const anyText = fc
  .array(run, { maxLength: 40 })
  .map((runs) => runs.map(([of, times]) => of.repeat(times)).join(''));

describe('analyze', () => {
  it('gives the tokens of Lucene for 5,000 strings, but where it means to differ', () => {
    expect(cases.length).toBe(5_000);
    const different = cases.filter(
      ([of, tokens]) => JSON.stringify(pairs(analyze(of))) !== JSON.stringify(tokens),
    );
    expect(different.map(([of]) => of)).toEqual(DIFFERENCES.map((difference) => difference.text));
  });

  it('keeps the words before half a character at the end of a text', () => {
    expect(terms('Acme \ud800')).toEqual(['acme']);
  });

  it('cuts a long word after 255 UTF-16 units, or before the character that would go over', () => {
    expect(terms('x'.repeat(600)).map((term) => term.length)).toEqual([255, 255, 90]);
    expect(terms('𐐀'.repeat(200)).map((term) => term.length)).toEqual([254, 146]);
  });

  it('numbers tokens from 0 by one, none empty, none longer than 255, each as the text has it', () => {
    fc.assert(
      fc.property(anyText, (of) => {
        const lowered = lowerCase(of);
        let from = 0;
        analyze(of).forEach(({ term, position }, index) => {
          expect(position).toBe(index);
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(255);
          const at = lowered.indexOf(term, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + term.length;
        });
      }),
    );
  });

  it('finds in two texts with a space between what it finds in each', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        expect(terms(`${first} ${second}`)).toEqual([...terms(first), ...terms(second)]);
      }),
    );
  });

  it('comes to an end where every character hopes for another', () => {
    expect(analyze('\u200d'.repeat(100_000))).toEqual([]);
  });
});

describe('normalise', () => {
  it.each([
    ['İSTANBUL', 'istanbul'],
    ['IŞIK', 'işik'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['\u212aelvin', 'kelvin'],
    ['STRAẞE', 'straße'],
    ['Germ*Y?', 'germ*y?'],
    ['𐐀', '𐐨'],
    ['\ud801', '\ud801'],
  ])('lower-cases %j as %j', (given, expected) => {
    expect(lowerCase(given)).toBe(expected);
  });

  it('keeps the length of every character', () => {
    for (let code = 0; code < 0x110000; code += 0x100) {
      const block = String.fromCodePoint(...Array.from({ length: 0x100 }, (_, at) => code + at));
      expect(lowerCase(block).length).toBe(block.length);
    }
  });

  it('takes each character by itself, whatever stands beside it', () => {
    fc.assert(
      fc.property(anyText, (of) => {
        expect(lowerCase(of)).toBe(Array.from(of, lowerCase).join(''));
      }),
    );
  });
});
