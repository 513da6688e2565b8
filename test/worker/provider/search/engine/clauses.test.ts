// Each clause finds what it should and scores it as Lucene 8.7 does; the scores here are Lucene's for the same texts.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../../worker/provider/search/tree.ts';
import { expectScores, fuzzy, indexOf, phrase, type TestIndex, term, wildcard } from './setup.ts';

let index: TestIndex;

beforeAll(async () => {
  index = await indexOf({
    1: { text: 'quick brown fox', keyword: ['red', 'blue'], number: 5, day: '2024-01-31', flag: true },
    2: { text: 'quick quick dog', keyword: 'red', number: [7, 70], day: '2024-02-29', flag: false },
    3: { text: ['slow fox', 'red'], keyword: ['blue', 'green', 'red'], number: null, float: 1.5 },
    4: {
      text: 'the quick brown fox jumps over the lazy dog',
      place: { city: 'Oslo' },
      long: '9007199254740993',
    },
    5: { text: 'fox quick', keyword: 'green', number: -3, long: 12 },
    6: { text: null, keyword: 'red', site: 'https://www.Example.com/a' },
  });
});

const found = (query: Query, scores: Readonly<Record<string, number>>): Promise<void> =>
  expectScores(index, query, scores);

describe('a term', () => {
  it('in a text scores by rarity, frequency and length', () =>
    found(term('text', 'quick'), { 1: 0.320456, 2: 0.42547938, 4: 0.19034603, 5: 0.3616575 }));

  it('in keywords scores by rarity, wherever in their list it is', () =>
    found(term('keyword', 'red'), { 1: 0.3398124, 2: 0.3398124, 3: 0.3398124, 6: 0.3398124 }));

  it('is compared with tokens, not with texts', () => found(term('text', 'Quick'), {}));

  it('of a number scores 1, and matches any of several values', async () => {
    await found(term('number', 70), { 2: 1 });
    await found(term('float', 1.5), { 3: 1 });
  });

  it('of a whole number beyond 2^53 is exact', async () => {
    await found(term('long', 9007199254740993n), { 4: 1 });
    await found(term('long', 9007199254740992), {});
    await found(term('long', 12), { 5: 1 });
  });

  it('of a boolean is found', async () => expect(await index.ids(term('flag', true))).toEqual(['1']));

  it('is multiplied by its boost', () =>
    found(term('text', 'quick', 2), { 1: 0.640912, 2: 0.85095876, 4: 0.38069206, 5: 0.723315 }));
});

describe('null_value', () => {
  it('stands for an explicit null, in the variant of a text too, and not for an absent field', async () => {
    expect(await index.ids(term('number', -1))).toEqual(['3']);
    expect(await index.ids(term('text.exact', 'NULL'))).toEqual(['6']);
  });
});

describe('what is indexed', () => {
  it('leaves out keywords that are too long, hidden fields and binaries', async () => {
    const other = await indexOf({ 1: { keyword: 'x'.repeat(21), hidden: 'word', logo: 'word' } });
    for (const field of ['keyword', 'hidden', 'logo']) {
      expect(await other.ids({ kind: 'exists', field, boost: 1 })).toEqual([]);
    }
  });

  it('takes the host out of an address', async () =>
    expect(await index.ids(term('site.domain_only', 'example.com'))).toEqual(['6']));

  it('reads names with dots as paths', async () => {
    const other = await indexOf({ 1: { 'place.city': 'Bergen' } });
    expect(await other.ids(term('place.city', 'Bergen'))).toEqual(['1']);
  });
});

describe('terms', () => {
  it('finds any of them, each for 1 × boost', async () => {
    await found(
      { kind: 'terms', field: 'keyword', values: ['blue', 'green'], boost: 3 },
      { 1: 3, 3: 3, 5: 3 },
    );
    await found({ kind: 'terms', field: 'number', values: [7, -3], boost: 1 }, { 2: 1, 5: 1 });
    await found({ kind: 'terms', field: 'long', values: [12, 9007199254740993n], boost: 1 }, { 4: 1, 5: 1 });
    await found({ kind: 'terms', field: 'flag', values: [true, false], boost: 1 }, { 1: 1, 2: 1 });
  });
});

describe('a phrase', () => {
  it('is found where its words follow one another', () =>
    found(phrase('text', 'quick brown fox'), { 1: 1.6161176, 4: 0.9599495 }));

  it('does not reach from one value of a list into the next, unless slop lets it', async () => {
    await found(phrase('text', 'fox red'), {});
    await found(phrase('text', 'fox red', 99), {});
    await found(phrase('text', 'fox red', 100), { 3: 0.037021875 });
  });

  it('with slop counts an occurrence the less the further its words are from their places', async () => {
    await found(phrase('text', 'quick fox', 1), { 1: 0.42908514, 4: 0.22403562 });
    await found(phrase('text', 'quick fox', 2), { 1: 0.42908514, 4: 0.22403562, 5: 0.38947725 });
  });

  it('that has a word twice needs it twice', async () => {
    await found(phrase('text', 'quick quick'), { 2: 0.640912 });
    await found(phrase('text', 'quick quick', 4), { 2: 0.640912 });
  });

  it('with a gap lets any one word stand there', () =>
    found(phrase('text', 'quick . fox'), { 1: 0.640912, 4: 0.38069206 }));

  it('that ends in a prefix takes every term that begins so', async () => {
    await found(phrase('text', 'quick b', 0, true), { 1: 1.2956617, 4: 0.7696035 });
    await found(phrase('text', 'quick f', 2, true), { 1: 0.42908514, 4: 0.22403562, 5: 0.38947725 });
    await found(phrase('text', 'quick d', 0, true), { 2: 1.2956617 });
    await found(phrase('text', 'quick x', 0, true), {});
  });

  it('of a prefix alone scores as its terms', () =>
    found(phrase('text', 'q', 0, true), { 1: 0.320456, 2: 0.42547938, 4: 0.19034603, 5: 0.3616575 }));

  it('takes as many ends as it is told, the first in order', async () => {
    const some: Query = {
      kind: 'phrase',
      field: 'text',
      terms: [{ term: '', position: 0 }],
      slop: 0,
      prefix: true,
      maxExpansions: 1,
      boost: 1,
    };
    expect(await index.ids(some)).toEqual(await index.ids(term('text', 'brown')));
  });
});

describe('a fuzzy term', () => {
  it('scores by the share of letters that are right', () =>
    found(fuzzy('text', 'quikc', 1), { 1: 0.2563648, 2: 0.3403835, 4: 0.15227681, 5: 0.289326 }));

  it('counts swapped letters as two edits if told so', () =>
    found(fuzzy('text', 'quikc', 1, { transpositions: false }), {}));

  it('counts all its terms as rare as the most frequent one', () =>
    found(fuzzy('text', 'fox', 2), {
      1: 0.320456,
      2: 0.10681866,
      3: 0.320456,
      4: 0.2537947,
      5: 0.3616575,
    }));

  it('takes as many terms as it is told, the nearest first', () =>
    found(fuzzy('text', 'foxx', 2, { maxExpansions: 1 }), {
      1: 0.21363734,
      3: 0.21363734,
      4: 0.12689735,
      5: 0.241105,
    }));

  it('leaves the letters of its prefix alone', () =>
    found(fuzzy('text', 'suick', 1, { prefixLength: 1 }), {}));
});

describe('a range', () => {
  const range = (field: string, ends: Partial<Query & { kind: 'range' }>): Query => ({
    boost: 1,
    ...ends,
    kind: 'range',
    field,
  });

  it('of numbers and dates heeds whether its ends are in', async () => {
    const five = { value: 5, inclusive: true };
    expect(await index.ids(range('number', { lower: five }))).toEqual(['1', '2']);
    expect(await index.ids(range('number', { lower: { ...five, inclusive: false } }))).toEqual(['2']);
    expect(await index.ids(range('number', { upper: { ...five, inclusive: false } }))).toEqual(['3', '5']);
    const leapDay = Date.UTC(2024, 1, 29);
    expect(await index.ids(range('day', { lower: { value: leapDay, inclusive: true } }))).toEqual(['2']);
    expect(await index.ids(range('long', { lower: { value: 9007199254740993n, inclusive: true } }))).toEqual([
      '4',
    ]);
    expect(await index.ids(range('long', { lower: { value: 9007199254740993n, inclusive: false } }))).toEqual(
      [],
    );
  });

  it('of keywords goes by code points', async () => {
    const from = (value: string, inclusive: boolean) => range('keyword', { lower: { value, inclusive } });
    expect(await index.ids(from('green', true))).toEqual(['1', '2', '3', '5', '6']);
    expect(await index.ids(from('green', false))).toEqual(['1', '2', '3', '6']);
    expect(await index.ids(range('keyword', { upper: { value: 'blue', inclusive: true } }))).toEqual([
      '1',
      '3',
    ]);
    const other = await indexOf({ 1: { keyword: '\u{fffd}' }, 2: { keyword: '\u{10000}' } });
    expect(await other.ids(from('\u{fffd}', false))).toEqual(['2']);
  });
});

describe('patterns', () => {
  it('find terms by their start', async () => {
    const prefix = (value: string, caseInsensitive = false): Query => ({
      kind: 'prefix',
      field: 'text',
      value,
      caseInsensitive,
      boost: 2,
    });
    await found(prefix('bro'), { 1: 2, 4: 2 });
    await found(prefix('BRO'), {});
    await found(prefix('BRO', true), { 1: 2, 4: 2 });
  });

  it.each([
    ['*', '12345'],
    ['q*', '1245'],
    ['?o?', '12345'],
    ['*o*', '12345'],
    ['j*s', '4'],
    ['\\*', ''],
    ['qu\\ick', '1245'],
  ])('with stars and question marks: %s', async (pattern, ids) =>
    expect((await index.ids(wildcard('text', pattern))).join('')).toBe(ids),
  );

  it('on keywords heed the case unless told not to', async () => {
    expect(await index.ids(wildcard('place.city', 'oslo'))).toEqual([]);
    expect(await index.ids(wildcard('place.city', 'oslo', true))).toEqual(['4']);
  });
});

describe('exists', () => {
  it.each([
    ['text', '12345'],
    ['text.exact', '123456'],
    ['number', '1235'],
    ['flag', '12'],
    ['day', '12'],
    ['nothing', ''],
    ['child.text', ''],
  ])('%s', async (field, ids) => {
    expect((await index.ids({ kind: 'exists', field, boost: 1 })).join('')).toBe(ids);
  });

  it('holds for a text without any word', async () => {
    const other = await indexOf({ 1: { text: '' }, 2: {} });
    expect(await other.ids({ kind: 'exists', field: 'text', boost: 1 })).toEqual(['1']);
  });
});

describe('ids', () => {
  it('finds those that are there', () =>
    found({ kind: 'ids', values: ['4', '1', '4', '99'], boost: 2 }, { 1: 2, 4: 2 }));
});
