// The parser returns a valid tree or throws a QueryError, for any input and in little time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listChildren } from '../../../../../worker/sandbox/search/engine/query/evaluation.ts';
import {
  MAX_CLAUSES,
  parseBody,
  parseQuery,
  QueryError,
} from '../../../../../worker/sandbox/search/parse/index.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { context, parseToText } from './harness.ts';

const split = (text: string): string[] => text.trim().split(/\s+/);

const clauseNames = split(`
  match_all match_none match match_phrase match_phrase_prefix match_bool_prefix multi_match query_string
  simple_query_string bool term terms range exists prefix wildcard regexp fuzzy ids nested constant_score dis_max
`);
const fields = split(`
  d title tags amount big share active day moment hidden picture people people.age book nope _id
`);
const options = split(`
  query value values fields field must should filter must_not minimum_should_match boost operator fuzziness path
  queries gte lt format time_zone flags type default_operator slop lenient max_expansions
`);
const scalars = fc.oneof(
  fc.constantFrom(
    'a b',
    '(a AND b) c*',
    '',
    ...split('now-1d/d 2024-01-02 AUTO 75% 3<-1 and people d^2 * true +01:00 1e400'),
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

/** Lists a query and all queries below it. */
function listQueries(query: Query): Query[] {
  return [query, ...listChildren(query).flatMap(listQueries)];
}

function expectQueryOrError(parse: () => Query): void {
  try {
    const queries = listQueries(parse()).filter(({ kind }) => kind !== 'none');
    // The parser adds match_all to bools with only must_not; these don't count.
    const leaves = queries.filter((query) => listChildren(query).length === 0 && query.kind !== 'bool');
    expect(leaves.length).toBeLessThanOrEqual(2 * MAX_CLAUSES);
    for (const query of queries)
      expect('boost' in query && query.boost).toSatisfy(
        (boost: number) => boost >= 0 && Number.isFinite(boost),
      );
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
  }
}

describe('the parser', () => {
  it('accepts or rejects any JSON as a body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ query: fc.jsonValue() })), (json) => {
        expectQueryOrError(() => parseBody(json, context).query);
      }),
      { numRuns: 200 },
    );
  });

  it('accepts or rejects any clauses with any options', () => {
    fc.assert(
      fc.property(clause, (json) => {
        expectQueryOrError(() => parseQuery(json, context));
      }),
      { numRuns: 500 },
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      ' TO ',
      ...split('a Foo AND OR NOT && || ! + - ( ) " * ? ~ ^ / [ ] { } : d: amount: day:'),
    ),
    fc.constantFrom(...split('people.age: _exists_: \\ \\u0041 > <= 5 now-1d')),
    fc.string({ maxLength: 3 }),
  );
  const queryText = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

  it('accepts or rejects any query string', () => {
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
      fc.property(queryText, anyOptions, (query, stringOptions) => {
        expectQueryOrError(() => parseQuery({ query_string: { query, ...stringOptions } }, context));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ...[
      '(',
      '()',
      '"',
      '\\"',
      '/',
      '/\\/',
      '[',
      '["a\\" TO ',
      'a* ',
      '*',
      '?',
      'a~',
      'a^2',
      '-',
      '-a ',
      'a + b | ',
    ],
    ...['(a ', '("a ', '\\', '1', ' ', '1<1% ', '\ud800'],
  ])('parses 15,000 characters of %j quickly', (unit) => {
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
      expect(typeof parseToText(query)).toBe('string');
    }
  });
});
