// Whatever is asked, the answer is a tree or a QueryError, at once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_CLAUSES,
  parseBody,
  parseQuery,
  QueryError,
} from '../../../../../worker/sandbox/search/parse/index.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { context, read } from './harness.ts';

const clauseNames = [
  'match_all',
  'match_none',
  'match',
  'match_phrase',
  'match_phrase_prefix',
  'match_bool_prefix',
  'multi_match',
  'query_string',
  'simple_query_string',
  'bool',
  'term',
  'terms',
  'range',
  'exists',
  'prefix',
  'wildcard',
  'regexp',
  'fuzzy',
  'ids',
  'nested',
  'constant_score',
  'dis_max',
] as const;

const fields = [
  'd',
  'title',
  'tags',
  'amount',
  'big',
  'share',
  'active',
  'day',
  'moment',
  'hidden',
  'picture',
  'people',
  'people.age',
  'book',
  'nope',
  '_id',
];
const options = [
  'query',
  'value',
  'values',
  'fields',
  'field',
  'must',
  'should',
  'filter',
  'must_not',
  'minimum_should_match',
  'boost',
  'operator',
  'fuzziness',
  'path',
  'queries',
  'gte',
  'lt',
  'format',
  'time_zone',
  'flags',
  'type',
  'default_operator',
  'slop',
  'lenient',
  'max_expansions',
];
const scalars = fc.oneof(
  fc.constantFrom(
    'a b',
    '(a AND b) c*',
    'now-1d/d',
    '2024-01-02',
    'AUTO',
    '75%',
    '3<-1',
    'and',
    'people',
    'd^2',
    '*',
    'true',
    '+01:00',
    '1e400',
    '',
  ),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

const { clause } = fc.letrec<{ clause: unknown; body: unknown; value: unknown }>((tie) => ({
  clause: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(fc.constantFrom(...clauseNames), tie('body')).map(([name, body]) => ({ [name]: body })),
    fc.tuple(fc.constantFrom(...clauseNames), scalars).map(([name, body]) => ({ [name]: body })),
  ),
  body: fc.dictionary(fc.constantFrom(...options, ...fields), tie('value'), { maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalars,
    tie('clause'),
    fc.array(fc.oneof(scalars, tie('clause')), { maxLength: 3 }),
    tie('body'),
  ),
}));

function leaves(query: Query): number {
  switch (query.kind) {
    case 'none':
      return 0;
    case 'bool':
      return [...query.must, ...query.should, ...query.filter, ...query.mustNot].reduce(
        (sum, one) => sum + leaves(one),
        0,
      );
    case 'disMax':
      return query.queries.reduce((sum, one) => sum + leaves(one), 0);
    case 'constant':
    case 'nested':
      return leaves(query.query);
    default:
      return 1;
  }
}

/** Every boost in a tree. */
function boosts(query: Query): number[] {
  if (query.kind === 'none') return [];
  const inner =
    query.kind === 'bool'
      ? [...query.must, ...query.should, ...query.filter, ...query.mustNot]
      : query.kind === 'disMax'
        ? query.queries
        : query.kind === 'constant' || query.kind === 'nested'
          ? [query.query]
          : [];
  return [query.boost, ...inner.flatMap(boosts)];
}

function expectTreeOrRefusal(ask: () => Query): void {
  try {
    const query = ask();
    // Stars that stand for everything are added where something is excluded; they cost nothing.
    expect(leaves(query)).toBeLessThanOrEqual(2 * MAX_CLAUSES);
    for (const boost of boosts(query))
      expect(boost).toSatisfy((one: number) => one >= 0 && Number.isFinite(one));
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
  }
}

describe('whatever is asked', () => {
  it('any JSON is a body or is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ query: fc.jsonValue() })), (json) => {
        expectTreeOrRefusal(() => parseBody(json, context).query);
      }),
      { numRuns: 500 },
    );
  });

  it('any clauses with any options are a tree or are refused', () => {
    fc.assert(
      fc.property(clause, (json) => {
        expectTreeOrRefusal(() => parseQuery(json, context));
      }),
      { numRuns: 3000 },
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'Foo',
      'AND',
      'OR',
      'NOT',
      '&&',
      '||',
      '!',
      '+',
      '-',
      '(',
      ')',
      ' ',
      '"',
      '*',
      '?',
      '~',
      '^',
      '/',
      '[',
      ']',
      '{',
      '}',
      ' TO ',
      ':',
      'd:',
      'amount:',
      'day:',
      'people.age:',
      '_exists_:',
      '\\',
      '\\u0041',
      '>',
      '<=',
      '5',
      'now-1d',
    ),
    fc.string({ maxLength: 3 }),
  );
  const queryText = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

  it('any query string is a tree or is refused', () => {
    const anyOptions = fc.record(
      {
        default_field: fc.constantFrom('d', 'amount', '*', 'nope'),
        default_operator: fc.constantFrom('and', 'or'),
        lenient: fc.boolean(),
        analyze_wildcard: fc.boolean(),
        minimum_should_match: fc.constantFrom('2', '-1', '50%', '2<75%'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(queryText, anyOptions, (query, given) => {
        expectTreeOrRefusal(() => parseQuery({ query_string: { query, ...given } }, context));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['parentheses', '('],
    ['closed parentheses', '()'],
    ['quotes', '"'],
    ['escaped quotes', '\\"'],
    ['slashes', '/'],
    ['escaped slashes', '/\\/'],
    ['brackets', '['],
    ['ranges', '["a\\" TO '],
    ['stars', 'a* '],
    ['stars in a row', '*'],
    ['question marks', '?'],
    ['tildes', 'a~'],
    ['carets', 'a^2'],
    ['minus signs', '-'],
    ['minus signs and words', '-a '],
    ['alternating operators', 'a + b | '],
    ['groups that are left open', '(a '],
    ['quotes in groups', '("a '],
    ['backslashes', '\\'],
    ['digits', '1'],
    ['spaces', ' '],
    ['percent signs', '1<1% '],
    ['surrogates', '\ud800'],
  ])('15,000 characters of %s are read at once', (_, unit) => {
    const text = unit.repeat(Math.ceil(15_000 / unit.length)).slice(0, 15_000);
    for (const query of [
      { query_string: { query: text, default_field: 'd' } },
      { query_string: { query: text } },
      { simple_query_string: { query: text, fields: ['d'] } },
      { match: { d: text } },
      { match: { d: { query: 'a b', minimum_should_match: text } } },
      { match: { d: { query: 'a b', fuzziness: text } } },
      { multi_match: { query: 'a', fields: [text] } },
      { wildcard: { d: text } },
      { term: { amount: text } },
      { range: { moment: { gte: text, format: text } } },
      { range: { moment: { gte: `now${text}`, time_zone: text } } },
      { exists: { field: text } },
    ]) {
      expect(typeof read(query)).toBe('string');
    }
  });
});
