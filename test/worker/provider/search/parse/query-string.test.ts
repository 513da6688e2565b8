// query_string: the grammar as Lucene reads it, and what the engine adds to it.
import { describe, expect, it } from 'vitest';
import { read, unknownZone } from './harness.ts';
import { lucenesReading } from './lucenes-reading.ts';

function readText(query: string, options: Readonly<Record<string, unknown>> = {}): string {
  return read({ query_string: { query, default_field: 'd', ...options } });
}

describe('a query string is read as Lucene reads it', () => {
  it.each(lucenesReading)('%s is %s, or %s where all words are needed', (text, or, and) => {
    const refused = `error: Failed to parse query [${text}]`;
    expect(readText(text)).toBe(or === 'error' ? refused : or);
    expect(readText(text, { default_operator: 'AND' })).toBe(and === 'error' ? refused : and);
  });
});

describe('fields', () => {
  it.each([
    [
      'words that stand side by side are one term of a keyword',
      'tags:(Software Development)',
      'tags:Software Development',
    ],
    ['a field holds for the word behind it only', 'tags:Software Development', 'tags:Software development'],
    ['a pattern of fields takes the best', 'book.\\*:fox', 'best(book.title:fox | book.genre:fox)'],
    [
      'all fields overlook nothing when they are named',
      '*:fox',
      'error: failed to create query: For input string: "fox"',
    ],
    ['a field that is not mapped matches nothing', 'nope:fox', 'nothing'],
    ['and leaves the others alone', 'nope:fox quick', 'nothing quick'],
    ['a field of a nested object matches nothing', 'people.name:ann', 'nothing'],
    ['a number', 'amount:5', 'amount:5'],
    ['a number that is none', 'amount:five', 'error: failed to create query: For input string: "five"'],
    ['a comparison of numbers', 'amount:>=7', 'amount:[7 TO *]'],
    ['comparisons in a group', 'amount:(>=7 AND <500)', '+amount:[7 TO *] +amount:[* TO 499]'],
    ['a range of dates', 'day:[2024-01-01 TO 2024-01-31}', 'day:[1704067200000 TO 1706659199999]'],
    ['a day', 'day:2024-01-02', 'day:[1704153600000 TO 1704239999999]'],
    ['relative dates', 'day:[now-1d/d TO *]', 'day:[1715644800000 TO *]'],
    ['what exists', '_exists_:title', 'exists(title)'],
    ['what exists, in quotes', '_exists_:"title"', 'exists(title)'],
    ['what exists of an object', '_exists_:book', 'constant(exists(book.title) exists(book.genre))'],
    ['a star is what exists', 'amount:*', 'exists(amount)'],
    ['the id of a document', '_id:7', 'ids(7)'],
  ])('%s: %s', (_, text, shown) => {
    expect(readText(text)).toBe(shown);
  });
});

describe('words of a keyword are one term up to', () => {
  it.each([
    ['a star', 'tags:(a b c *)', 'tags:a b tags:c exists(tags)'],
    ['a misspelt word', 'tags:(a b abc~1)', 'tags:a b tags:abc~1'],
    ['a word with a boost', 'tags:(a b c^2)', 'tags:a b tags:c^2'],
    ['a word that is tied by AND', 'tags:(a b c AND d)', '+tags:c +tags:d tags:a b'],
    ['a word that is tied by OR', 'tags:(a b c OR d)', 'tags:a b tags:c tags:d'],
    ['a field', 'tags:(a b f:c)', 'tags:a b f:c'],
    ['a sign', 'tags:(a b NOT c)', 'tags:a b -tags:c'],
    ['a phrase', 'tags:(a b "c d")', 'tags:a b tags:c d'],
    ['a pattern', 'tags:(a b c*)', 'tags:a b tags:c*'],
  ])('%s', (_, text, shown) => {
    expect(readText(text)).toBe(shown);
  });
});

describe('patterns', () => {
  it.each([
    ['are in small letters on text', 'title:Germ*', 'title:germ*'],
    ['stay as they are on keywords', 'tags:Germ*', 'tags:Germ*'],
    ['so do wildcards', 'tags:G?rm*y', 'tags:G?rm*y'],
    ['an escaped sign is no wildcard', 'tags:a\\?b?', 'tags:a\\?b?'],
    ['expressions too', 'tags:/Ab+/', 'tags:/Ab+/'],
    ['a misspelt word is in small letters on text', 'Quikc~', 'quikc~1'],
    ['and as it is on keywords', 'tags:Quikc~', 'tags:Quikc~1'],
    [
      'no pattern on numbers',
      'amount:1*',
      'error: Can only use prefix queries on keyword and text fields - not on [amount] which is of type [integer]',
    ],
  ])('%s: %s', (_, text, shown) => {
    expect(readText(text)).toBe(shown);
  });

  it('an expression that is too long or none is refused', () => {
    expect(readText(`/${'a'.repeat(1001)}/`)).toMatch(
      /^error: failed to create query: The length of regex \[1001\]/,
    );
    expect(readText('/a(b/')).toMatch(/^error: failed to create query: /);
  });
});

describe('no field is named', () => {
  const everywhere = (query: string, options = {}): string => read({ query_string: { query, ...options } });

  it('all fields are asked, the best counts, and what does not fit is overlooked', () => {
    const shown = everywhere('fox');
    expect(shown).toMatch(/^best\(fox \| e:fox \| f:fox \| title:fox \| title\.exact:fox \| tags:fox \| /);
    expect(shown).not.toMatch(/amount|people|hidden|picture|error/);
  });

  it('a number is looked for in numbers as well', () => {
    expect(everywhere('5')).toMatch(/ \| amount:5 \| level:5 \| big:5 \| ratio:5 \| share:5 \| /);
  });

  it('default_field * is the same', () => {
    expect(everywhere('fox', { default_field: '*' })).toBe(everywhere('fox'));
  });

  it('what does not fit is told where lenient is false', () => {
    expect(everywhere('fox', { lenient: false })).toMatch(/^error: /);
  });

  it('a star is everything', () => {
    expect(everywhere('*')).toBe('*:*');
  });

  it('inside a nested object its own fields are asked', () => {
    expect(read({ nested: { path: 'people', query: { query_string: { query: 'ann' } } } })).toBe(
      'people.avg(best(people.name:ann | people.name.exact:ann))',
    );
  });
});

describe('several fields', () => {
  const inFields = (query: string, fields: readonly string[], options = {}): string =>
    read({ query_string: { query, fields, ...options } });

  it.each([
    ['the best counts', 'fox', ['d', 'e^2'], 'best(fox | e:fox^2)'],
    ['words are tied within a field', 'a b', ['d', 'e'], 'best(a b | e:a e:b)'],
    ['operators are tied across fields', 'a AND b', ['d', 'e'], '+best(a | e:a) +best(b | e:b)'],
    ['a clause with a field is asked there', 'f:a b', ['d', 'e'], 'f:a best(b | e:b)'],
    ['phrases', '"a b"~1', ['d', 'e'], 'best("a b"~1 | e:"a b"~1)'],
    ['patterns', 'a*', ['d', 'tags'], 'best(a* | tags:a*)'],
    ['ranges', '[a TO b]', ['d', 'tags'], 'best([a TO b] | tags:[a TO b])'],
    ['a star asks each', '*', ['d', 'e'], 'best(exists(d) | exists(e))'],
    ['a comparison is a text without a field', '>a', ['d', 'e'], 'best(a | e:a)'],
    ['a pattern of names', 'a', ['book.*'], 'best(book.title:a | book.genre:a)'],
    ['none of them is mapped', 'a', ['nope'], 'nothing'],
    [
      'what does not fit is told',
      'fox',
      ['d', 'amount'],
      'error: failed to create query: For input string: "fox"',
    ],
  ])('%s', (_, text, fields, shown) => {
    expect(inFields(text, fields)).toBe(shown);
  });

  it('a tie breaker, a type and a suffix for phrases', () => {
    expect(inFields('a', ['d', 'e'], { tie_breaker: 0.5 })).toBe('best(a | e:a)+0.5');
    expect(inFields('a b', ['d', 'e'], { type: 'most_fields' })).toBe('best(a b | e:a e:b)+1');
    expect(inFields('a b', ['d', 'e'], { type: 'phrase' })).toBe('best("a b" | e:"a b")');
    expect(inFields('x "A b"', ['title', 'e'], { quote_field_suffix: '.exact' })).toBe(
      'best(title:x | e:x) best(title.exact:A b | e:"a b")',
    );
  });

  it('no other field beside them', () => {
    expect(inFields('a', ['d'], { default_field: 'e' })).toBe(
      'error: failed to create query: Validation Failed: 1: cannot use [fields] parameter in conjunction with [default_field];',
    );
  });
});

describe('options', () => {
  it.each([
    ['an empty text matches nothing', '', {}, 'nothing'],
    ['so does a blank one', ' \t ', {}, 'nothing'],
    ['how many have to match', 'a b c', { minimum_should_match: 2 }, '(a b c)~2'],
    ['of those that may', '+a b c', { minimum_should_match: '100%' }, '(+a b c)~2'],
    ['a boost', 'a b', { boost: 2 }, '(a b)^2'],
    ['the slop of phrases', '"a b"', { phrase_slop: 3 }, '"a b"~3'],
    ['which a phrase may set itself', '"a b"~1', { phrase_slop: 3 }, '"a b"~1'],
    ['what a tilde means', 'abc~', { fuzziness: 2 }, 'abc~2'],
    [
      'how misspelt words are looked for',
      'abc~',
      { fuzzy_prefix_length: 1, fuzzy_max_expansions: 5, fuzzy_transpositions: false },
      'abc~1{prefix 1, 5 terms, no swaps}',
    ],
    ['a prefix that is analysed', 'w-X*', { analyze_wildcard: true }, 'w x*'],
    ['all of whose words are needed', 'w-X*', { analyze_wildcard: true, default_operator: 'and' }, '+w +x*'],
    [
      'no pattern that begins with a wildcard',
      '*a',
      { allow_leading_wildcard: false },
      'error: Failed to parse query [*a]',
    ],
    ['signs that mean nothing', 'a:(b', { escape: true }, 'a b'],
    ['a zone', 'day:2024-01-02', { time_zone: '+01:00' }, 'day:[1704150000000 TO 1704236399999]'],
    ['a place', 'day:2024-07-02', { time_zone: 'Asia/Kolkata' }, 'day:[1719858600000 TO 1719944999999]'],
    ['lenience', 'amount:five a', { lenient: true }, 'nothing a'],
    ['what does not change an answer', 'a', { rewrite: 'x', max_determinized_states: 5, _name: 'y' }, 'a'],
    [
      'an option that is none',
      'a',
      { fuzzyness: 1 },
      'error: [query_string] query does not support [fuzzyness]',
    ],
    [
      'an operator that is none',
      'a',
      { default_operator: 'xor' },
      'error: [query_string] unknown default_operator [xor], expected [and] or [or]',
    ],
    [
      'a zone that is not known',
      'a',
      { time_zone: 'Mars' },
      `error: failed to create query: ${unknownZone('Mars')}`,
    ],
  ])('%s', (_, text, options, shown) => {
    expect(readText(text, options)).toBe(shown);
  });

  it('a text has to be there', () => {
    expect(read({ query_string: { default_field: 'd' } })).toBe(
      'error: [query_string] must be provided with a [query]',
    );
  });
});
