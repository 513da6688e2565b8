// Writes: after any of them, an index gives the same results and scores as a new one.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { SearchEngine } from '../../../../../worker/sandbox/search/engine/engine.ts';
import { MappingConflictError } from '../../../../../worker/sandbox/search/engine/index/state.ts';
import { UnknownIndexError } from '../../../../../worker/sandbox/search/engine/index/writer.ts';
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import {
  all,
  bool,
  createTestEngine,
  createTestIndex,
  fuzzy,
  mapping,
  nested,
  phrase,
  type Source,
  type TestIndex,
  term,
  wildcard,
} from './harness.ts';
import { type Watch, watchDatabase } from './watch-database.ts';

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

/** Builds a record from its id and version. */
function buildRecord(id: number, version: number): Source {
  const seed = id * 7 + version * 3;
  return {
    text: Array.from({ length: (seed % 9) + 1 }, (_, word) => `w${(seed * (word + 1)) % 13}`).join(' '),
    keyword: [`k${seed % 3}`, `k${seed % 4}`],
    number: seed % 5,
    child: Array.from({ length: seed % 3 }, (_, child) => ({
      text: `w${(seed + child) % 4} w2`,
      grandchild: { keyword: `k${child}` },
    })),
  };
}

const buildDocuments = (from: number, to: number, version = 0) =>
  Array.from({ length: to - from }, (_, at) => ({
    id: String(from + at),
    source: buildRecord(from + at, version),
  }));
const word = { text: 'word' };

/** Expects the same hits and scores of all probes as in a new index with these records. */
async function expectLikeNewIndex(
  index: TestIndex,
  records: Readonly<Record<string, Source>>,
): Promise<void> {
  const readResults = async ({ search }: TestIndex) =>
    Promise.all(
      PROBES.map(async (query) => {
        const hits = await search(query, { sort: [{ field: '_id', order: 'asc' }], scores: true });
        return hits.map(({ id, score }) => [id, score]);
      }),
    );
  expect(await readResults(index)).toEqual(await readResults(await createTestIndex(records)));
}

const countRows = async (table: string, where = ''): Promise<number> =>
  (await env.SANDBOX_DB.prepare(`SELECT count(*) AS n FROM ${table} ${where}`).first<number>('n')) ?? 0;

describe('a write', () => {
  it('leaves no trace of replaced records', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => at + 1);
    const index = await createTestIndex(Object.fromEntries(ids.map((id) => [id, buildRecord(id, 0)])));
    const even = ids.filter((id) => id % 2 === 0);
    await index.engine.put(
      index.name,
      even.map((id) => ({ id: String(id), source: buildRecord(id, 1) })),
    );
    await index.engine.put(index.name, [{ id: '6', source: buildRecord(6, 2) }]);
    const getVersion = (id: number): number => (id === 6 ? 2 : id % 2 === 0 ? 1 : 0);
    await expectLikeNewIndex(
      index,
      Object.fromEntries(ids.map((id) => [id, buildRecord(id, getVersion(id))])),
    );
  });

  it('keeps the last of several records with one id', async () => {
    const index = await createTestIndex({});
    await index.engine.put(index.name, [
      { id: '1', source: { text: 'first' } },
      { id: '1', source: { text: 'last' } },
    ]);
    expect(await index.findIds(all)).toEqual(['1']);
    expect(await index.findIds(term('text', 'last'))).toEqual(['1']);
  });

  it('reports malformed values and indexes the others', async () => {
    const index = await createTestIndex({});
    const source = { text: ['word', {}], number: 'many', day: '2024-2-1', child: 'none', place: 7 };
    const malformed = await index.engine.put(index.name, [{ id: '1', source }]);
    expect(malformed.map(({ id, path }) => `${id} ${path}`)).toEqual([
      ...['1 text', '1 number', '1 day', '1 child', '1 place'],
    ]);
    expect(await index.findIds(term('text', 'word'))).toEqual(['1']);
  });

  it('limits the depth and the number of nested objects', async () => {
    let deep: unknown = 'word';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    const index = await createTestIndex({});
    const child = Array.from({ length: 10_001 }, () => ({ number: 1 }));
    const malformed = await index.engine.put(index.name, [{ id: '1', source: { text: deep, child } }]);
    expect(malformed.map(({ path }) => path)).toEqual(['text', 'child']);
    expect(await index.findIds(nested('child', term('child.number', 1)))).toEqual(['1']);
  });

  it('distinguishes keywords with characters that the database replaces', async () => {
    const keywords = ['a\u0000b', 'a', 'a\ud800'];
    const index = await createTestIndex(Object.fromEntries(keywords.map((keyword, id) => [id, { keyword }])));
    for (const [id, keyword] of keywords.entries())
      expect(await index.findIds(term('keyword', keyword))).toEqual([String(id)]);
  });
});

it('adds segments as needed and drops those whose records were all replaced', async () => {
  const index = await createTestIndex({});
  await index.engine.put(index.name, buildDocuments(1, 8801));
  const inIndex = `WHERE index_code = (SELECT code FROM search_indexes WHERE name = '${index.name}')`;
  expect(await countRows('search_segments', inIndex)).toBe(3);
  const first = Number(
    await env.SANDBOX_DB.prepare(`SELECT min(segment) AS s FROM search_segments ${inIndex}`).first('s'),
  );
  // All but a few records of the first segment, and the whole second.
  const replacements = buildDocuments(100, 8300, 1);
  await index.engine.put(index.name, replacements);
  expect(await countRows('search_segments', inIndex)).toBe(4);
  expect(await countRows('search_postings', `WHERE segment = ${first + 1}`)).toBe(0);
  await expectLikeNewIndex(
    index,
    Object.fromEntries([...buildDocuments(1, 8801), ...replacements].map(({ id, source }) => [id, source])),
  );
});

describe('an index', () => {
  it('must exist before a write or a search', async () => {
    const engine = createTestEngine();
    await expect(engine.put('missing', [{ id: '1', source: word }])).rejects.toThrow(UnknownIndexError);
    await expect(engine.search('missing', { query: all, size: 1 })).rejects.toThrow(UnknownIndexError);
  });

  it('accepts new fields, and rejects another type of a field', async () => {
    const index = await createTestIndex({ 1: word });
    const { engine, name } = index;
    await engine.createIndex(name, { properties: { ...mapping.properties, added: { type: 'keyword' } } });
    await engine.put(name, [{ id: '2', source: { added: 'word' } }]);
    expect(await index.findIds(term('added', 'word'))).toEqual(['2']);
    expect(await index.findIds(term('text', 'word'))).toEqual(['1']);
    const conflicting = { properties: { ...mapping.properties, text: { type: 'keyword' } } } as const;
    await expect(engine.createIndex(name, conflicting)).rejects.toThrow(MappingConflictError);
  });
});

describe('concurrent access', () => {
  /** Creates an index whose engine runs a hook before each of its first batches. */
  async function createInterrupted(
    records: Readonly<Record<string, Source>>,
    interruptions: number,
    interrupt: (other: SearchEngine, name: string, number: number) => Promise<unknown>,
  ): Promise<{ index: TestIndex; countBatches: () => number }> {
    const watch: Watch = { statements: 0 };
    const index = await createTestIndex(records, createTestEngine(watchDatabase(env.SANDBOX_DB, watch)));
    const other = createTestEngine();
    let batches = 0;
    watch.beforeBatch = async () => {
      batches += 1;
      if (batches <= interruptions) await interrupt(other, index.name, batches);
    };
    return { index, countBatches: () => batches };
  }

  it('of several writers loses no record', async () => {
    const index = await createTestIndex({});
    await Promise.all(
      [1, 21, 41].map((from) => createTestEngine().put(index.name, buildDocuments(from, from + 20))),
    );
    await expectLikeNewIndex(
      index,
      Object.fromEntries(buildDocuments(1, 61).map(({ id, source }) => [id, source])),
    );
  });

  it('repeats a write that conflicts with another', async () => {
    const records = { 1: buildRecord(1, 0) };
    const { index, countBatches } = await createInterrupted(records, 2, (other, name, number) =>
      other.put(name, [{ id: `1${number}`, source: buildRecord(number, 1) }]),
    );
    await index.engine.put(index.name, [{ id: '1', source: buildRecord(1, 1) }]);
    expect(countBatches()).toBe(3);
    await expectLikeNewIndex(index, { 1: buildRecord(1, 1), 11: buildRecord(1, 1), 12: buildRecord(2, 1) });
  });

  it('repeats a search that conflicts with a write', async () => {
    const { index, countBatches } = await createInterrupted({ 1: word }, 1, (other, name) =>
      other.put(name, [{ id: '2', source: word }]),
    );
    expect(await index.findIds(term('text', 'word'))).toEqual(['1', '2']);
    expect(countBatches()).toBe(2);
  });
});
