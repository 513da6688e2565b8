// The limits of a query, and the messages about unknown clauses.
import { describe, expect, it } from 'vitest';
import { MAX_CLAUSES, MAX_DEPTH } from '../../../../../worker/sandbox/search/parse/index.ts';
import { parseToText } from './harness.ts';

const TOO_MANY = `error: failed to create query: maxClauseCount is set to ${MAX_CLAUSES}`;
const TOO_DEEP = `error: failed to create query: clauses are nested deeper than the maximum of [${MAX_DEPTH}]`;
const countTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const buildWords = (count: number): string =>
  countTo(count)
    .map((at) => `w${at}`)
    .join(' ');
const buildGroups = (count: number): string => `${'('.repeat(count)}a${')'.repeat(count)}`;
const queryString = (query: string): object => ({ query_string: { query, default_field: 'd' } });
const simpleQuery = (query: string): object => ({ simple_query_string: { query, fields: ['d'] } });

it.each([
  [5, '[_na] query malformed, must start with start_object'],
  [{ constructor: {} }, 'unknown query [constructor]'],
  [JSON.parse('{"__proto__": {}}'), 'unknown query [__proto__]'],
  [{ script: { script: 'x' } }, 'query [script] is not supported: scripts are not supported'],
  [{ function_score: {} }, 'query [function_score] is not supported: custom scoring is not supported'],
  [{ knn: {} }, 'query [knn] is not supported: no field has the type dense_vector or sparse_vector'],
])('rejects %j: %s', (json, message) => {
  expect(parseToText(json)).toBe(`error: ${message}`);
});

it.each([
  ['Regexp Query request', (pattern: string) => ({ regexp: { d: pattern } })],
  ['[query_string]', (pattern: string) => queryString(`/${pattern}/`)],
])('limits the length of a regular expression in the %s', (where, build) => {
  expect(parseToText(build('a'.repeat(1000)))).not.toMatch(/^error/);
  const message = `error: failed to create query: The length of regex [1001] used in the ${where} has exceeded`;
  expect(parseToText(build('a'.repeat(1001)))).toContain(message);
});

describe('the number of clauses', () => {
  it.each<[string, (count: number) => object]>([
    ['terms of a text', (count) => ({ match: { d: buildWords(count) } })],
    ['words of a query string', (count) => queryString(buildWords(count))],
    ['words of a simple query string', (count) => simpleQuery(buildWords(count))],
    [
      'clauses of a bool',
      (count) => ({ bool: { should: countTo(count).map((at) => ({ term: { d: at } })) } }),
    ],
    ['dates', (count) => ({ terms: { moment: countTo(count) } })],
    [
      'terms in each field',
      (count) => ({ multi_match: { query: buildWords(Math.ceil(count / 2)), fields: ['d', 'e'] } }),
    ],
  ])('includes %s', (_, build) => {
    expect(parseToText(build(MAX_CLAUSES))).not.toMatch(/^error/);
    expect(parseToText(build(MAX_CLAUSES + 1))).toBe(TOO_MANY);
  });

  it('is limited also if the query is lenient', () => {
    const query = { query: buildWords(MAX_CLAUSES), fields: ['d', 'e'], lenient: true };
    expect(parseToText({ query_string: query })).toBe(TOO_MANY);
  });

  it('counts the values of a terms clause and the words of a phrase as one', () => {
    expect(parseToText({ terms: { tags: countTo(5000) } })).toMatch(/^tags:in\(/);
    expect(parseToText({ match_phrase: { d: buildWords(5000) } })).toMatch(/^"w0 w1 /);
    expect(parseToText({ terms: { tags: countTo(65_537) } })).toContain('The number of terms [65537]');
  });
});

describe('the depth of nesting', () => {
  const nest = (depth: number, inner: object): object =>
    countTo(depth).reduce<object>((query) => ({ bool: { must: [query] } }), inner);

  it.each<[string, (depth: number) => object]>([
    ['clauses', (depth) => nest(depth - 1, { match_all: {} })],
    ['groups of a query string', (depth) => queryString(buildGroups(depth - 1))],
    ['groups of a nested query string', (depth) => nest(50, queryString(buildGroups(depth - 51)))],
    ['groups of a simple query string', (depth) => simpleQuery(buildGroups(depth - 1))],
  ])('includes %s', (_, build) => {
    expect(parseToText(build(MAX_DEPTH))).not.toMatch(/^error/);
    expect(parseToText(build(MAX_DEPTH + 1))).toBe(TOO_DEEP);
  });

  it('includes alternating operators of a simple query string', () => {
    expect(parseToText(simpleQuery('a + b | '.repeat(200)))).toBe(TOO_DEEP);
  });
});
