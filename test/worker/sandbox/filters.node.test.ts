// Filters: their expressions, the clauses they compile to, and the search forms built on them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { familyNames, filters, indexFields } from '../../../shared/families/registry.ts';
import { ExpressionError, parseExpression } from '../../../shared/query/filter-expressions.ts';
import { type FormField, getFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import { createParseContext, parseDsl, parseFilters } from '../../../worker/sandbox/api/queries.ts';
import { compileFilters } from '../../../worker/sandbox/search/filters/compile.ts';
import { parseQuery } from '../../../worker/sandbox/search/parse/index.ts';

const now = (): number => Date.UTC(2026, 0, 1);
const words = (text: string) => ({ kind: 'words', text });
const phrase = (text: string) => ({ kind: 'phrase', text });
const and = (...parts: object[]) => ({ kind: 'and', parts });
const or = (...parts: object[]) => ({ kind: 'or', parts });

describe('an expression', () => {
  it.each([
    ['Berlin', words('Berlin')],
    ['Software Development', words('Software Development')],
    ['"New York"', phrase('New York')],
    ['Soft*', { kind: 'prefix', text: 'Soft' }],
    ['Series A*', { kind: 'prefix', text: 'Series A' }],
    ['*', words('*')],
    ['a AND b c', and(words('a'), words('b c'))],
    ['a OR b AND c', or(words('a'), and(words('b'), words('c')))],
    ['(two words) OR (other words)', or(words('two words'), words('other words'))],
    ['a AND (b OR (c AND "d e"))', and(words('a'), or(words('b'), and(words('c'), phrase('d e'))))],
    ['a "b c" d', and(words('a'), phrase('b c'), words('d'))],
    ['research and development', words('research and development')],
  ])('%s is parsed', (text, expected) => {
    expect(parseExpression(text)).toEqual(expected);
  });

  it.each([
    '',
    '(a OR b',
    'a)',
    '"a',
    'AND a',
    'a OR',
    'a AND OR b',
    'a ()',
    `${'('.repeat(60)}a${')'.repeat(60)}`,
  ])('%s is rejected', (text) => {
    expect(() => parseExpression(text)).toThrow(ExpressionError);
  });

  it('is parsed or rejected with an ExpressionError, whatever the text', () => {
    const piece = fc.constantFrom('a', 'b*', '"', '(', ')', 'AND', 'OR', '"x y"', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        try {
          parseExpression(parts.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});

const validValues: Record<string, unknown> = {
  text: 'a OR b',
  exact: 'x',
  host: 'https://www.acme.example/x',
  integer: 5,
  flag: true,
  datetime: '2024-02-29 10:00:00',
  date: '2024-02-29',
  month: '2024-02',
};

const invalidValues: Record<string, unknown[]> = {
  text: ['', ' ', 5, ['a'], {}, '(a'],
  exact: [5, ''],
  host: ['', 'two words', 5],
  integer: ['x', 1.5, '', true, 1e300, []],
  flag: ['maybe', 2, {}],
  datetime: ['2024-02-30 10:00:00', '2024-02-29', 'yesterday', 5, '2024-02-29T10:00:00'],
  date: ['2024-13-01', '2024-02-29 10:00:00', 5],
  month: ['Feb', '2024-00', 5],
};

it.each(familyNames)('every filter of %s searches indexed fields and rejects invalid values', (family) => {
  const indexed = Object.keys(indexFields[family].properties);
  for (const filter of filters[family]) {
    const compiled = compileFilters(family, { [filter.name]: validValues[filter.type] });
    if (!compiled.ok) throw new Error(`${filter.name} is rejected`);
    // An unknown field would match nothing.
    const parsed = JSON.stringify(parseQuery(compiled.query, createParseContext(family, now)));
    expect(parsed, filter.name).not.toContain('"none"');
    for (const field of filter.fields) expect(indexed).toContain(field.split('.')[0]);
    for (const value of invalidValues[filter.type] ?? []) {
      const rejected = compileFilters(family, { [filter.name]: value });
      expect(rejected).toMatchObject({ ok: false, issues: [{ loc: ['body', filter.name] }] });
    }
  }
});

describe('a filter object', () => {
  it.each([{}, { title: null }])('%j matches everything', (body) => {
    expect(compileFilters('job_base', body)).toEqual({ ok: true, query: { match_all: {} } });
  });

  it('with unknown names suggests the nearest ones, in any case', () => {
    const issue = (name: string, nearest: string) => ({
      loc: ['body', name],
      msg: expect.stringContaining(`"${nearest}`),
      type: 'value_error.extra',
    });
    expect(compileFilters('company_base', { industri: 'x', foundedYear: 1, INDUSTRY: 'x' })).toEqual({
      ok: false,
      issues: [
        issue('industri', 'industry"'),
        issue('foundedYear', 'founded_year'),
        issue('INDUSTRY', 'industry"'),
      ],
    });
  });

  it('combines filters on experiences in one nested clause', () => {
    const body = { experience_title: 'CEO', active_experience: true, country: 'France' };
    const experience = { nested: { path: 'experience', query: { bool: { must: [{}, {}] } } } };
    const country = { term: { country: { value: 'France', case_insensitive: true } } };
    expect(compileFilters('employee_base', body)).toMatchObject({
      query: { bool: { must: [experience, country] } },
    });
  });
});

const formValues: Readonly<Record<FormField['type'], string>> = {
  text: '"series A" OR bank*',
  exact: 'Series A',
  host: 'https://www.acme.example/about',
  integer: '50',
  flag: 'yes',
  datetime: '2026-01-31',
  date: '2026-01-31',
  month: '2026-01',
};

const formFields = familyNames.flatMap((family) =>
  getFormFields(family).map((field) => ({ family, name: field.name, field })),
);

it.each(formFields)('$family: the form field $name builds a valid query', ({ family, name, field }) => {
  const value = formValues[field.type];
  const built = buildFormQuery(family, [{ name, values: field.isRange ? [value, value] : [value] }]);
  expect(built.ok).toBe(true);
  if (!built.ok) return;
  const { query } = built;
  if ('filters' in query) {
    expect(filters[family]).not.toEqual([]);
    expect(() => parseFilters(family, query.filters, now)).not.toThrow();
    expect(Object.keys(query.filters)).toHaveLength(field.isRange ? 2 : 1);
  } else {
    // An unknown field would match nothing.
    expect(JSON.stringify(parseDsl(family, query.es_dsl, ['id'], now).query)).not.toContain('"none"');
  }
});
