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

/** Clauses on the text, keyword and number fields of one level of nesting. */
function leafQuery(
  prefix: string,
  texts: readonly string[],
  keywords: readonly string[],
): fc.Arbitrary<Query> {
  const number = `${prefix}number`;
  const field = fc.constantFrom(...[...texts, ...keywords].map((name) => prefix + name));
  const start = fc.constantFrom('', 'a', 'ab', 'b', 'é', '𝒳');
  const caseInsensitive = fc.boolean();
  const clauses: fc.Arbitrary<Query>[] = [
    fc.record({ kind: fc.constant('all'), boost }),
    fc.record({ kind: fc.constant('term'), field, value: word, boost }),
    fc.record({ kind: fc.constant('term'), field: fc.constant(number), value: small, boost }),
    fc.record({
      kind: fc.constant('terms'),
      field,
      values: fc.array(word, { minLength: 1, maxLength: 4 }),
      boost,
    }),
    fc.record({
      kind: fc.constant('terms'),
      field: fc.constant(number),
      values: fc.array(small, { minLength: 1 }),
      boost,
    }),
    fc.record({ kind: fc.constant('exists'), field: fc.oneof(field, fc.constant(number)), boost }),
    fc
      .record({ bounds: bounds(small), boost })
      .map((range): Query => ({ kind: 'range', field: number, ...range.bounds, boost: range.boost })),
    fc
      .record({ field, bounds: bounds(fc.constantFrom('', 'a', 'ab', 'b', 'bb', 'z')), boost })
      .map((range): Query => ({ kind: 'range', field: range.field, ...range.bounds, boost: range.boost })),
    fc.record({ kind: fc.constant('prefix'), field, value: start, caseInsensitive, boost }),
    fc.record({
      kind: fc.constant('wildcard'),
      field,
      pattern: fc.constantFrom('*', 'a*', '*b', '?', 'a?c', '*a*', 'ab', 'A*'),
      caseInsensitive,
      boost,
    }),
    fc.record({
      kind: fc.constant('regexp'),
      field,
      pattern: fc.constantFrom('a.*', '(a|b)+', 'a?b?', '[^a]+', 'c{1,2}a?b?'),
      caseInsensitive: fc.constant(false),
      boost,
    }),
    fc.record({
      kind: fc.constant('fuzzy'),
      field,
      value: fc.constantFrom('abc', 'bac', 'ab', 'axb'),
      maxEdits: fc.constantFrom(1, 2),
      prefixLength: fc.constantFrom(0, 0, 1),
      maxExpansions: fc.constantFrom(50, 2),
      transpositions: fc.boolean(),
      boost,
    }),
  ];
  for (const name of texts) {
    const phrase = fc.record({
      list: fc.array(fc.record({ term: commonWord, gap: fc.constantFrom(1, 1, 1, 2) }), {
        minLength: 2,
        maxLength: 3,
      }),
      prefix: fc.boolean(),
      boost,
    });
    const withPositions = (list: readonly { term: string; gap: number }[]) =>
      list.map(({ term }, at) => ({
        term,
        position: list.slice(1, at + 1).reduce((sum, { gap }) => sum + gap, 0),
      }));
    clauses.push(
      phrase.map(
        (parts): Query => ({
          kind: 'phrase',
          field: prefix + name,
          terms: withPositions(parts.list),
          slop: 0,
          prefix: parts.prefix,
          boost: parts.boost,
        }),
      ),
      fc.record({ term: start, maxExpansions: fc.constantFrom(1, 50), boost }).map(
        (parts): Query => ({
          kind: 'phrase',
          field: prefix + name,
          terms: [{ term: parts.term, position: 0 }],
          slop: 0,
          prefix: true,
          maxExpansions: parts.maxExpansions,
          boost: parts.boost,
        }),
      ),
      // Different words only: golden queries test how often Lucene counts a sloppy phrase.
      fc
        .record({
          list: fc.uniqueArray(word, { minLength: 2, maxLength: 3 }),
          slop: fc.integer({ min: 1, max: 6 }),
        })
        .map(
          ({ list, slop }): Query => ({
            kind: 'constant',
            query: {
              kind: 'phrase',
              field: prefix + name,
              terms: list.map((term, position) => ({ term, position })),
              slop,
              prefix: false,
              boost: 1,
            },
            boost: 1,
          }),
        ),
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
        fc.record({ kind: fc.constant('constant'), query: tie('query'), boost }),
        fc.record({
          kind: fc.constant('disMax'),
          queries: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
          tieBreaker: fc.constantFrom(0, 0.3, 1),
          boost,
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
const otherQuery: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant('ids'),
    values: fc.array(fc.integer({ min: 1, max: 9 }).map(String), { maxLength: 4 }),
    boost,
  }),
  fc.record({ kind: fc.constant('term'), field: fc.constant('flag'), value: fc.boolean(), boost }),
  fc
    .record({ bounds: bounds(long.map(BigInt)), boost })
    .map((range): Query => ({ kind: 'range', field: 'long', ...range.bounds, boost: range.boost })),
  fc
    .record({ bounds: bounds(day.map((date) => Date.parse(date))), boost })
    .map((range): Query => ({ kind: 'range', field: 'day', ...range.bounds, boost: range.boost })),
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
    { numRuns: 40 },
  );
}, 60_000);
