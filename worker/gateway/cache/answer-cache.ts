// The room where answers are remembered: memory of this isolate first, then KV. Flights write, here is read.
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { logError } from '../../http/log.ts';
import { type RecordKey, toCacheName, toLookupKvKey, toPageKvKey, toRecordKvKey } from './cache-keys.ts';
import { decodeAlias, decodeEnvelope, type Envelope } from './envelope.ts';

/** KV answers at most this many keys at once. */
const KV_BATCH = 100;
/** Each answer may take 25 MB, and an isolate has 128 MB for everything. */
const KV_CONCURRENCY = 3;
/** A key leads to the id of a record, and that may have been merged into another. */
const MAX_HOPS = 2;
/** An isolate remembers an answer this long, so that an erased record is gone everywhere within a minute. */
const MEMORY_TTL_MS = 60_000;
/**
 * In characters of JSON. What is remembered takes six bytes for each at most, as an object and as the text of an answer;
 * an isolate has 128 MB for everything.
 */
const MEMORY_MAX_SIZE = 10_000_000;

/** What an isolate remembers, shared by its requests. */
export class MemoryCache {
  readonly #entries: LRUCache<string, Envelope>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#entries = new LRUCache<string, Envelope>({
      maxSize: MEMORY_MAX_SIZE,
      ttl: MEMORY_TTL_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** @returns what is remembered under this name */
  get(name: string): Envelope | undefined {
    return this.#entries.get(name);
  }

  /**
   * Remembers an answer, unless a younger one is there.
   * @param size - characters of the answer as JSON
   */
  set(name: string, envelope: Envelope, size: number): void {
    if ((this.#entries.get(name)?.fetchedAt ?? 0) > envelope.fetchedAt) return;
    this.#entries.set(name, envelope, { size: Math.max(1, size) });
  }

  /** Forgets what is remembered under this name. */
  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/** The answers remembered of one provider, as one request reaches them. */
export class AnswerCache {
  readonly #kv: KVNamespace;
  readonly #memory: MemoryCache;
  readonly #identity: string;
  readonly #now: () => number;

  /** @param identity - whose answers these are: the provider's identity */
  constructor(kv: KVNamespace, memory: MemoryCache, identity: string, now: () => number) {
    this.#kv = kv;
    this.#memory = memory;
    this.#identity = identity;
    this.#now = now;
  }

  /** @returns what this isolate remembers of a record */
  getRecordFromMemory(key: RecordKey): Envelope | undefined {
    return this.#recall(toCacheName(key));
  }

  /**
   * Looks up a record that this isolate does not remember: one KV read, and another where its key leads to its own name.
   * @returns undefined where it is not remembered, `unread` where nobody knows, since KV could not be read: to buy it might
   * be to pay twice
   */
  async readRecord(key: RecordKey): Promise<Envelope | 'unread' | undefined> {
    let place = toLookupKvKey(this.#identity, key);
    for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
      let text: string | null;
      try {
        text = await this.#kv.get(place, 'text');
      } catch (error) {
        logError('kv_read_failed', error, { reads: 1, unread: 1 });
        return 'unread';
      }
      if (text === null) return undefined;
      const alias = decodeAlias(text);
      if (alias === undefined) {
        const envelope = decodeEnvelope(text, this.#now());
        if (envelope !== undefined) this.set(toCacheName(key), envelope, text.length);
        return envelope;
      }
      place = toRecordKvKey(this.#identity, alias);
    }
    return undefined;
  }

  /**
   * Looks records up: those not in memory cost one KV read for each hundred, and another where a key leads to a record's
   * own name.
   * @param keys - distinct
   * @param view - called with each envelope as soon as it is there, so that whole records need not be held at once
   * @returns the keys of which nobody knows whether they are remembered, since KV could not be read: to buy them might
   * be to pay twice
   */
  async readRecords(
    keys: readonly RecordKey[],
    view: (key: RecordKey, envelope: Envelope) => void,
  ): Promise<RecordKey[]> {
    let wanted = new Map<string, RecordKey[]>();
    const want = (to: typeof wanted, place: string, key: RecordKey): void => {
      to.set(place, [...(to.get(place) ?? []), key]);
    };
    for (const key of keys) {
      const envelope = this.#recall(toCacheName(key));
      if (envelope !== undefined) view(key, envelope);
      else want(wanted, toLookupKvKey(this.#identity, key), key);
    }
    const lost: RecordKey[] = [];
    for (let hop = 0; hop <= MAX_HOPS && wanted.size > 0; hop += 1) {
      const next: typeof wanted = new Map();
      const places = wanted;
      const unread = await this.#read([...places.keys()], (place, text) => {
        const alias = decodeAlias(text);
        const envelope = alias === undefined ? decodeEnvelope(text, this.#now()) : undefined;
        for (const key of places.get(place) ?? []) {
          if (alias !== undefined) want(next, toRecordKvKey(this.#identity, alias), key);
          if (envelope === undefined) continue;
          this.set(toCacheName(key), envelope, text.length);
          view(key, envelope);
        }
      });
      lost.push(...unread.flatMap((place) => places.get(place) ?? []));
      wanted = next;
    }
    return lost;
  }

  /**
   * Looks a page up.
   * @returns undefined where it is not remembered, `unread` where nobody knows, since KV could not be read
   */
  async readPage(name: string): Promise<Envelope | 'unread' | undefined> {
    const recalled = this.#recall(name);
    if (recalled !== undefined) return recalled;
    let envelope: Envelope | undefined;
    const lost = await this.#read([toPageKvKey(this.#identity, name)], (_place, text) => {
      envelope = decodeEnvelope(text, this.#now());
      if (envelope !== undefined) this.set(name, envelope, text.length);
    });
    return lost.length > 0 ? 'unread' : envelope;
  }

  /**
   * Remembers an answer in this isolate.
   * @param size - characters of the answer as JSON
   */
  set(name: string, envelope: Envelope, size: number): void {
    this.#memory.set(`${this.#identity}:${name}`, envelope, size);
  }

  /** Forgets a page in this isolate and in KV. */
  async deletePage(name: string): Promise<void> {
    this.#memory.delete(`${this.#identity}:${name}`);
    await this.#kv.delete(toPageKvKey(this.#identity, name));
  }

  #recall(name: string): Envelope | undefined {
    const envelope = this.#memory.get(`${this.#identity}:${name}`);
    return envelope !== undefined && envelope.keepUntil > this.#now() ? envelope : undefined;
  }

  /** @returns the places that could not be read */
  async #read(places: readonly string[], seen: (place: string, text: string) => void): Promise<string[]> {
    const lost: string[] = [];
    const errors: unknown[] = [];
    const read = async (batch: string[]): Promise<Map<string, string | null> | undefined> => {
      try {
        return await this.#bulk(batch);
      } catch (error) {
        errors.push(error);
        return undefined;
      }
    };
    const readBatch = async (batch: string[]): Promise<void> => {
      const found = await read(batch);
      if (found === undefined) {
        // An answer of more than 25 MB is refused: halves may fit. Where not even one can be read, KV is down.
        const half = Math.ceil(batch.length / 2);
        const [one = ''] = batch;
        if (batch.length === 1 || (await read([one])) === undefined) lost.push(...batch);
        else for (const part of [batch.slice(0, half), batch.slice(half)]) await readBatch(part);
        return;
      }
      for (const [place, text] of found) {
        if (text !== null) seen(place, text);
      }
    };
    const batches: string[][] = [];
    for (let at = 0; at < places.length; at += KV_BATCH) batches.push(places.slice(at, at + KV_BATCH));
    const [first, ...others] = batches;
    if (first !== undefined && others.length === 0) await readBatch(first);
    else await pMap(batches, readBatch, { concurrency: KV_CONCURRENCY });
    // One line for all of them: a thousand keys may fail together.
    if (errors.length > 0)
      logError('kv_read_failed', errors[0], { reads: errors.length, unread: lost.length });
    return lost;
  }

  async #bulk(places: string[]): Promise<Map<string, string | null>> {
    const [place, ...others] = places;
    if (place === undefined || others.length > 0) return this.#kv.get(places, 'text');
    // A single place is read as such: that takes KV less than a batch of one.
    return new Map([[place, await this.#kv.get(place, 'text')]]);
  }
}
