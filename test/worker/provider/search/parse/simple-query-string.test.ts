// simple_query_string: every text is a query.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read } from './harness.ts';

function readText(query: string, options: Readonly<Record<string, unknown>> = {}): string {
  return read({ simple_query_string: { query, fields: ['d'], ...options } });
}

describe('the simple language', () => {
  it.each([
    ['', 'nothing'],
    ['   ', 'nothing'],
    ['*', '*:*'],
    ['a', 'a'],
    ['a b', 'a b'],
    ['a + b', '+a +b'],
    ['a | b', 'a b'],
    ['a + b | c', '(+a +b) c'],
    ['a | b + c', '+(a b) +c'],
    ['a b + c', '+(a b) +c'],
    ['a + (b | c)', '+a +(b c)'],
    ['-a', '*:* -a'],
    ['--a', 'a'],
    ['- a', 'a'],
    ['a -b', 'a (*:* -b)'],
    ['a + -b', '+a +(*:* -b)'],
    ['-(a b)', '*:* -(a b)'],
    ['"a b"', '"a b"'],
    ['"a b"~2', '"a b"~2'],
    ['"a b"~', '"a b"'],
    ['"a', 'a'],
    ['""', 'nothing'],
    ['a + "" b', 'a b'],
    ['(a', 'a'],
    ['a)', 'a'],
    ['()', 'nothing'],
    ['((a))', 'a'],
    ['a*', 'a*'],
    ['A*', 'a*'],
    ['a*b', 'a b'],
    ['a\\*', 'a'],
    ['a\\+b', 'a b'],
    ['\\-a', 'a'],
    ['abc~1', 'abc~1'],
    ['abc~2', 'abc~2'],
    ['abc~9', 'abc~2'],
    ['abc~', 'abc~2'],
    ['abc~0', 'abc'],
    ['abc~x', 'abc'],
    ['w-x', 'w x'],
    ['+a', 'a'],
    ['| a', 'a'],
    ['a + + b', '+a +b'],
    ['a + | b', '+a +b'],
    ['a | + b', 'a b'],
    ['ab*\\c', 'ab c'],
    ['...', 'nothing'],
    ['a ... + b', '+a +b'],
  ])('%s is %s', (text, shown) => {
    expect(readText(text)).toBe(shown);
  });

  it.each([
    ['all words are needed', 'a b', { default_operator: 'and' }, '+a +b'],
    ['fields add up', 'a', { fields: ['d', 'e^2'] }, 'best(a | e:a^2)+1'],
    ['of phrases the best counts', '"a b"', { fields: ['d', 'e'] }, 'best("a b" | e:"a b")'],
    ['prefixes add up', 'a*', { fields: ['d', 'tags'] }, 'best(a* | tags:a*)+1'],
    ['how many have to match', 'a b c', { minimum_should_match: 2, boost: 2 }, '(a b c)~2^2'],
    ['a prefix that is analysed', 'w-x*', { analyze_wildcard: true }, 'w x*'],
    ['no signs', 'a + (b)', { flags: 'NONE' }, 'a b'],
    ['some signs', 'a + b | c', { flags: 'OR|WHITESPACE' }, 'a b c'],
    ['a number of signs', 'a + b', { flags: 1 }, '+a +b'],
    [
      'a phrase in a field of its own',
      '"A b"',
      { fields: ['title'], quote_field_suffix: '.exact' },
      'title.exact:A b',
    ],
    [
      'what does not fit is told',
      'five',
      { fields: ['d', 'amount'] },
      'error: failed to create query: For input string: "five"',
    ],
    ['or overlooked', 'five', { fields: ['d', 'amount'], lenient: true }, 'five'],
    ['a sign that is none', 'a', { flags: 'SOME' }, 'error: Unknown simple_query_string flag [SOME]'],
    [
      'an option that is none',
      'a',
      { operator: 'and' },
      'error: [simple_query_string] unsupported field [operator]',
    ],
  ])('%s', (_, text, options, shown) => {
    expect(readText(text, options)).toBe(shown);
  });

  it('all fields are asked where none is named, and what does not fit is overlooked', () => {
    expect(read({ simple_query_string: { query: 'five' } })).toMatch(/^best\(five \| e:five \| /);
  });

  it('a text has to be there', () => {
    expect(read({ simple_query_string: { fields: ['d'] } })).toBe(
      'error: [simple_query_string] query text missing',
    );
  });

  it('any text is a query', () => {
    const piece = fc.constantFrom(...'ab+-|()"*~1 \\.');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: piece, maxLength: 40 })), (text) => {
        expect(readText(text)).not.toMatch(/^error/);
      }),
      { numRuns: 2000 },
    );
  });
});
