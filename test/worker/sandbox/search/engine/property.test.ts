// The engine finds and scores like the reference index, for any records, changes and queries.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { bool, createTestIndex, nested, type Source } from './harness.ts';
import { ReferenceIndex } from './reference-index.ts';

const WORDS = ['a', 'b', 'c', 'ab', 'ba', 'abc', 'acb', 'cab', 'é', '𝒳a', '\uffffa'];
const word = fc.constantFrom(...WORDS);
/** Frequent words, so that phrases occur more than once. */
const commonWord = fc.oneof(word, fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b'));
const text = fc.array(commonWord, { maxLength: 30 }).map((list) => list.join(' '));
const small = fc.integer({ min: -3, max: 3 });
const long = fc.constantFrom('5', '9007199254740993', '-9007199254740993', '9223372036854775807');
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2024-01-0${number}`);
const boost = fc.constantFrom(1, 1, 1, 0.5, 3);

/** A value, an explicit null, several values, or none. */
function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[] | null | undefined> {
  return fc.oneof(value, value, fc.constant(null), fc.array(value, { maxLength: 3 }), fc.constant(undefined));
}

function removeUndefined(source: Source): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}

const grandchild = fc.record({ keyword: optional(word), number: optional(small) }).map(removeUndefined);
const child = fc
  .record({
    text: optional(text),
    keyword: optional(word),
    number: optional(small),
    grandchild: fc.array(grandchild, { maxLength: 3 }),
  })
  .map(removeUndefined);
const source: fc.Arbitrary<Source> = fc
  .record({
    text: optional(text),
    keyword: optional(word),
    number: optional(small),
    long: optional(long),
    flag: optional(fc.boolean()),
    day: optional(day),
    place: fc.record({ city: optional(word) }).map(removeUndefined),
    child: fc.array(child, { maxLength: 4 }),
  })
  .map(removeUndefined);

const bound = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.record({ value, inclusive: fc.boolean() }), { nil: undefined });
const bounds = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ lower: bound(value), upper: bound(value) }).map(({ lower, upper }) => ({
    ...(lower === undefined ? {} : { lower }),
    ...(upper === undefined ? {} : { upper }),
  }));

/** Generates clauses of one kind. */
function clause(kind: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Query> {
  return fc.record({ kind: fc.constant(kind), ...fields, boost }) as fc.Arbitrary<Query>;
}

function rangeClause<T>(field: fc.Arbitrary<string>, value: fc.Arbitrary<T>): fc.Arbitrary<Query> {
  return fc
    .record({ field, range: bounds(value), boost })
    .map(({ range, ...fields }) => ({ kind: 'range', ...fields, ...range }) as Query);
}

/** Generates clauses on the text, keyword and number fields of one level of nesting. */
function leafQuery(
  prefix: string,
  texts: readonly string[],
  keywords: readonly string[],
): fc.Arbitrary<Query> {
  const number = fc.constant(`${prefix}number`);
  const field = fc.constantFrom(...[...texts, ...keywords].map((name) => prefix + name));
  const start = fc.constantFrom('', 'a', 'ab', 'b', 'é', '𝒳');
  const caseInsensitive = fc.boolean();
  const wildcard = fc.constantFrom('*', 'a*', '*b', '?', 'a?c', '*a*', 'ab', 'A*');
  const regexp = fc.constantFrom('a.*', '(a|b)+', 'a?b?', '[^a]+', 'c{1,2}a?b?');
  const clauses = [
    clause('all', {}),
    clause('term', { field, value: word }),
    clause('term', { field: number, value: small }),
    clause('terms', { field, values: fc.array(word, { minLength: 1, maxLength: 4 }) }),
    clause('terms', { field: number, values: fc.array(small, { minLength: 1 }) }),
    clause('exists', { field: fc.oneof(field, number) }),
    rangeClause(number, small),
    rangeClause(field, fc.constantFrom('', 'a', 'ab', 'b', 'bb', 'z')),
    clause('prefix', { field, value: start, caseInsensitive }),
    clause('wildcard', { field, pattern: wildcard, caseInsensitive }),
    clause('regexp', { field, pattern: regexp, caseInsensitive: fc.constant(false) }),
    clause('fuzzy', {
      field,
      value: fc.constantFrom('abc', 'bac', 'ab', 'axb'),
      maxEdits: fc.constantFrom(1, 2),
      prefixLength: fc.constantFrom(0, 0, 1),
      maxExpansions: fc.constantFrom(50, 2),
      transpositions: fc.boolean(),
    }),
  ];
  const withGaps = fc.array(fc.record({ term: commonWord, gap: fc.constantFrom(1, 1, 1, 2) }), {
    minLength: 2,
    maxLength: 3,
  });
  const phraseTerms = withGaps.map((list) =>
    list.map(({ term }, at) => ({
      term,
      position: list.slice(1, at + 1).reduce((sum, { gap }) => sum + gap, 0),
    })),
  );
  const differentTerms = fc
    .uniqueArray(word, { minLength: 2, maxLength: 3 })
    .map((list) => list.map((term, position) => ({ term, position })));
  for (const name of texts) {
    const [text, exact] = [fc.constant(prefix + name), fc.constant(0)];
    clauses.push(
      clause('phrase', { field: text, terms: phraseTerms, slop: exact, prefix: fc.boolean() }),
      clause('phrase', {
        field: text,
        terms: start.map((term) => [{ term, position: 0 }]),
        slop: exact,
        prefix: fc.constant(true),
        maxExpansions: fc.constantFrom(1, 50),
      }),
      // Different words and no score: golden queries test how often Lucene counts a sloppy phrase.
      clause('constant', {
        query: clause('phrase', {
          field: text,
          terms: differentTerms,
          slop: fc.integer({ min: 1, max: 6 }),
          prefix: fc.constant(false),
        }),
      }),
    );
  }
  return fc.oneof(...clauses);
}

const scoreMode = fc.constantFrom('avg', 'sum', 'min', 'max', 'none');

/** Compound clauses of the given leaves. */
function compoundQuery(leaves: fc.Arbitrary<Query>): fc.Arbitrary<Query> {
  const { query } = fc.letrec<{ query: Query }>((tie) => {
    const list = fc.array(tie('query'), { maxLength: 3 });
    return {
      query: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaves,
        fc
          .record({
            must: list,
            should: list,
            filter: list,
            mustNot: fc.array(tie('query'), { maxLength: 1 }),
            minimum: fc.integer({ min: 0, max: 2 }),
            boost,
          })
          .map(({ minimum, ...parts }) =>
            bool(parts.should.length === 0 ? parts : { ...parts, minimumShouldMatch: minimum }),
          ),
        clause('constant', { query: tie('query') }),
        clause('disMax', {
          queries: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
          tieBreaker: fc.constantFrom(0, 0.3, 1),
        }),
      ),
    };
  });
  return query;
}

const grandchildQuery = compoundQuery(leafQuery('child.grandchild.', [], ['keyword']));
const nestedGrandchild = fc
  .tuple(grandchildQuery, scoreMode)
  .map(([query, mode]) => nested('child.grandchild', query, mode));
const childQuery = compoundQuery(
  fc.oneof(
    leafQuery('child.', ['text'], ['keyword']),
    leafQuery('child.', ['text'], ['keyword']),
    nestedGrandchild,
  ),
);
const nestedChild = fc.tuple(childQuery, scoreMode).map(([query, mode]) => nested('child', query, mode));
const otherQuery = fc.oneof(
  clause('ids', { values: fc.array(fc.integer({ min: 1, max: 9 }).map(String), { maxLength: 4 }) }),
  clause('term', { field: fc.constant('flag'), value: fc.boolean() }),
  rangeClause(fc.constant('long'), long.map(BigInt)),
  rangeClause(
    fc.constant('day'),
    day.map((date) => Date.parse(date)),
  ),
);
const query = compoundQuery(
  fc.oneof(
    leafQuery('', ['text'], ['keyword', 'text.exact', 'place.city']),
    leafQuery('', ['text'], ['keyword']),
    otherQuery,
    nestedChild,
    nestedGrandchild,
  ),
);

const id = fc.integer({ min: 1, max: 9 }).map(String);
const change = fc.oneof(
  fc.record({ put: fc.array(fc.record({ id, source }), { minLength: 1, maxLength: 6 }) }),
  fc.record({ remove: fc.array(id, { minLength: 1, maxLength: 3 }) }),
);

it('finds and scores like the reference index', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.array(query, { minLength: 20, maxLength: 20 }),
      async (changes, queries) => {
        const { engine, name } = await createTestIndex({});
        const records = new Map<string, Source>();
        for (const step of changes) {
          if ('put' in step) {
            await engine.put(name, step.put);
            for (const record of step.put) records.set(record.id, record.source);
          } else {
            await engine.remove(name, step.remove);
            for (const removed of step.remove) records.delete(removed);
          }
        }
        const reference = new ReferenceIndex(records);
        await Promise.all(
          queries.map(async (query) => {
            const expected = reference.findScores(query);
            const { total, hits } = await engine.search(name, { query, size: 100 });
            expect(total).toBe(expected.size);
            expect(hits.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
            for (const { id, score } of hits) {
              const expectedScore = expected.get(id) ?? Number.NaN;
              const difference = Math.abs((score ?? Number.NaN) - expectedScore);
              expect(difference).toBeLessThanOrEqual(1e-5 * Math.max(1, expectedScore));
            }
          }),
        );
      },
    ),
    { numRuns: 8 },
  );
}, 60_000);
