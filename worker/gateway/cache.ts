// Second room: what was bought is remembered. Memory of this isolate first, then KV; docs/storage.md lists the keys.
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { z } from 'zod';
import { type Family, type KeyKind, keepForS, notFoundFreshForS, subjectOf } from '../../shared/families.ts';
import { keysOfRecord, normaliseId } from '../../shared/keys/index.ts';
import { lookupKinds } from '../../shared/operations.ts';
import type { DataRecord } from '../../shared/sheets-api.ts';

/** A key in its one spelling. */
export interface RecordKey {
  family: Family;
  kind: KeyKind;
  value: string;
}

/** What is remembered of a record, or that there is none. Times in milliseconds since 1970. */
export interface Remembered {
  /** Absent where the provider said that there is no such record. */
  record?: DataRecord;
  fetchedAt: number;
  freshUntil: number;
  keepUntil: number;
}

/** A record, or word that there is none; under an alias also the name of the record that it leads to. */
const envelope = z.object({
  record: z.record(z.string(), z.unknown()).optional(),
  fetched_at: z.number(),
  fresh_until: z.number(),
  keep_until: z.number(),
});
const alias = z.object({ record_name: z.string() });
const aliasOrEnvelope = z.union([alias, envelope]);

/** KV answers at most this many keys at once. */
const KV_BATCH = 100;
/** Of the six connections that an invocation may hold open, the others stay free for the provider. */
const KV_CONCURRENCY = 3;
/** An isolate remembers a record this long, so that an erased one is gone everywhere within a minute. */
const MEMORY_TTL_MS = 60_000;
/** In characters of JSON; an isolate has 128 MB for everything. */
const MEMORY_MAX_SIZE = 12_000_000;

/** What an isolate remembers, shared by its requests. */
export class RecordMemory {
  readonly #entries: LRUCache<string, Remembered>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#entries = new LRUCache<string, Remembered>({
      maxSize: MEMORY_MAX_SIZE,
      ttl: MEMORY_TTL_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** @returns what is remembered under this name */
  get(name: string): Remembered | undefined {
    return this.#entries.get(name);
  }

  /** @param size - characters of the record as JSON */
  set(name: string, entry: Remembered, size: number): void {
    this.#entries.set(name, entry, { size: Math.max(1, size) });
  }
}

/**
 * The records remembered for one provider, as one request reaches them. A record is stored once, under its id; its other keys lead to it:
 *
 *     record:<identity>:<family>:id:<id>         → the record, or that there is none
 *     alias:<identity>:<family>:<kind>:<value>   → the name of the record, or that there is none
 */
export class RecordCache {
  readonly #kv: KVNamespace;
  readonly #memory: RecordMemory;
  readonly #identity: string;
  readonly #now: () => number;
  readonly #written = new Set<string>();

  /** @param identity - whose records these are: the provider's identity */
  constructor(kv: KVNamespace, memory: RecordMemory, identity: string, now: () => number) {
    this.#kv = kv;
    this.#memory = memory;
    this.#identity = identity;
    this.#now = now;
  }

  /**
   * Looks keys up: those not in memory cost one KV read for each hundred, and another where a key is not the id.
   * @param keys - distinct
   * @param view - called with each entry as soon as it is there, so that whole records need not be held at once
   * @returns the keys of which nobody knows whether they are remembered, since KV could not be read: to buy them might
   * be to pay twice
   */
  async getMany(
    keys: readonly RecordKey[],
    view: (key: RecordKey, entry: Remembered) => void,
  ): Promise<RecordKey[]> {
    const records = new Map<string, RecordKey[]>();
    const accept = (key: RecordKey, { record, ...times }: z.output<typeof envelope>, size: number): void => {
      const { fetched_at: fetchedAt, fresh_until: freshUntil, keep_until: keepUntil } = times;
      if (keepUntil <= this.#now()) return;
      const entry = { ...(record === undefined ? {} : { record }), fetchedAt, freshUntil, keepUntil };
      this.#memory.set(this.#memoryName(key), entry, size);
      view(key, entry);
    };
    const aliases = new Map<string, RecordKey>();
    for (const key of keys) {
      const entry = this.#memory.get(this.#memoryName(key));
      if (entry !== undefined && entry.keepUntil > this.#now()) view(key, entry);
      else if (key.kind === 'id') records.set(this.#recordName(nameOf(key)), [key]);
      else aliases.set(this.#aliasName(key), key);
    }
    const lostAliases = await this.#read([...aliases.keys()], (name, text) => {
      const key = aliases.get(name);
      const found = parse(aliasOrEnvelope, text);
      if (key === undefined || found === undefined) return;
      if ('fetched_at' in found) return accept(key, found, text.length);
      const recordName = this.#recordName(found.record_name);
      records.set(recordName, [...(records.get(recordName) ?? []), key]);
    });
    const lostRecords = await this.#read([...records.keys()], (name, text) => {
      const found = parse(envelope, text);
      if (found === undefined) return;
      for (const key of records.get(name) ?? []) accept(key, found, text.length);
    });
    return [
      ...lostAliases.flatMap((name) => aliases.get(name) ?? []),
      ...lostRecords.flatMap((name) => records.get(name) ?? []),
    ];
  }

  /**
   * Remembers what the provider said of a key: in memory at once, in KV as soon as `stored` resolves, which it always
   * does. A write that fails is logged; what was bought is answered all the same.
   * @param record - undefined where it has no such record
   */
  put(key: RecordKey, record: DataRecord | undefined): { entry: Remembered; stored: Promise<void> } {
    const fetchedAt = this.#now();
    const keepS = record === undefined ? notFoundFreshForS : keepForS;
    const freshS = record === undefined ? notFoundFreshForS : subjectOf(key.family).freshForS;
    const times = { fetchedAt, freshUntil: fetchedAt + freshS * 1000, keepUntil: fetchedAt + keepS * 1000 };
    const text = JSON.stringify({
      record,
      fetched_at: times.fetchedAt,
      fresh_until: times.freshUntil,
      keep_until: times.keepUntil,
    });
    const entry = { ...(record === undefined ? {} : { record }), ...times };
    this.#memory.set(this.#memoryName(key), entry, text.length);
    const stored = this.#store(key, record, text, keepS).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown';
      console.error(JSON.stringify({ event: 'not_remembered', family: key.family, error: name }));
    });
    return { entry, stored };
  }

  async #store(key: RecordKey, record: DataRecord | undefined, text: string, keepS: number): Promise<void> {
    const expiry = { expirationTtl: keepS };
    if (record === undefined) {
      const name = key.kind === 'id' ? this.#recordName(nameOf(key)) : this.#aliasName(key);
      await this.#kv.put(name, text, expiry);
      return;
    }
    const { name, others } = namesOf(key, record);
    // KV takes one write a second for a key, and several keys of a call may lead to one record.
    if (!this.#written.has(name)) {
      this.#written.add(name);
      await this.#kv.put(this.#recordName(name), text, expiry);
    }
    const leading = JSON.stringify({ record_name: name });
    await pMap(others, (other) => this.#kv.put(this.#aliasName(other), leading, expiry), {
      concurrency: KV_CONCURRENCY,
    });
  }

  #memoryName(key: RecordKey): string {
    return `${this.#identity}:${nameOf(key)}`;
  }

  #recordName(name: string): string {
    return `record:${this.#identity}:${name}`;
  }

  #aliasName(key: RecordKey): string {
    return `alias:${this.#identity}:${nameOf(key)}`;
  }

  /** @returns the names that could not be read */
  async #read(names: readonly string[], seen: (name: string, text: string) => void): Promise<string[]> {
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
      for (const [name, text] of found) {
        if (text !== null) seen(name, text);
      }
    };
    const batches: string[][] = [];
    for (let at = 0; at < names.length; at += KV_BATCH) batches.push(names.slice(at, at + KV_BATCH));
    await pMap(batches, readBatch, { concurrency: KV_CONCURRENCY });
    return lost;
  }
}

const nameOf = (key: RecordKey): string => `${key.family}:${key.kind}:${key.value}`;

/**
 * Under which name a record is stored and which keys lead to it: the one that was asked and its own shorthand name.
 * A record without a usable id is stored under the key that was asked.
 */
function namesOf(asked: RecordKey, record: DataRecord): { name: string; others: RecordKey[] } {
  const { family } = asked;
  const id = normaliseId(String(record.id ?? ''));
  const name = id.ok ? nameOf({ family, kind: 'id', value: id.value }) : nameOf(asked);
  const [shorthandName] = keysOfRecord(family, record).shorthand_name;
  const others = new Map([[nameOf(asked), asked]]);
  if (shorthandName !== undefined && lookupKinds(family).includes('shorthand_name')) {
    const own: RecordKey = { family, kind: 'shorthand_name', value: shorthandName };
    others.set(nameOf(own), own);
  }
  if (asked.kind === 'id') others.delete(nameOf(asked));
  return { name, others: [...others.values()] };
}

function parse<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
