// Records come, change and go; what is found and what it scores is always as if the index had just been made.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MappingConflictError } from '../../../../../worker/sandbox/search/engine/index/indexes.ts';
import { UnknownIndexError } from '../../../../../worker/sandbox/search/engine/index/writer.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import {
  all,
  bool,
  engineOn,
  fuzzy,
  indexOf,
  mapping,
  nested,
  phrase,
  type Source,
  type TestIndex,
  term,
  wildcard,
} from './harness.ts';
import { type Watch, watched } from './watched.ts';

const PROBES: readonly Query[] = [
  all,
  term('text', 'w1'),
  term('keyword', 'k1'),
  term('number', 3),
  phrase('text', 'w1 w2'),
  phrase('text', 'w1 w', 0, true),
  wildcard('text', '*3'),
  fuzzy('text', 'w12', 1),
  { kind: 'exists', field: 'number', boost: 1 },
  nested('child', term('child.text', 'w2'), 'sum'),
  nested('child.grandchild', term('child.grandchild.keyword', 'k1')),
  nested('child', bool({ mustNot: [term('child.text', 'w2')] })),
  bool({ mustNot: [term('keyword', 'k2')] }),
];

/** A record that depends on its number and version alone. */
function record(id: number, version: number): Source {
  const at = id * 7 + version * 3;
  const text = Array.from({ length: (at % 9) + 1 }, (_, word) => `w${(at * (word + 1)) % 13}`).join(' ');
  return {
    text,
    keyword: [`k${at % 3}`, `k${at % 4}`],
    number: at % 5,
    child: Array.from({ length: at % 3 }, (_, child) => ({
      text: `w${(at + child) % 4} w2`,
      grandchild: { keyword: `k${child}` },
    })),
  };
}

/** All that the probes find, with scores, in the order of ids. */
async function answers(index: TestIndex): Promise<unknown[]> {
  return Promise.all(
    PROBES.map(async (query) => {
      const hits = await index.search(query, { sort: [{ field: '_id', order: 'asc' }], scores: true });
      return hits.map(({ id, score }) => [id, score]);
    }),
  );
}

const rows = async (table: string, where = ''): Promise<number> =>
  (await env.SANDBOX_DB.prepare(`SELECT count(*) AS n FROM ${table} ${where}`).first<number>('n')) ?? 0;

describe('putting and removing', () => {
  it('leaves the same answers and scores as an index that never held the rest', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => at + 1);
    const index = await indexOf(Object.fromEntries(ids.map((id) => [id, record(id, 0)])));
    await index.engine.put(
      index.name,
      ids.filter((id) => id % 2 === 0).map((id) => ({ id: BigInt(id), source: record(id, 1) })),
    );
    await index.engine.remove(index.name, ['5', 6n, '7', 'never there']);
    await index.engine.put(index.name, [{ id: '6', source: record(6, 2) }]);
    const left = ids.filter((id) => id !== 5 && id !== 7);
    const version = (id: number): number => (id === 6 ? 2 : id % 2 === 0 ? 1 : 0);
    const fresh = await indexOf(Object.fromEntries(left.map((id) => [id, record(id, version(id))])));
    expect(await answers(index)).toEqual(await answers(fresh));
  });

  it('takes the last of several records with one id', async () => {
    const index = await indexOf({});
    await index.engine.put(index.name, [
      { id: '1', source: { text: 'first' } },
      { id: 1n, source: { text: 'last' } },
    ]);
    expect(await index.ids(all)).toEqual(['1']);
    expect(await index.ids(term('text', 'last'))).toEqual(['1']);
  });

  it('says which values do not fit, and finds their records by the rest', async () => {
    const engine = engineOn();
    const index = await indexOf({}, engine);
    const source = { text: ['word', {}], number: 'many', day: '2024-2-1', child: 'none', place: 7 };
    const malformed = await engine.put(index.name, [{ id: '1', source }]);
    expect(malformed.map(({ id, path }) => [id, path])).toEqual([
      ['1', 'text'],
      ['1', 'number'],
      ['1', 'day'],
      ['1', 'child'],
      ['1', 'place'],
    ]);
    expect(await index.ids(term('text', 'word'))).toEqual(['1']);
  });

  it('survives records that are endless in depth or number', async () => {
    let deep: unknown = 'word';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    const engine = engineOn();
    const index = await indexOf({}, engine);
    const child = Array.from({ length: 10_001 }, () => ({ number: 1 }));
    const malformed = await engine.put(index.name, [{ id: '1', source: { text: deep, child } }]);
    expect(malformed.map(({ path }) => path)).toEqual(['text', 'child']);
    expect(await index.ids(nested('child', term('child.number', 1)))).toEqual(['1']);
  });

  it('keeps keywords apart that hold what the database could not', async () => {
    const index = await indexOf({
      1: { keyword: 'a\u0000b' },
      2: { keyword: 'a' },
      3: { keyword: 'a\ud800' },
    });
    expect(await index.ids(term('keyword', 'a'))).toEqual(['2']);
    expect(await index.ids(term('keyword', 'a\u0000b'))).toEqual(['1']);
    expect(await index.ids(term('keyword', 'a\ud800'))).toEqual(['3']);
  });
});

describe('segments', () => {
  const many = (from: number, to: number, version: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      id: String(from + at),
      source: record(from + at, version),
    }));

  it('are as many as the records need, go when all in them have gone, and shrink when many have', async () => {
    const index = await indexOf({});
    await index.engine.put(index.name, many(1, 9001, 0));
    const segments = `WHERE index_code = (SELECT code FROM search_indexes WHERE name = '${index.name}')`;
    expect(await rows('search_segments', segments)).toBe(3);
    const first = await env.SANDBOX_DB.prepare(
      `SELECT min(segment) AS s FROM search_segments ${segments}`,
    ).first<number>('s');
    const lists = `WHERE segment = ${Number(first) + 1}`;
    const before = await rows('search_postings', lists);
    // The first segment whole, and of the second all but a few.
    await index.engine.remove(
      index.name,
      many(1, 8100, 0).map(({ id }) => id),
    );
    expect(await rows('search_segments', segments)).toBe(2);
    expect(await rows('search_postings', `WHERE segment = ${first}`)).toBe(0);
    expect(await rows('search_postings', lists)).toBeLessThanOrEqual(before);
    const swept = await env.SANDBOX_DB.prepare(`SELECT swept FROM search_segments ${lists}`).first<number>(
      'swept',
    );
    expect(swept).toBeGreaterThan(0);
    const fresh = await indexOf({});
    await fresh.engine.put(fresh.name, many(8100, 9001, 0));
    expect(await answers(index)).toEqual(await answers(fresh));
  }, 30_000);
});

describe('an index', () => {
  it('is deleted with all that is in it, and one of the same name begins anew', async () => {
    const engine = engineOn();
    const index = await indexOf({ 1: record(1, 0) }, engine);
    const tables = ['indexes', 'fields', 'segments', 'records', 'postings', 'columns'];
    const count = async () => Promise.all(tables.map((table) => rows(`search_${table}`)));
    expect(await index.ids(all)).toEqual(['1']);
    await engine.deleteIndex(index.name);
    await expect(engine.count(index.name, all)).rejects.toThrow(UnknownIndexError);
    await expect(engine.put(index.name, [])).rejects.toThrow(UnknownIndexError);
    const without = await count();
    await engine.createIndex(index.name, mapping);
    expect(await engine.count(index.name, all)).toBe(0);
    await engine.put(index.name, [{ id: '1', source: record(1, 0) }]);
    await engine.deleteIndex(index.name);
    expect(await count()).toEqual(without);
  });

  it('gets further fields, but none of another kind', async () => {
    const engine = engineOn();
    const index = await indexOf({ 1: { text: 'word' } }, engine);
    const more = { properties: { ...mapping.properties, added: { type: 'keyword' } } } as const;
    await engine.createIndex(index.name, more);
    await engine.put(index.name, [{ id: '2', source: { added: 'word' } }]);
    expect(await index.ids(term('added', 'word'))).toEqual(['2']);
    expect(await index.ids(term('text', 'word'))).toEqual(['1']);
    const other = { properties: { ...mapping.properties, text: { type: 'keyword' } } } as const;
    await expect(engine.createIndex(index.name, other)).rejects.toThrow(MappingConflictError);
  });
});

describe('at the same time', () => {
  it('several writers lose nothing and count right', async () => {
    const index = await indexOf({});
    const engines = [engineOn(), engineOn(), engineOn()];
    await Promise.all(
      engines.map((engine, writer) =>
        engine.put(
          index.name,
          Array.from({ length: 20 }, (_, at) => ({
            id: String(writer * 20 + at + 1),
            source: record(writer * 20 + at + 1, 0),
          })),
        ),
      ),
    );
    const fresh = await indexOf(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at + 1, record(at + 1, 0)])),
    );
    expect(await answers(index)).toEqual(await answers(fresh));
  });

  it('a writer that is overtaken starts anew', async () => {
    const watch: Watch = { statements: 0 };
    const index = await indexOf({ 1: record(1, 0) }, engineOn(watched(env.SANDBOX_DB, watch)));
    const other = engineOn();
    let overtakings = 0;
    watch.beforeBatch = async () => {
      overtakings += 1;
      if (overtakings <= 2)
        await other.put(index.name, [{ id: `1${overtakings}`, source: record(overtakings, 1) }]);
    };
    await index.engine.put(index.name, [{ id: '1', source: record(1, 1) }]);
    expect(overtakings).toBe(3);
    const fresh = await indexOf({ 1: record(1, 1), 11: record(1, 1), 12: record(2, 1) });
    expect(await answers(index)).toEqual(await answers(fresh));
  });

  it('a search that is overtaken by a write starts anew', async () => {
    const watch: Watch = { statements: 0 };
    const index = await indexOf({ 1: { text: 'word' } }, engineOn(watched(env.SANDBOX_DB, watch)));
    const other = engineOn();
    let overtakings = 0;
    watch.beforeBatch = async () => {
      overtakings += 1;
      if (overtakings === 1) await other.put(index.name, [{ id: '2', source: { text: 'word' } }]);
    };
    expect(await index.ids(term('text', 'word'))).toEqual(['1', '2']);
    expect(overtakings).toBe(2);
  });
});
