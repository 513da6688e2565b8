// Clauses of clauses: which records they find, and how they make one score of several.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../../worker/provider/search/tree.ts';
import { all, bool, expectScores, indexOf, nested, none, type TestIndex, term } from './setup.ts';

let index: TestIndex;

beforeAll(async () => {
  index = await indexOf({
    1: { text: 'quick brown fox', keyword: ['red', 'blue'] },
    2: { text: 'quick quick dog', keyword: 'red' },
    3: { text: ['slow fox', 'red'], keyword: ['blue', 'green', 'red'] },
    4: { text: 'the quick brown fox jumps over the lazy dog' },
    5: { text: 'fox quick', keyword: 'green' },
    6: { keyword: 'red' },
  });
});

const found = (query: Query, scores: Readonly<Record<string, number>>): Promise<void> =>
  expectScores(index, query, scores);

describe('bool', () => {
  const [quick, fox, dog] = [term('text', 'quick'), term('text', 'fox'), term('text', 'dog')];

  it('adds what must and should clauses score, and nothing for filters', async () => {
    const [q, f] = await Promise.all([index.scores(quick), index.scores(fox)]);
    await found(bool({ must: [quick], should: [fox], filter: [dog] }), {
      2: q[2] ?? 0,
      4: (q[4] ?? 0) + (f[4] ?? 0),
    });
    await found(bool({ should: [quick, fox] }), {
      1: (q[1] ?? 0) + (f[1] ?? 0),
      2: q[2] ?? 0,
      3: f[3] ?? 0,
      4: (q[4] ?? 0) + (f[4] ?? 0),
      5: (q[5] ?? 0) + (f[5] ?? 0),
    });
  });

  it('with filters only, or with prohibitions only, scores 0', async () => {
    await found(bool({ filter: [dog] }), { 2: 0, 4: 0 });
    await found(bool({ mustNot: [fox] }), { 2: 0, 6: 0 });
  });

  it('heeds how many should clauses must match', async () => {
    const least = (minimumShouldMatch: number) => bool({ should: [quick, fox, dog], minimumShouldMatch });
    expect(await index.ids(least(2))).toEqual(['1', '2', '4', '5']);
    expect(await index.ids(least(3))).toEqual(['4']);
    expect(await index.ids(least(4))).toEqual([]);
    expect(await index.ids(bool({ must: [dog], should: [fox], minimumShouldMatch: 1 }))).toEqual(['4']);
  });

  it('passes its boost to its clauses', async () => {
    const [q] = await Promise.all([index.scores(quick)]);
    await found(bool({ must: [quick], filter: [dog], boost: 3 }), {
      2: 3 * (q[2] ?? 0),
      4: 3 * (q[4] ?? 0),
    });
  });

  it('finds nothing where a required clause does', () => found(bool({ must: [quick, none] }), {}));
});

describe('constant and disMax', () => {
  it('gives all hits the boost', () =>
    found({ kind: 'constant', query: term('text', 'dog'), boost: 4 }, { 2: 4, 4: 4 }));

  it('takes the best score and a share of the others', async () => {
    const queries = [term('text', 'quick'), term('keyword', 'red')];
    const [q, k] = await Promise.all(queries.map(index.scores));
    const mixed = (id: number) =>
      Math.max(q?.[id] ?? 0, k?.[id] ?? 0) + 0.5 * Math.min(q?.[id] ?? 0, k?.[id] ?? 0);
    await found(
      { kind: 'disMax', queries, tieBreaker: 0.5, boost: 1 },
      Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [id, mixed(id)])),
    );
  });
});

describe('nested', () => {
  let families: TestIndex;
  beforeAll(async () => {
    families = await indexOf({
      1: {
        child: [
          {
            text: 'a b',
            keyword: 'x',
            number: 1,
            grandchild: [
              { keyword: 'g', number: 1 },
              { keyword: 'h', number: 2 },
            ],
          },
          { text: 'a a a', keyword: 'y', number: 2, grandchild: { keyword: 'g', number: 2 } },
        ],
      },
      2: { child: { text: 'b', keyword: 'y', number: 1 } },
      3: { text: 'a' },
    });
  });

  it('asks all conditions of one object', async () => {
    const both = bool({ must: [term('child.keyword', 'x'), term('child.number', 2)] });
    expect(await families.ids(nested('child', both))).toEqual([]);
    const apart = bool({
      must: [nested('child', term('child.keyword', 'x')), nested('child', term('child.number', 2))],
    });
    expect(await families.ids(apart)).toEqual(['1']);
  });

  it.each([
    ['sum', (a: number, b: number) => a + b],
    ['avg', (a: number, b: number) => (a + b) / 2],
    ['min', Math.min],
    ['max', Math.max],
    ['none', () => 0],
  ] as const)('makes one score of its objects: %s', async (mode, expected) => {
    const twice = await indexOf({ 1: { text: 'a b' }, 2: { text: 'a a a' }, 3: { text: 'b' } });
    const alone = await twice.scores(term('text', 'a'));
    const { 1: score } = await families.scores(nested('child', term('child.text', 'a'), mode));
    expect(score).toBeCloseTo(expected(alone[1] ?? 0, alone[2] ?? 0), 6);
  });

  it('reaches through objects in objects, one by one or at once', async () => {
    const grandchild = term('child.grandchild.keyword', 'h');
    expect(await families.ids(nested('child.grandchild', grandchild))).toEqual(['1']);
    const inside = bool({ must: [term('child.keyword', 'y'), nested('child.grandchild', grandchild)] });
    expect(await families.ids(nested('child', inside))).toEqual([]);
    expect(await families.ids(nested('child', nested('child.grandchild', grandchild)))).toEqual(['1']);
  });

  it('prohibits an object inside, all objects outside', async () => {
    const y = term('child.keyword', 'y');
    expect(await families.ids(nested('child', bool({ mustNot: [y] })))).toEqual(['1']);
    expect(await families.ids(bool({ mustNot: [nested('child', y)] }))).toEqual(['3']);
    expect(await families.ids(nested('child', all))).toEqual(['1', '2']);
  });

  it('sees no field of another level, and no path that is not below', async () => {
    expect(await families.ids(term('child.text', 'a'))).toEqual([]);
    expect(await families.ids(nested('child', term('text', 'a')))).toEqual([]);
    expect(await families.ids(nested('child', nested('child', all)))).toEqual([]);
    expect(await families.ids(nested('nowhere', all))).toEqual([]);
  });
});
