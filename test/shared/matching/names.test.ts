// Normalisation and similarity of company names.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../../shared/matching/normalise.ts';
import { compareNames } from '../../../shared/matching/similarity.ts';

const compare = (one: string, other: string): number =>
  compareNames(normaliseName(one), normaliseName(other));

describe('a normalised name', () => {
  it.each([
    ['ACME Foods, Inc.', 'acme foods', 'inc'],
    ['Acme Foods Co., Ltd.', 'acme foods', 'ltd'],
    ['Müller Maschinenbau GmbH & Co. KG', 'muller maschinenbau', 'gmbh and co kg'],
    ['L’Oréal S.A.', 'loreal', 'sa'],
    ['I.B.M. Corp', 'ibm', 'corp'],
    ['AT&T', 'at and t', undefined],
    ['Acme Sp. z o.o.', 'acme', 'sp z oo'],
    ['Łódź Software sp. z o.o.', 'lodz software', 'sp z oo'],
    ['ООО Ромашка', 'ооо ромашка', undefined],
    ['OOO Romashka', 'romashka', 'ooo'],
    ['株式会社トヨタ', 'トヨタ', undefined],
    ['北京小米科技有限责任公司', '北京小米科技', undefined],
    ['The Muse', 'muse', undefined],
    ['Seven Bridges', '7 bridges', undefined],
    ['Talkray (TiKL)', 'talkray', undefined],
    ['Brown & Co', 'brown', 'co'],
    ['Limited', 'limited', undefined],
    ['Smørrebrød ApS', 'smorrebrod', 'aps'],
    ['Bosch Sdn. Bhd.', 'bosch', 'ltd'],
    ['  ', '', undefined],
    ['!!!', '', undefined],
  ])('of %j is %j', (typed, words, form) => {
    const name = normaliseName(typed);
    expect(name.words.join(' ')).toBe(words);
    expect(name.form).toBe(form);
  });

  it('keeps the typed spelling of its core', () => {
    expect(normaliseName('Café Müller & Söhne GmbH (Berlin)').core).toBe('Café Müller & Söhne');
  });

  it('is the same for its own core', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const { core, words } = normaliseName(text);
        expect(text.normalize('NFC')).toContain(core);
        expect(words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))).toBe(true);
      }),
    );
  });
});

describe('names of the same company', () => {
  it.each([
    ['CircuitHub', 'circuithub, inc.'],
    ['Acme Foods GmbH', 'ACME FOODS'],
    ['Johnson & Johnson', 'Johnson and Johnson'],
    ['Circuit Hub', 'CircuitHub'],
    ['CircuitHub', 'CircuitHbu'],
    ['CircuitHub', 'Circuithb'],
    ['CircuitHub', 'CircuiitHub'],
    ['CircuitHub', 'CircuitGub'],
    ['Acme International', 'Acme Intl'],
    ['Acme Manufacturing Services', 'Acme Mfg. Svcs.'],
    ['Sun Microsystems', 'Sun Micro'],
    ['Foods Acme', 'Acme Foods'],
    ['Café Central', 'Cafe Central'],
    ['Seven Bridges', '7 Bridges'],
  ])('%s and %s are similar', (one, other) => {
    expect(compare(one, other)).toBeGreaterThan(0.86);
  });
});

describe('names of different companies', () => {
  it.each([
    ['Acme Foods', 'Acme Labs'],
    ['Acme', 'Acme Capital'],
    ['Circuit', 'CircuitHub'],
    ['CircuitHub', 'CircuitHab'],
    ['Tara', 'Zara'],
    ['Loom', 'Zoom'],
    ['Blue Frog Gaming', 'Red Frog Gaming'],
    ['International Business Machines', 'IBM'],
    ['Technologies Inc', 'Solutions Inc'],
    ['United Airlines', 'Delta Airlines'],
  ])('%s and %s are not similar enough to match', (one, other) => {
    expect(compare(one, other)).toBeLessThan(0.83);
  });
});

describe('the similarity', () => {
  const name = fc
    .array(
      fc.constantFrom(
        'acme',
        'foods',
        'labs',
        'circuithub',
        'circuithbu',
        'intl',
        'international',
        'sun',
        'ibm',
        'Inc',
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((words) => words.join(' '));

  it('is between 0 and 1, symmetric, and 1 for the same name', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const similarity = compare(one, other);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(compare(other, one)).toBe(similarity);
        expect(compare(one, one.toUpperCase())).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  it('takes initials for weak evidence', () => {
    expect(compare('IBM', 'International Business Machines')).toBeGreaterThan(0.7);
  });

  it('is 0 without a letter or digit', () => {
    expect(compare('!!!', '!!!')).toBe(0);
  });
});
