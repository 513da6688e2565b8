// Reads from memory and KV: few reads, bounded memory, and failures that are not taken for misses.
import { describe, expect, it } from 'vitest';
import { AnswerCache, MemoryCache } from '../../../../worker/gateway/cache/answer-cache.ts';
import { type RecordKey, toLookupKvKey, toPageKvKey } from '../../../../worker/gateway/cache/cache-keys.ts';
import { toPage, toRecord } from '../../../../worker/gateway/cache/content.ts';
import { type Envelope, encodeAlias, encodeEnvelope } from '../../../../worker/gateway/cache/envelope.ts';
import { captureErrorLog } from '../../logged-errors.ts';

const NOW = Date.UTC(2026, 8, 1);

const buildRecord = (name: string, fetchedAt = NOW, keepUntil = NOW + 1e9): Envelope => ({
  content: toRecord({ name }),
  fetchedAt,
  freshUntil: keepUntil,
  keepUntil,
});
const website = (value: string): RecordKey => ({ family: 'company_clean', kind: 'website', value });
const id = (value: string): RecordKey => ({ family: 'company_clean', kind: 'id', value });
const toNames = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);

/** A cache over a fake KV; records the keys of each read. */
function createCache({ fails = () => false }: { fails?: (kvKeys: string[]) => boolean } = {}) {
  const values = new Map<string, string>();
  const clock = { now: NOW };
  const reads: string[][] = [];
  const get = async (kvKeys: string | string[]) => {
    const all = [kvKeys].flat();
    reads.push(all);
    if (all.length > 100 || fails(all)) throw new Error('KV GET failed');
    const found = new Map(all.map((kvKey) => [kvKey, values.get(kvKey) ?? null]));
    return typeof kvKeys === 'string' ? found.get(kvKeys) : found;
  };
  const kv = { get, delete: async (kvKey: string) => void values.delete(kvKey) } as unknown as KVNamespace;
  const cache = new AnswerCache(kv, new MemoryCache(() => clock.now), 'identity', () => clock.now);
  const read = async (...keys: RecordKey[]) => {
    const found = new Map<string, unknown>();
    const unreadable = await cache.readRecords(keys, ({ value }, { content }) => {
      found.set(value, content.kind === 'record' ? content.record.value.name : content.kind);
    });
    return { found: Object.fromEntries(found), unreadable: unreadable.map(({ value }) => value) };
  };
  return {
    cache,
    clock,
    reads,
    read,
    put: (key: RecordKey, text: string) => void values.set(toLookupKvKey('identity', key), text),
    putPage: (name: string, text: string) => void values.set(toPageKvKey('identity', name), text),
  };
}

describe('a record', () => {
  /** Record 2 was merged from 1; 3 and 4 are aliases of each other; 5 has expired; 6 is corrupt. */
  function createFilledCache() {
    const cache = createCache();
    cache.put(id('2'), encodeEnvelope(buildRecord('merged')));
    cache.put(id('1'), encodeAlias('company_clean:id:2'));
    cache.put(website('a.com'), encodeAlias('company_clean:id:1'));
    cache.put(id('3'), encodeAlias('company_clean:id:4'));
    cache.put(id('4'), encodeAlias('company_clean:id:3'));
    cache.put(id('5'), encodeEnvelope(buildRecord('expired', NOW - 10, NOW)));
    cache.put(id('6'), '{"content":');
    return cache;
  }

  it.each<[string, RecordKey, string | undefined, number]>([
    ['its id', id('2'), 'merged', 1],
    ['the id of a merged record', id('1'), 'merged', 2],
    ['an alias of a merged record', website('a.com'), 'merged', 3],
    ['a cycle of aliases', id('3'), undefined, 3],
    ['the key of an expired record', id('5'), undefined, 1],
    ['the key of a corrupt value', id('6'), undefined, 1],
    ['an unknown key', website('none.com'), undefined, 1],
  ])('is read by %s, alone and in a batch', async (_, key, name, count) => {
    const single = createFilledCache();
    const found = await single.cache.readRecord(key);
    expect(found).toEqual(name && expect.objectContaining({ content: toRecord({ name }) }));
    expect(single.cache.getRecordFromMemory(key)).toEqual(found);
    const batch = createFilledCache();
    const expected = { found: name ? { [key.value]: name } : {}, unreadable: [] };
    expect(await batch.read(key)).toEqual(expected);
    expect([single.reads.length, batch.reads.length]).toEqual([count, count]);
  });

  it('is read in batches of a hundred, with one more read for the aliases of each batch', async () => {
    const { put, read, reads } = createCache();
    for (const name of toNames(200)) {
      put(website(name), encodeAlias(`company_clean:id:${name}`));
      put(id(name), encodeEnvelope(buildRecord(name)));
    }
    const { found } = await read(...toNames(200).map(website));
    expect(Object.keys(found)).toHaveLength(200);
    expect(reads).toHaveLength(4);
    await read(...toNames(200).map(website));
    expect(reads).toHaveLength(4);
  });
});

describe('memory', () => {
  it('answers without a read for a minute', async () => {
    const { put, read, reads, clock } = createCache();
    put(id('1'), encodeEnvelope(buildRecord('one')));
    await read(id('1'));
    clock.now += 60_000;
    expect((await read(id('1'))).found).toEqual({ 1: 'one' });
    expect(reads).toHaveLength(1);
    clock.now += 1;
    await read(id('1'));
    expect(reads).toHaveLength(2);
  });

  it('does not replace an answer by an older one', async () => {
    const { cache, read } = createCache();
    const name = 'company_clean:id:1';
    cache.set(name, buildRecord('young', NOW), 10);
    cache.set(name, buildRecord('old', NOW - 1), 10);
    expect((await read(id('1'))).found).toEqual({ 1: 'young' });
    cache.set(name, buildRecord('younger', NOW + 1), 10);
    expect((await read(id('1'))).found).toEqual({ 1: 'younger' });
  });

  it('evicts the least recently used answer, and never stores one that is too large', () => {
    const memory = new MemoryCache(() => NOW);
    const size = 1_000_000;
    for (let at = 0; at < 10; at += 1) memory.set(`${at}`, buildRecord(`${at}`), size);
    memory.get('0', NOW);
    memory.set('10', buildRecord('10'), size);
    memory.set('large', buildRecord('large'), 11 * size);
    const isStored = ['0', '1', '10', 'large'].map((name) => memory.get(name, NOW) !== undefined);
    expect(isStored).toEqual([true, false, true, false]);
  });
});

describe('a KV failure', () => {
  it('is reported for all keys after two reads per batch, in one log line without keys', async () => {
    const lines = captureErrorLog();
    const { cache, read, reads } = createCache({ fails: () => true });
    const { unreadable } = await read(...toNames(1000).map(website));
    expect(unreadable.toSorted()).toEqual(toNames(1000).toSorted());
    expect(reads.length).toBeLessThanOrEqual(20);
    expect(lines).toEqual([
      { event: 'kv_read_failed', reads: 20, unread: 1000, error: 'Error', at: expect.anything() },
    ]);
    expect(await cache.readRecord(id('1'))).toBe('unreadable');
    expect(await cache.readPage('name')).toBe('unreadable');
  });

  it('for a too large batch leads to smaller batches, and only an unreadable key is reported', async () => {
    captureErrorLog();
    const { put, read, reads } = createCache({
      fails: (kvKeys) => kvKeys.length > 10 || kvKeys.some((kvKey) => kvKey.endsWith(':77')),
    });
    for (const name of toNames(100)) put(id(name), encodeEnvelope(buildRecord(name)));
    const { found, unreadable } = await read(...toNames(100).map(id));
    expect([Object.keys(found).length, unreadable]).toEqual([99, ['77']]);
    expect(reads.length).toBeLessThan(60);
  });

  it('for the record of an alias is not taken for a miss', async () => {
    captureErrorLog();
    const { put, read } = createCache({ fails: ([kvKey = '']) => kvKey.startsWith('record:') });
    put(website('a.com'), encodeAlias('company_clean:id:1'));
    expect(await read(website('a.com'), website('none.com'))).toEqual({ found: {}, unreadable: ['a.com'] });
  });
});

it('reads and deletes a page', async () => {
  const { cache, putPage } = createCache();
  const page: Envelope = { ...buildRecord(''), content: toPage([1], {}) };
  putPage('name', encodeEnvelope(page));
  expect(await cache.readPage('name')).toEqual(page);
  await cache.deletePage('name');
  expect(await cache.readPage('name')).toBeUndefined();
});
