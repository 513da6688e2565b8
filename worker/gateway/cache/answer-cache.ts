// Reads cached answers: first the memory of the isolate, then KV. Single-flight objects write to KV.

import { LRUCache } from 'lru-cache';
import { logError } from '../../http/log.ts';
import { type RecordKey, toCacheName, toLookupKvKey, toPageKvKey, toRecordKvKey } from './cache-keys.ts';
import { decodeAlias, decodeEnvelope, type Envelope } from './envelope.ts';
import { type KvTexts, readKvTexts } from './kv-texts.ts';
import { MAX_HOPS } from './prefetch.ts';

/** Each batch may take 25 MB, and an isolate has 128 MB in total. */
const KV_CONCURRENCY = 3;
/** Short, so that an erased record leaves every isolate within a minute. */
const MEMORY_TTL_MS = 60_000;
/**
 * In characters of JSON. A cached answer takes at most six bytes per character, as an object and as text; an isolate has
 * 128 MB in total.
 */
const MEMORY_MAX_SIZE = 10_000_000;

/** The answers in the memory of an isolate, shared by its requests. */
export class MemoryCache {
  readonly #entries: LRUCache<string, Envelope>;

  constructor(now: () => number) {
    this.#entries = new LRUCache<string, Envelope>({
      maxSize: MEMORY_MAX_SIZE,
      ttl: MEMORY_TTL_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** @param now - milliseconds since 1970 */
  get(name: string, now: number): Envelope | undefined {
    const envelope = this.#entries.get(name);
    return envelope !== undefined && envelope.keepUntil > now ? envelope : undefined;
  }

  /**
   * Stores an answer, unless a younger one is stored.
   * @param size - length of the answer as JSON, in characters
   */
  set(name: string, envelope: Envelope, size: number): void {
    if ((this.#entries.get(name)?.fetchedAt ?? 0) > envelope.fetchedAt) return;
    this.#entries.set(name, envelope, { size: Math.max(1, size) });
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/** The cached answers of one provider, as one request uses them. */
export class AnswerCache {
  readonly #kv: KVNamespace;
  readonly #memory: MemoryCache;
  readonly #identity: string;
  readonly #now: () => number;
  readonly #prefetched: Promise<KvTexts> | undefined;

  /**
   * @param identity - the provider's
   * @param prefetched - values of KV that were read while the caller was admitted
   */
  constructor(
    kv: KVNamespace,
    memory: MemoryCache,
    identity: string,
    now: () => number,
    prefetched?: Promise<KvTexts>,
  ) {
    this.#kv = kv;
    this.#memory = memory;
    this.#identity = identity;
    this.#now = now;
    this.#prefetched = prefetched;
  }

  getRecordFromMemory(key: RecordKey): Envelope | undefined {
    return this.#getFromMemory(toCacheName(key));
  }

  /**
   * Reads a record that is not in memory from KV, with one read for the key and one for each alias. Apart from
   * {@link readRecords}, whose lists cost a twentieth of a hit.
   * @returns undefined if it is not cached; `unreadable` if KV failed: to buy the record could mean to pay for it twice
   */
  async readRecord(key: RecordKey): Promise<Envelope | 'unreadable' | undefined> {
    let kvKey = toLookupKvKey(this.#identity, key);
    const prefetched = this.#prefetched && (await this.#prefetched);
    for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
      let text = prefetched?.get(kvKey);
      try {
        if (text === undefined) text = await this.#kv.get(kvKey, 'text');
      } catch (error) {
        logError('kv_read_failed', error, { reads: 1, unread: 1 });
        return 'unreadable';
      }
      if (text === null) return undefined;
      const recordName = decodeAlias(text);
      if (recordName === undefined) {
        const envelope = decodeEnvelope(text, this.#now());
        if (envelope !== undefined) this.set(toCacheName(key), envelope, text.length);
        return envelope;
      }
      kvKey = toRecordKvKey(this.#identity, recordName);
    }
    return undefined;
  }

  /**
   * Reads records from memory and KV, with one KV read per hundred keys and more for aliases.
   * @param keys - distinct
   * @param onRecord - receives each envelope as soon as it is read, so that whole records need not be kept
   * @returns the keys that KV failed to read: to buy their records could mean to pay for them twice
   */
  async readRecords(
    keys: readonly RecordKey[],
    onRecord: (key: RecordKey, envelope: Envelope) => void,
  ): Promise<RecordKey[]> {
    let pending = new Map<string, RecordKey[]>();
    const add = (to: typeof pending, kvKey: string, key: RecordKey): void => {
      to.set(kvKey, [...(to.get(kvKey) ?? []), key]);
    };
    for (const key of keys) {
      const envelope = this.#getFromMemory(toCacheName(key));
      if (envelope !== undefined) onRecord(key, envelope);
      else add(pending, toLookupKvKey(this.#identity, key), key);
    }
    const unreadable: RecordKey[] = [];
    for (let hop = 0; hop <= MAX_HOPS && pending.size > 0; hop += 1) {
      const aliased: typeof pending = new Map();
      const current = pending;
      const failed = await this.#readFromKv([...current.keys()], (kvKey, text) => {
        const recordName = decodeAlias(text);
        const envelope = recordName === undefined ? decodeEnvelope(text, this.#now()) : undefined;
        for (const key of current.get(kvKey) ?? []) {
          if (recordName !== undefined) add(aliased, toRecordKvKey(this.#identity, recordName), key);
          if (envelope === undefined) continue;
          this.set(toCacheName(key), envelope, text.length);
          onRecord(key, envelope);
        }
      });
      unreadable.push(...failed.flatMap((kvKey) => current.get(kvKey) ?? []));
      pending = aliased;
    }
    return unreadable;
  }

  /** Reads a page. @returns undefined if it is not cached; `unreadable` if KV failed */
  async readPage(name: string): Promise<Envelope | 'unreadable' | undefined> {
    return (await this.readPages([name])).get(name);
  }

  /** Reads pages, with one KV read per hundred. @returns the cached ones; `unreadable` if KV failed */
  async readPages(names: readonly string[]): Promise<Map<string, Envelope | 'unreadable'>> {
    const pages = new Map<string, Envelope | 'unreadable'>();
    const byKvKey = new Map<string, string>();
    for (const name of names) {
      const known = this.#getFromMemory(name);
      if (known !== undefined) pages.set(name, known);
      else byKvKey.set(toPageKvKey(this.#identity, name), name);
    }
    const failed = await this.#readFromKv([...byKvKey.keys()], (kvKey, text) => {
      const name = byKvKey.get(kvKey);
      const envelope = decodeEnvelope(text, this.#now());
      if (name === undefined || envelope === undefined) return;
      this.set(name, envelope, text.length);
      pages.set(name, envelope);
    });
    for (const kvKey of failed) pages.set(byKvKey.get(kvKey) ?? '', 'unreadable');
    return pages;
  }

  /**
   * Stores an answer in memory.
   * @param size - length of the answer as JSON, in characters
   */
  set(name: string, envelope: Envelope, size: number): void {
    this.#memory.set(`${this.#identity}:${name}`, envelope, size);
  }

  async deletePage(name: string): Promise<void> {
    this.#memory.delete(`${this.#identity}:${name}`);
    await this.#kv.delete(toPageKvKey(this.#identity, name));
  }

  #getFromMemory(name: string): Envelope | undefined {
    return this.#memory.get(`${this.#identity}:${name}`, this.#now());
  }

  /**
   * Reads values in batches.
   * @param onValue - receives each existing value
   * @returns the KV keys that could not be read
   */
  async #readFromKv(
    kvKeys: readonly string[],
    onValue: (kvKey: string, text: string) => void,
  ): Promise<string[]> {
    const prefetched = this.#prefetched && (await this.#prefetched);
    const unread = kvKeys.filter((kvKey) => {
      const text = prefetched?.get(kvKey);
      if (typeof text === 'string') onValue(kvKey, text);
      return text === undefined;
    });
    const { unreadable, errors } = await readKvTexts(this.#kv, unread, KV_CONCURRENCY, onValue);
    // One log line in total: a thousand keys may fail together.
    if (errors.length > 0)
      logError('kv_read_failed', errors[0], { reads: errors.length, unread: unreadable.length });
    return unreadable;
  }
}
