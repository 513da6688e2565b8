// The room where answers are remembered: memory of this isolate first, then KV. Flights write, here is read.
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { type Envelope, readAlias, readEnvelope } from './envelope.ts';
import { aliasPlace, nameOf, pagePlace, type RecordKey, recordPlace } from './names.ts';

/** KV answers at most this many keys at once. */
const KV_BATCH = 100;
/** Of the six connections that an invocation may hold open. */
const KV_CONCURRENCY = 5;
/** An isolate remembers an answer this long, so that an erased record is gone everywhere within a minute. */
const MEMORY_TTL_MS = 60_000;
/** In characters of JSON, which take two bytes each at most, and objects more; an isolate has 128 MB for everything. */
const MEMORY_MAX_SIZE = 12_000_000;

/** What an isolate remembers, shared by its requests. */
export class AnswerMemory {
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

  /** @param size - characters of the answer as JSON */
  set(name: string, envelope: Envelope, size: number): void {
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
  readonly #memory: AnswerMemory;
  readonly #identity: string;
  readonly #now: () => number;

  /** @param identity - whose answers these are: the provider's identity */
  constructor(kv: KVNamespace, memory: AnswerMemory, identity: string, now: () => number) {
    this.#kv = kv;
    this.#memory = memory;
    this.#identity = identity;
    this.#now = now;
  }

  /**
   * Looks records up: those not in memory cost one KV read for each hundred, and another where a key is not the id.
   * @param keys - distinct
   * @param view - called with each envelope as soon as it is there, so that whole records need not be held at once
   * @returns the keys of which nobody knows whether they are remembered, since KV could not be read: to buy them might
   * be to pay twice
   */
  async getRecords(
    keys: readonly RecordKey[],
    view: (key: RecordKey, envelope: Envelope) => void,
  ): Promise<RecordKey[]> {
    const records = new Map<string, RecordKey[]>();
    const aliases = new Map<string, RecordKey>();
    for (const key of keys) {
      const name = nameOf(key);
      const envelope = this.#recall(name);
      if (envelope !== undefined) view(key, envelope);
      else if (key.kind === 'id') records.set(recordPlace(this.#identity, name), [key]);
      else aliases.set(aliasPlace(this.#identity, name), key);
    }
    const accept = (key: RecordKey, text: string): void => {
      const envelope = readEnvelope(text, this.#now());
      if (envelope === undefined) return;
      this.remember(nameOf(key), envelope, text.length);
      view(key, envelope);
    };
    const lostAliases = await this.#read([...aliases.keys()], (place, text) => {
      const key = aliases.get(place);
      if (key === undefined) return;
      const recordName = readAlias(text);
      if (recordName === undefined) return accept(key, text);
      const record = recordPlace(this.#identity, recordName);
      records.set(record, [...(records.get(record) ?? []), key]);
    });
    const lostRecords = await this.#read([...records.keys()], (place, text) => {
      for (const key of records.get(place) ?? []) accept(key, text);
    });
    return [
      ...lostAliases.flatMap((place) => aliases.get(place) ?? []),
      ...lostRecords.flatMap((place) => records.get(place) ?? []),
    ];
  }

  /**
   * Looks a page up.
   * @returns undefined where it is not remembered, `unread` where nobody knows, since KV could not be read
   */
  async getPage(name: string): Promise<Envelope | 'unread' | undefined> {
    const recalled = this.#recall(name);
    if (recalled !== undefined) return recalled;
    let envelope: Envelope | undefined;
    const lost = await this.#read([pagePlace(this.#identity, name)], (_place, text) => {
      envelope = readEnvelope(text, this.#now());
      if (envelope !== undefined) this.remember(name, envelope, text.length);
    });
    return lost.length > 0 ? 'unread' : envelope;
  }

  /**
   * Remembers an answer in this isolate.
   * @param size - characters of the answer as JSON
   */
  remember(name: string, envelope: Envelope, size: number): void {
    this.#memory.set(`${this.#identity}:${name}`, envelope, size);
  }

  /** Forgets a page in this isolate and in KV. */
  async forgetPage(name: string): Promise<void> {
    this.#memory.delete(`${this.#identity}:${name}`);
    await this.#kv.delete(pagePlace(this.#identity, name));
  }

  #recall(name: string): Envelope | undefined {
    const envelope = this.#memory.get(`${this.#identity}:${name}`);
    return envelope !== undefined && envelope.keepUntil > this.#now() ? envelope : undefined;
  }

  /** @returns the places that could not be read */
  async #read(places: readonly string[], seen: (place: string, text: string) => void): Promise<string[]> {
    const lost: string[] = [];
    const readBatch = async (batch: string[]): Promise<void> => {
      let found: Map<string, string | null>;
      try {
        found = await this.#kv.get(batch, 'text');
      } catch {
        // An answer of more than 25 MB is refused: halves may fit.
        if (batch.length === 1) {
          lost.push(...batch);
          return;
        }
        await readBatch(batch.slice(0, batch.length / 2));
        await readBatch(batch.slice(batch.length / 2));
        return;
      }
      for (const [place, text] of found) {
        if (text !== null) seen(place, text);
      }
    };
    const batches: string[][] = [];
    for (let at = 0; at < places.length; at += KV_BATCH) batches.push(places.slice(at, at + KV_BATCH));
    await pMap(batches, readBatch, { concurrency: KV_CONCURRENCY });
    return lost;
  }
}
