// Whatever records are put in and taken out, and whatever is asked: the engine finds and scores as the plain evaluator.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { bool, indexOf, nested, type Source } from './harness.ts';
import { PlainIndex } from './reference-index.ts';

const WORDS = ['a', 'b', 'c', 'ab', 'ba', 'abc', 'acb', 'cab', 'é', '𝒳a', '\uffffa'];
const word = fc.constantFrom(...WORDS);
/** Some words are frequent, so that phrases come more than once. */
const common = fc.oneof(word, fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b'));
const text = fc.array(common, { maxLength: 30 }).map((list) => list.join(' '));
const small = fc.integer({ min: -3, max: 3 });
const long = fc.constantFrom('5', '9007199254740993', '-9007199254740993', '9223372036854775807');
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2024-01-0${number}`);
const boost = fc.constantFrom(1, 1, 1, 0.5, 3);

/** A value, an explicit null, several values, or none at all. */
function given<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[] | null | undefined> {
  return fc.oneof(value, value, fc.constant(null), fc.array(value, { maxLength: 3 }), fc.constant(undefined));
}

function present(source: Source): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}

const grandchild = fc.record({ keyword: given(word), number: given(small) }).map(present);
const child = fc
  .record({
    text: given(text),
    keyword: given(word),
    number: given(small),
    grandchild: fc.array(grandchild, { maxLength: 3 }),
  })
  .map(present);
const source: fc.Arbitrary<Source> = fc
  .record({
    text: given(text),
    keyword: given(word),
    number: given(small),
    long: given(long),
    flag: given(fc.boolean()),
    day: given(day),
    place: fc.record({ city: given(word) }).map(present),
    child: fc.array(child, { maxLength: 4 }),
  })
  .map(present);

const end = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.record({ value, inclusive: fc.boolean() }), { nil: undefined });
const ends = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ lower: end(value), upper: end(value) }).map(({ lower, upper }) => ({
    ...(lower === undefined ? {} : { lower }),
    ...(upper === undefined ? {} : { upper }),
  }));

/** Clauses on one level: the texts, keywords and numbers that its objects have. */
function leaf(prefix: string, texts: readonly string[], keywords: readonly string[]): fc.Arbitrary<Query> {
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
      .record({ ends: ends(small), boost })
      .map((range): Query => ({ kind: 'range', field: number, ...range.ends, boost: range.boost })),
    fc
      .record({ field, ends: ends(fc.constantFrom('', 'a', 'ab', 'b', 'bb', 'z')), boost })
      .map((range): Query => ({ kind: 'range', field: range.field, ...range.ends, boost: range.boost })),
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
      list: fc.array(fc.record({ term: common, gap: fc.constantFrom(1, 1, 1, 2) }), {
        minLength: 2,
        maxLength: 3,
      }),
      prefix: fc.boolean(),
      boost,
    });
    const placed = (list: readonly { term: string; gap: number }[]) =>
      list.map(({ term }, at) => ({
        term,
        position: list.slice(1, at + 1).reduce((sum, { gap }) => sum + gap, 0),
      }));
    clauses.push(
      phrase.map(
        (one): Query => ({
          kind: 'phrase',
          field: prefix + name,
          terms: placed(one.list),
          slop: 0,
          prefix: one.prefix,
          boost: one.boost,
        }),
      ),
      fc.record({ term: start, maxExpansions: fc.constantFrom(1, 50), boost }).map(
        (one): Query => ({
          kind: 'phrase',
          field: prefix + name,
          terms: [{ term: one.term, position: 0 }],
          slop: 0,
          prefix: true,
          maxExpansions: one.maxExpansions,
          boost: one.boost,
        }),
      ),
      // Words that are all different: how often a sloppy phrase counts is Lucene's to say, and is tested by its numbers.
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

/** Clauses of clauses. */
function tree(leaves: fc.Arbitrary<Query>): fc.Arbitrary<Query> {
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
            least: fc.integer({ min: 0, max: 2 }),
            boost,
          })
          .map(({ least, ...parts }) =>
            bool(parts.should.length === 0 ? parts : { ...parts, minimumShouldMatch: least }),
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

const inGrandchild = tree(leaf('child.grandchild.', [], ['keyword']));
const reachGrandchild = fc
  .tuple(inGrandchild, scoreMode)
  .map(([query, mode]) => nested('child.grandchild', query, mode));
const inChild = tree(
  fc.oneof(leaf('child.', ['text'], ['keyword']), leaf('child.', ['text'], ['keyword']), reachGrandchild),
);
const reachChild = fc.tuple(inChild, scoreMode).map(([query, mode]) => nested('child', query, mode));
const others: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant('ids'),
    values: fc.array(fc.integer({ min: 1, max: 9 }).map(String), { maxLength: 4 }),
    boost,
  }),
  fc.record({ kind: fc.constant('term'), field: fc.constant('flag'), value: fc.boolean(), boost }),
  fc
    .record({ ends: ends(long.map(BigInt)), boost })
    .map((range): Query => ({ kind: 'range', field: 'long', ...range.ends, boost: range.boost })),
  fc
    .record({ ends: ends(day.map((date) => Date.parse(date))), boost })
    .map((range): Query => ({ kind: 'range', field: 'day', ...range.ends, boost: range.boost })),
);
const query = tree(
  fc.oneof(
    leaf('', ['text'], ['keyword', 'text.exact', 'place.city']),
    leaf('', ['text'], ['keyword']),
    others,
    reachChild,
    reachGrandchild,
  ),
);

const id = fc.integer({ min: 1, max: 9 }).map(String);
const change = fc.oneof(
  fc.record({ put: fc.array(fc.record({ id, source }), { minLength: 1, maxLength: 6 }) }),
  fc.record({ remove: fc.array(id, { minLength: 1, maxLength: 3 }) }),
);

it('the engine finds and scores as the plain evaluator does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      async (changes, queries) => {
        const index = await indexOf({});
        const records = new Map<string, Source>();
        for (const step of changes) {
          if ('put' in step) {
            await index.engine.put(index.name, step.put);
            for (const record of step.put) records.set(record.id, record.source);
          } else {
            await index.engine.remove(index.name, step.remove);
            for (const gone of step.remove) records.delete(gone);
          }
        }
        const plain = new PlainIndex(records);
        for (const asked of queries) {
          const expected = plain.scores(asked);
          const hits = await index.search(asked);
          expect(hits.map((hit) => hit.id).sort()).toEqual([...expected.keys()].sort());
          for (const hit of hits) {
            const score = expected.get(hit.id) ?? Number.NaN;
            expect(Math.abs((hit.score ?? Number.NaN) - score)).toBeLessThanOrEqual(
              1e-5 * Math.max(1, score),
            );
          }
          expect(await index.engine.count(index.name, asked)).toBe(expected.size);
        }
      },
    ),
    { numRuns: 100 },
  );
}, 120_000);
