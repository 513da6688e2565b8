// Normalisation and similarity of company names.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../../shared/lib/fold-text.ts';
import { compareNames } from '../../../shared/matching/compare.ts';
import { decide } from '../../../shared/matching/decide.ts';
import { normaliseName } from '../../../shared/matching/normalise.ts';
import { unicodeText } from '../../unicode-text.ts';

const compare = (one: string, other: string): number =>
  compareNames(normaliseName(one), normaliseName(other));
const joinWords = (name: string): string =>
  normaliseName(name)
    .words.map(({ text }) => text)
    .join(' ');

describe('folded text', () => {
  it.each([
    ['České dráhy', 'ceske drahy'],
    ['ŁÓDŹ', 'lodz'],
    ['Işık IŞIK İnci', 'isik isik inci'],
    ['Smørrebrød Ærø Straße', 'smorrebrod aero strasse'],
    ['Ελλάς ΕΛΛΑΣ', 'ελλασ ελλασ'],
    ['Берёза Чайка', 'береза чайка'],
    ['أحمد مَكتبة', 'احمد مكتبه'],
    ['בְּרֵאשִׁית', 'בראשית'],
    ['ＡＢＣ ﾊﾞﾝｸ', 'abc バンク'],
    ['バンク パナ', 'バンク パナ'],
    ['टाटा स्टील', 'टाटा स्टील'],
    ['กสิกร', 'กสิกร'],
    ['រំដួល', 'រំដួល'],
    ['မြန်မာ', 'မြန်မာ'],
    ['٢٠١٨ १२', '2018 12'],
  ])('of %j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded.normalize('NFC'));
  });

  it('is folded once and for all', () => {
    fc.assert(fc.property(unicodeText(), (text) => foldText(foldText(text)) === foldText(text)));
  });
});

describe('a normalised name', () => {
  it.each([
    ['ACME Foods, Inc.', 'acme foods'],
    ['L’Oréal S.A.', 'loreal'],
    ['L´Oréal', 'loreal'],
    ['I.B.M. Corp', 'ibm'],
    ['AT&T', 'at and t'],
    ['Müller und Söhne', 'muller and sohne'],
    ['Acme &#38; Beta', 'acme and beta'],
    ['The Muse', 'muse'],
    ['Seven Bridges', '7 bridges'],
    ['First National Bank', '1 national bank'],
    ['Harbor Fund VIII', 'harbor fund 8'],
    ['1,000 Lakes', '1000 lakes'],
    ['Talkray (TiKL)', 'talkray'],
    ['Acme (YC S21)', 'acme'],
    ['Acme™ Foods®', 'acme foods'],
    ['Ac\u00adme\u200b Foods\u200e', 'acme foods'],
    ['Acme | We are hiring', 'acme'],
    ["Acme - We're hiring!", 'acme'],
    ['サンライズ 採用情報', 'サンライズ'],
    ['Made di Roma', 'made di roma'],
    ['Acme - Official page', 'acme'],
    ['Acme - Foods', 'acme foods'],
    ['Harlow, Home & Office', 'harlow home and office'],
    ['M&Uuml;LLER &eacute;t&eacute; &AElig;r&oslash;', 'muller ete aero'],
    ['A&B; Dale &unknown; &#0; &#x110000;', 'a and b dale and unknown and 0 and x110000'],
    ['Acme DBA Services', 'acme dba services'],
    ['Acme d/b/a Beta', 'acme'],
    ['Beta fka Acme Labs Inc', 'beta'],
    ['Orbit+', 'orbit plus'],
    ['J. P. Morrow', 'jp morrow'],
    ['Limited', 'limited'],
    ['(Acme)', 'acme'],
    ['  ', ''],
    ['!!!', ''],
  ])('of %j is %j', (typed, words) => {
    expect(joinWords(typed)).toBe(words);
  });

  it.each([
    ['Acme Deutschland GmbH', { country: 'DE', isNote: false }],
    ['Acme GmbH Deutschland', { country: 'DE', isNote: true }],
    ['Acme (UK) Ltd', { country: 'GB', isNote: true }],
    ['Acme - San Francisco', { country: 'US', city: 'sanfrancisco', isNote: true }],
    ['Acme, Munich', { country: 'DE', city: 'munchen', isNote: true }],
    ['Bank of America', undefined],
    ['Deutschland', undefined],
    ['Toys R Us', undefined],
  ])('of %s has the place %j', (typed, place) => {
    expect(normaliseName(typed).place).toEqual(place);
  });

  it('is the same for its own words', () => {
    const part = fc.constantFrom(
      ...[
        'Acme',
        'Łódź',
        'Inc.',
        'GmbH & Co. KG',
        'A.B.',
        'C',
        'II',
        'seven',
        '2018',
        '(株)',
        '|',
        'Berlin',
        'und',
        'The',
      ],
      ...['Careers', 'バンク', 'S. A.', '&amp;', 'Müller', 'ООО', "d'Or", '- UK'],
    );
    const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(name, unicodeText({ maxLength: 60 })), (text) => {
        const words = joinWords(text);
        expect(normaliseName(words).numbers).toEqual(normaliseName(text).numbers);
        for (const { text: word } of normaliseName(text).words) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
      }),
      { numRuns: 500 },
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
    ['Gebrüder Kesselring', 'Gebr. Kesselring'],
    ['Acme Manufacturing Services', 'Acme Mfg. Svcs.'],
    ['Sun Microsystems', 'Sun Micro.'],
    ['Café Central', 'Cafe Central'],
    ['Seven Bridges', '7 Bridges'],
    ['Möller Bygg', 'Moeller Bygg'],
    ['International Business Machines (IBM)', 'IBM'],
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
    ['Sun Microsystems', 'Sun Micro'],
    ['Foods Acme', 'Acme Foods'],
    ['Alpha Beta Gamma Delta Group', 'Alpha Beta Gamma Delta'],
    ['Fischer', 'Fisher'],
    ['Acme (formerly Beta)', 'Beta'],
    ['Kuhn', 'Kuehn'],
    ['Los Andes', 'Andes'],
    ['Smith dba Blue Moon', 'Smith dba Red Sun'],
  ])('%s and %s are not similar enough to match', (one, other) => {
    expect(compare(one, other)).toBeLessThan(0.83);
  });

  it('have other legal forms, at most', () => {
    expect(compare('Acme GmbH', 'Acme AG')).toBeLessThan(compare('Acme AG', 'Acme'));
    expect(compare('Acme Pvt Ltd', 'Acme Ltd')).toBe(1);
  });
});

describe('the similarity', () => {
  const word = fc.constantFrom(
    ...[
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
      'AG',
    ],
    ...['2018', 'II', 'Berlin', 'Müller', 'mueller', '(UK)', 'バンク', 'ハンク', 'and'],
  );
  const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

  it('is between 0 and 1, symmetric, and 1 for the same name', () => {
    fc.assert(
      fc.property(fc.oneof(name, unicodeText()), fc.oneof(name, unicodeText()), (one, other) => {
        const similarity = compare(one, other);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(compare(other, one)).toBe(similarity);
        expect(compare(one, one)).toBe(normaliseName(one).words.length === 0 ? 0 : 1);
      }),
      { numRuns: 300 },
    );
  });

  it('ignores case', () => {
    fc.assert(fc.property(name, (one) => compare(one, one.toUpperCase()) === 1));
  });

  it('never accepts another number', () => {
    const number = fc.oneof(
      fc.nat().map(String),
      fc.constantFrom('II', 'III', 'IV', 'VI', 'XII', 'seven', 'third', ''),
    );
    const where = fc.constantFrom('before', 'after', 'brackets');
    const put = (text: string, digits: string, at: string): string =>
      at === 'before'
        ? `${digits} ${text}`
        : at === 'after'
          ? `${text} ${digits}`
          : `${text} (${digits}) Ltd`;
    fc.assert(
      fc.property(name, number, number, where, (text, one, other, at) => {
        const [typed, record] = [put(text, one, at), put(text, other, at)];
        const isSame = normaliseName(typed).numbers.join(' ') === normaliseName(record).numbers.join(' ');
        fc.pre(!isSame);
        const facts = { name: record, country: 'Germany', city: 'Berlin', website: `${text}.example` };
        const found = decide({ name: typed, country: 'DE', city: 'Berlin' }, [
          { id: '1', hit: { kind: 'name', total: 1 }, facts },
        ]);
        expect(found.state).not.toBe('match');
      }),
      { numRuns: 500 },
    );
  });

  it('takes initials for weak evidence, unless the website has them', () => {
    expect(compare('IBM', 'International Business Machines')).toBe(0.75);
    const names = ['IBM', 'International Business Machines'].map((text) => normaliseName(text));
    const [short, long] = names;
    if (short === undefined || long === undefined) throw new Error('two names');
    expect(compareNames(short, long, 'ibm')).toBe(0.9);
  });

  it('is 0 without a letter or digit', () => {
    expect(compare('!!!', '!!!')).toBe(0);
  });
});
