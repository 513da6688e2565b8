// Filters: the words inside them, what each becomes, and what is wrong with them, named.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { familyNames, filters, indexFields } from '../../../shared/families/registry.ts';
import { ExpressionError, parseExpression } from '../../../shared/query/filter-expressions.ts';
import { createParseContext } from '../../../worker/sandbox/api/queries.ts';
import { compileFilters } from '../../../worker/sandbox/search/filters/compile.ts';
import { parseQuery } from '../../../worker/sandbox/search/parse/index.ts';

const words = (text: string) => ({ kind: 'words', text });

describe('the words of a filter', () => {
  it.each([
    ['a single word', 'Berlin', words('Berlin')],
    ['words beside each other, as one', 'Software Development', words('Software Development')],
    ['a phrase', '"New York"', { kind: 'phrase', text: 'New York' }],
    ['a trailing star', 'Soft*', { kind: 'prefix', text: 'Soft' }],
    ['words before a trailing star', 'Series A*', { kind: 'prefix', text: 'Series A' }],
    ['a star alone', '*', words('*')],
    ['AND', 'a AND b c', { kind: 'and', parts: [words('a'), words('b c')] }],
    [
      'OR, which binds less than AND',
      'a OR b AND c',
      { kind: 'or', parts: [words('a'), { kind: 'and', parts: [words('b'), words('c')] }] },
    ],
    [
      'groups',
      '(two words) OR (other words)',
      { kind: 'or', parts: [words('two words'), words('other words')] },
    ],
    [
      'groups in groups',
      'a AND (b OR (c AND "d e"))',
      {
        kind: 'and',
        parts: [
          words('a'),
          {
            kind: 'or',
            parts: [words('b'), { kind: 'and', parts: [words('c'), { kind: 'phrase', text: 'd e' }] }],
          },
        ],
      },
    ],
    [
      'words beside a phrase, both needed',
      'a "b c" d',
      { kind: 'and', parts: [words('a'), { kind: 'phrase', text: 'b c' }, words('d')] },
    ],
    ['small and and or, which are words', 'research and development', words('research and development')],
  ])('may be %s', (_, text, expected) => {
    expect(parseExpression(text)).toEqual(expected);
  });

  it.each([
    ['nothing', ''],
    ['an open bracket', '(a OR b'],
    ['a bracket that was never opened', 'a)'],
    ['an open quote', '"a'],
    ['an operator at the start', 'AND a'],
    ['an operator at the end', 'a OR'],
    ['two operators', 'a AND OR b'],
    ['an empty group', 'a ()'],
    ['too deep groups', `${'('.repeat(60)}a${')'.repeat(60)}`],
  ])('are refused where they are %s', (_, text) => {
    expect(() => parseExpression(text)).toThrow(ExpressionError);
  });

  it('are read or refused, whatever the text', () => {
    const text = fc.array(fc.constantFrom('a', 'b*', '"', '(', ')', 'AND', 'OR', '"x y"', ' '), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, (parts) => {
        try {
          parseExpression(parts.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});

const good: Record<string, unknown> = {
  text: 'a OR b',
  exact: 'x',
  host: 'https://www.acme.example/x',
  integer: 5,
  flag: true,
  datetime: '2024-02-29 10:00:00',
  date: '2024-02-29',
  month: '2024-02',
};

const bad: Record<string, unknown[]> = {
  text: ['', ' ', 5, ['a'], {}, '(a'],
  exact: [5, ''],
  host: ['', 'two words', 5],
  integer: ['x', 1.5, '', true, 1e300, []],
  flag: ['maybe', 2, {}],
  datetime: ['2024-02-30 10:00:00', '2024-02-29', 'yesterday', 5, '2024-02-29T10:00:00'],
  date: ['2024-13-01', '2024-02-29 10:00:00', 5],
  month: ['Feb', '2024-00', 5],
};

const cases = familyNames.flatMap((family) => filters[family].map((filter) => ({ family, filter })));

describe.each(cases)('$family: $filter.name', ({ family, filter }) => {
  it('searches fields that the index has', () => {
    const compiled = compileFilters(family, { [filter.name]: good[filter.type] });
    expect(compiled.ok).toBe(true);
    if (!compiled.ok) return;
    const tree = parseQuery(
      compiled.query,
      createParseContext(family, () => 0),
    );
    expect(JSON.stringify(tree)).not.toContain('"none"');
    for (const field of filter.fields) {
      expect(Object.keys(indexFields[family].properties)).toContain(field.split('.')[0]);
    }
  });

  it('refuses values of another kind, and says where', () => {
    for (const value of bad[filter.type] ?? []) {
      const compiled = compileFilters(family, { [filter.name]: value });
      expect(compiled).toMatchObject({ ok: false, issues: [{ loc: ['body', filter.name] }] });
    }
  });
});

describe('a filter object', () => {
  it('without filters asks for everything, and nulls count as not given', () => {
    expect(compileFilters('job_base', {})).toEqual({ ok: true, query: { match_all: {} } });
    expect(compileFilters('job_base', { title: null })).toEqual({ ok: true, query: { match_all: {} } });
  });

  it('with a name that nobody knows names the nearest known one', () => {
    expect(compileFilters('company_base', { industri: 'x', foundedYear: 1 })).toEqual({
      ok: false,
      issues: [
        { loc: ['body', 'industri'], msg: expect.stringContaining('"industry"'), type: 'value_error.extra' },
        {
          loc: ['body', 'foundedYear'],
          msg: expect.stringContaining('"founded_year'),
          type: 'value_error.extra',
        },
      ],
    });
  });

  it('finds the nearest name in whatever case', () => {
    expect(compileFilters('company_base', { INDUSTRY: 'x' })).toMatchObject({
      issues: [{ msg: expect.stringContaining('"industry"') }],
    });
  });

  it('asks filters about the same experience of one and the same', () => {
    const compiled = compileFilters('employee_base', {
      experience_title: 'CEO',
      active_experience: true,
      country: 'France',
    });
    expect(compiled).toMatchObject({
      query: {
        bool: {
          must: [
            { nested: { path: 'experience', query: { bool: { must: [{}, {}] } } } },
            { term: { country: { value: 'France', case_insensitive: true } } },
          ],
        },
      },
    });
  });
});
