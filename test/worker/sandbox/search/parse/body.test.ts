// The body of a search: what it may hold, how it is ordered, how large it may be.
import { describe, expect, it } from 'vitest';
import {
  MAX_CLAUSES,
  MAX_DEPTH,
  parseSort,
  QueryError,
} from '../../../../../worker/sandbox/search/parse/index.ts';
import { read } from './harness.ts';

function refusal(ask: () => unknown): QueryError {
  try {
    ask();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

it('an order of more than 32 keys is refused', () => {
  expect(refusal(() => parseSort(Array.from({ length: 33 }, () => 'a'))).message).toBe(
    'sort by more than [32] keys',
  );
});

describe('a query', () => {
  it.each([
    [5, '[_na] query malformed, must start with start_object'],
    [{ constructor: {} }, 'unknown query [constructor]'],
    [JSON.parse('{"__proto__": {}}'), 'unknown query [__proto__]'],
    [{ script: { script: 'x' } }, 'query [script] is not supported: scripts cannot run here'],
    [{ function_score: {} }, 'query [function_score] is not supported: scores are those of the text alone'],
    [{ knn: {} }, 'query [knn] is not supported: there are no fields with vectors'],
  ])('%j is refused: %s', (json, message) => {
    expect(read(json)).toBe(`error: ${message}`);
  });
});

const tooMany = `error: failed to create query: maxClauseCount is set to ${MAX_CLAUSES}`;
const tooDeep = `error: failed to create query: clauses are nested deeper than the maximum of [${MAX_DEPTH}]`;
const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

describe('how much is asked', () => {
  it.each([
    ['terms of a text', (count: number) => ({ match: { d: words(count) } })],
    [
      'words of a query string',
      (count: number) => ({ query_string: { query: words(count), default_field: 'd' } }),
    ],
    [
      'words of the simple language',
      (count: number) => ({ simple_query_string: { query: words(count), fields: ['d'] } }),
    ],
    [
      'clauses of a bool',
      (count: number) => ({
        bool: { should: Array.from({ length: count }, (_, at) => ({ term: { d: at } })) },
      }),
    ],
    ['dates', (count: number) => ({ terms: { moment: Array.from({ length: count }, (_, at) => at) } })],
  ])('%s are counted one by one', (_, query) => {
    expect(read(query(MAX_CLAUSES))).not.toMatch(/^error/);
    expect(read(query(MAX_CLAUSES + 1))).toBe(tooMany);
  });

  it('fields are counted one by one', () => {
    expect(read({ multi_match: { query: words(MAX_CLAUSES / 2), fields: ['d', 'e'] } })).not.toMatch(
      /^error/,
    );
    expect(read({ multi_match: { query: words(MAX_CLAUSES / 2), fields: ['d', 'e', 'f'] } })).toBe(tooMany);
  });

  it('lenience does not overlook that it is too much', () => {
    expect(read({ query_string: { query: words(MAX_CLAUSES), fields: ['d', 'e'], lenient: true } })).toBe(
      tooMany,
    );
  });

  it('the values of one terms clause are one clause, and so are the words of a phrase', () => {
    const values = Array.from({ length: 5000 }, (_, at) => at);
    expect(read({ terms: { tags: values } })).toMatch(/^tags:in\(/);
    expect(read({ match_phrase: { d: words(5000) } })).toMatch(/^"w0 w1 /);
    expect(read({ terms: { tags: Array.from({ length: 65_537 }, () => 1) } })).toMatch(
      /^error: failed to create query: The number of terms \[65537\]/,
    );
  });

  function nestedBools(depth: number, inner: unknown): unknown {
    let query = inner;
    for (let level = 0; level < depth; level += 1) query = { bool: { must: [query] } };
    return query;
  }

  it.each([
    ['clauses', (depth: number) => nestedBools(depth - 1, { match_all: {} })],
    [
      'groups of a query string',
      (depth: number) => ({
        query_string: { query: `${'('.repeat(depth - 1)}a${')'.repeat(depth - 1)}`, default_field: 'd' },
      }),
    ],
    [
      'groups in a query string that stands deep itself',
      (depth: number) =>
        nestedBools(50, {
          query_string: { query: `${'('.repeat(depth - 51)}a${')'.repeat(depth - 51)}`, default_field: 'd' },
        }),
    ],
    [
      'groups of the simple language',
      (depth: number) => ({
        simple_query_string: { query: `${'('.repeat(depth - 1)}a${')'.repeat(depth - 1)}`, fields: ['d'] },
      }),
    ],
  ])('%s stand in one another up to a limit', (_, query) => {
    expect(read(query(MAX_DEPTH))).not.toMatch(/^error/);
    expect(read(query(MAX_DEPTH + 1))).toBe(tooDeep);
  });

  it('operators of the simple language that change again and again are too deep as well', () => {
    expect(read({ simple_query_string: { query: 'a + b | '.repeat(200), fields: ['d'] } })).toBe(tooDeep);
  });
});
