// Where answers are read: memory of the isolate, then KV; few reads, bounded in bytes, and honest about what can't be read.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { AnswerCache, MemoryCache } from '../../../../worker/gateway/cache/answer-cache.ts';
import { type RecordKey, toLookupKvKey, toPageKvKey } from '../../../../worker/gateway/cache/cache-keys.ts';
import { type Envelope, encodeAlias, encodeEnvelope } from '../../../../worker/gateway/cache/envelope.ts';

const NOW = Date.UTC(2026, 8, 1);

const record = (name: string, fetchedAt = NOW, keepUntil = NOW + 1e9): Envelope => ({
  content: { kind: 'record', record: { name } },
  fetchedAt,
  freshUntil: keepUntil,
  keepUntil,
});
const website = (value: string): RecordKey => ({ family: 'company_clean', kind: 'website', value });
const id = (value: string): RecordKey => ({ family: 'company_clean', kind: 'id', value });

/** A cache over a KV of its own, and its reads. */
function newCache({ failing = () => false }: { failing?: (places: string[]) => boolean } = {}) {
  const identity = `cache-${crypto.randomUUID()}`;
  const clock = { now: NOW };
  const reads: string[][] = [];
  const kv = new Proxy(env.RECORDS, {
    get: (target, name) => {
      if (name === 'delete') return (place: string) => target.delete(place);
      if (name !== 'get') return Reflect.get(target, name);
      return async (places: string | string[], type: 'text') => {
        const all = typeof places === 'string' ? [places] : places;
        reads.push(all);
        if (failing(all)) throw new Error('KV GET failed');
        return typeof places === 'string' ? target.get(places, type) : target.get(places, type);
      };
    },
  });
  const memory = new MemoryCache(() => clock.now);
  const cache = new AnswerCache(kv, memory, identity, () => clock.now);
  const put = (key: RecordKey, text: string) => env.RECORDS.put(toLookupKvKey(identity, key), text);
  const get = async (...keys: RecordKey[]) => {
    const found = new Map<string, unknown>();
    const unread = await cache.readRecords(keys, ({ value }, { content }) => {
      found.set(value, content.kind === 'record' ? content.record.name : content.kind);
    });
    return { found: Object.fromEntries(found), unread: unread.map(({ value }) => value) };
  };
  return { cache, clock, reads, put, get, identity };
}

describe('a record', () => {
  it('is found by its id in one read, and by what leads to it in two', async () => {
    const { put, get, reads } = newCache();
    await put(id('1'), encodeEnvelope(record('one')));
    await put(website('a.com'), encodeAlias('company_clean:id:1'));
    expect(await get(id('1'))).toEqual({ found: { 1: 'one' }, unread: [] });
    expect(reads).toHaveLength(1);
    expect(await get(website('a.com'), website('none.com'))).toEqual({
      found: { 'a.com': 'one' },
      unread: [],
    });
    expect(reads).toHaveLength(3);
  });

  it('that was merged into another is found by its old id, and by what leads to that', async () => {
    const { put, get } = newCache();
    await put(id('2'), encodeEnvelope(record('merged')));
    await put(id('1'), encodeAlias('company_clean:id:2'));
    await put(website('a.com'), encodeAlias('company_clean:id:1'));
    expect((await get(id('1'), website('a.com'))).found).toEqual({ 1: 'merged', 'a.com': 'merged' });
  });

  it('that leads in a circle is none, and nobody waits for ever', async () => {
    const { put, get, reads } = newCache();
    await put(id('1'), encodeAlias('company_clean:id:2'));
    await put(id('2'), encodeAlias('company_clean:id:1'));
    expect(await get(id('1'))).toEqual({ found: {}, unread: [] });
    expect(reads).toHaveLength(3);
  });

  it('that is asked alone is found in the same way, and remembered', async () => {
    const { cache, put, reads } = newCache();
    await put(id('2'), encodeEnvelope(record('merged')));
    await put(id('1'), encodeAlias('company_clean:id:2'));
    await put(website('a.com'), encodeAlias('company_clean:id:1'));
    await put(id('3'), encodeAlias('company_clean:id:4'));
    await put(id('4'), encodeAlias('company_clean:id:3'));
    await put(id('5'), encodeEnvelope(record('over', NOW - 10, NOW)));
    for (const [key, times] of [
      [id('2'), 1],
      [id('1'), 2],
      [website('a.com'), 3],
    ] as const) {
      expect(await cache.readRecord(key)).toMatchObject({ content: { record: { name: 'merged' } } });
      expect(reads.splice(0)).toHaveLength(times);
      expect(cache.getRecordFromMemory(key)).toMatchObject({ content: { record: { name: 'merged' } } });
    }
    expect(await cache.readRecord(id('3'))).toBeUndefined();
    expect(reads.splice(0)).toHaveLength(3);
    expect(await cache.readRecord(id('5'))).toBeUndefined();
    expect(await cache.readRecord(website('none.com'))).toBeUndefined();
    const down = newCache({ failing: () => true });
    expect(await down.cache.readRecord(id('1'))).toBe('unreadable');
  });

  it('that can’t be understood is none', async () => {
    const { put, get } = newCache();
    await put(id('1'), '{"content":');
    expect(await get(id('1'))).toEqual({ found: {}, unread: [] });
  });
});

describe('memory', () => {
  it('answers without a read, for a minute', async () => {
    const { put, get, reads, clock } = newCache();
    await put(id('1'), encodeEnvelope(record('one')));
    await get(id('1'));
    reads.length = 0;
    clock.now += 60_000;
    expect((await get(id('1'))).found).toEqual({ 1: 'one' });
    expect(reads).toHaveLength(0);
    clock.now += 1;
    await get(id('1'));
    expect(reads).toHaveLength(1);
  });

  it('does not take an older answer for a younger one', async () => {
    const { cache, get } = newCache();
    const name = 'company_clean:id:1';
    cache.set(name, record('young', NOW), 10);
    cache.set(name, record('old', NOW - 1), 10);
    expect((await get(id('1'))).found).toEqual({ 1: 'young' });
    cache.set(name, record('younger', NOW + 1), 10);
    expect((await get(id('1'))).found).toEqual({ 1: 'younger' });
  });

  it('holds no more than its bound: what was used least goes', () => {
    const memory = new MemoryCache(() => NOW);
    const size = 1_000_000;
    for (let at = 0; at < 10; at += 1) memory.set(`${at}`, record(`${at}`), size);
    memory.get('0');
    memory.set('10', record('10'), size);
    expect([memory.get('0'), memory.get('1'), memory.get('10')].map((one) => one !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    memory.set('large', record('large'), 11 * size);
    expect(memory.get('large')).toBeUndefined();
  });
});

describe('reading', () => {
  it('of a KV that is down is given up after two tries for each hundred, and says which keys nobody knows', async () => {
    const { get, reads } = newCache({ failing: () => true });
    const keys = Array.from({ length: 1000 }, (_, at) => website(`a${at}.com`));
    const { unread } = await get(...keys);
    expect(unread.toSorted()).toEqual(keys.map(({ value }) => value).toSorted());
    expect(reads.length).toBeLessThanOrEqual(20);
  });

  it('of more than fits is done in parts, and only what can’t be read is not known', async () => {
    const { put, get, reads, identity } = newCache({
      failing: (places) => places.length > 10 || places.some((place) => place.endsWith(':77')),
    });
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => put(id(`${at + 1}`), encodeEnvelope(record(`${at + 1}`)))),
    );
    const { found, unread } = await get(...Array.from({ length: 100 }, (_, at) => id(`${at + 1}`)));
    expect(Object.keys(found)).toHaveLength(99);
    expect(unread).toEqual(['77']);
    expect(reads.length).toBeLessThan(60);
    expect(reads.flat().every((place) => place.includes(identity))).toBe(true);
  });

  it('of an alias whose record can’t be read does not say that there is none', async () => {
    const { put, get } = newCache({ failing: ([place = '']) => place.startsWith('record:') });
    await put(website('a.com'), encodeAlias('company_clean:id:1'));
    expect(await get(website('a.com'), website('none.com'))).toEqual({ found: {}, unread: ['a.com'] });
  });
});

describe('a page', () => {
  it('is found, forgotten, or not known', async () => {
    const { cache, identity } = newCache();
    const page: Envelope = { ...record(''), content: { kind: 'page', items: [1], headers: {} } };
    await env.RECORDS.put(toPageKvKey(identity, 'name'), encodeEnvelope(page));
    expect(await cache.readPage('name')).toEqual(page);
    await cache.deletePage('name');
    expect(await cache.readPage('name')).toBeUndefined();
    expect(await newCache({ failing: () => true }).cache.readPage('name')).toBe('unreadable');
  });
});
