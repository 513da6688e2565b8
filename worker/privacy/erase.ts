// Erases a person or company from every store, and refuses their keys permanently. Only pseudonyms of the keys are kept.
import pMap from 'p-map';
import { type Family, families, familyNames, type KeyKind } from '../../shared/families/index.ts';
import { extractKeys, normaliseId } from '../../shared/keys/index.ts';
import { getLookupKinds } from '../../shared/operations.ts';
import type { RowErasure } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import { AnswerCache, MemoryCache } from '../gateway/cache/answer-cache.ts';
import {
  fromKvKey,
  getKvPrefixes,
  type RecordKey,
  toCacheName,
  toLookupKvKey,
} from '../gateway/cache/cache-keys.ts';
import { decodeEnvelope, type Envelope } from '../gateway/cache/envelope.ts';
import type { Platform } from '../gateway/platform.ts';
import { buildKeyCall } from '../gateway/record-call.ts';
import { addErasedKeys, beginErasure, completeErasure } from '../gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { findTracedEntries } from '../gateway/refusal-list/traces.ts';
import { eraseAnswers, fetchCalls } from '../gateway/single-flight/client.ts';
import { logError } from '../http/log.ts';
import { deleteMentions } from './mentions.ts';

/** Result of an erasure. */
export interface Erasure {
  /** Id of the stored proof. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** When no isolate and no copy of KV has the data any more: milliseconds since 1970. */
  goneEverywhereBy: number;
  /** Counts of deleted entries by store. */
  removed: { keys: number; kv: number; flights: number; pages: number; rows?: number };
}

/** KV propagates within a minute, and isolates cache for another one. */
const EVERYWHERE_MS = 120_000;
/** Longest chain from keys to records to further keys. */
const MAX_ROUNDS = 5;
/** An invocation may hold six connections. */
const KV_CONCURRENCY = 5;
/** KV allows one write per second and key, so a deletion right after a write is retried. */
const DELETE_ATTEMPTS = 3;
const DELETE_PAUSE_MS = 1_100;

/** Dependencies of an erasure. */
export interface ErasureContext extends Pick<Platform, 'now' | 'sleep'> {
  env: Env;
  /** Identity of the provider. */
  identity: string;
  newId: () => string;
  /** Deletes answers from this isolate's memory, by cache name. */
  evict: (names: readonly string[]) => void;
  /** Erases rows of data requests. */
  rows?: RowErasure;
}

/**
 * Finds the cached answer for a key, in KV or in its single flight.
 * @throws if KV can't be read
 */
export async function findCachedRecord(
  key: RecordKey,
  { env, identity, now }: Pick<ErasureContext, 'env' | 'identity' | 'now'>,
): Promise<Envelope | undefined> {
  const cache = new AnswerCache(env.RECORDS, new MemoryCache(now), identity, now);
  let found: Envelope | undefined;
  const unread = await cache.readRecords([key], (_key, envelope) => {
    found = envelope;
  });
  if (unread.length > 0) throw new Error('KV can’t be read.');
  const call = buildKeyCall(key);
  if (found !== undefined || call === undefined) return found;
  const rows = await fetchCalls(env, {
    identity,
    calls: [call],
    payer: { team: '', token: '' },
    lane: 'bulk',
    waitMs: 0,
    background: false,
  });
  const row = rows.get(toCacheName(key));
  return row !== undefined && 'envelope' in row ? row.envelope : undefined;
}

const listSubjectFamilies = (family: Family): Family[] =>
  familyNames.filter((name) => families[name].subject === families[family].subject);

/** Lists the keys of a record in every family of its subject. */
function listRecordKeys(family: Family, record: Record<string, unknown>): RecordKey[] {
  const id = normaliseId(String(record.id ?? ''));
  const { website, shorthand_name } = extractKeys(family, record);
  const values: [KeyKind, string][] = [
    ...(id.ok ? [['id', id.value] as [KeyKind, string]] : []),
    ...website.map((value): [KeyKind, string] => ['website', value]),
    ...shorthand_name.map((value): [KeyKind, string] => ['shorthand_name', value]),
  ];
  return listSubjectFamilies(family).flatMap((name) =>
    values
      .filter(([kind]) => getLookupKinds(name).includes(kind))
      .map(([kind, value]) => ({ family: name, kind, value })),
  );
}

/** Collects all known keys of a person or company, and the KV entries that contain them. */
class ErasureSearch {
  readonly #key: RecordKey;
  readonly #context: ErasureContext;
  readonly #pseudonymiser: Pseudonyms;
  readonly keys = new Map<string, RecordKey>();
  readonly pseudonyms = new Set<string>();
  readonly kvKeys = new Set<string>();
  /** Cache names of keys that were looked up in rows. */
  readonly #searchedInRows = new Set<string>();
  answerCount = 0;

  constructor(key: RecordKey, context: ErasureContext, pseudonymiser: Pseudonyms) {
    this.#key = key;
    this.#context = context;
    this.#pseudonymiser = pseudonymiser;
  }

  /** Adds keys and pseudonyms. @returns the new pseudonyms */
  async #add(keys: readonly RecordKey[], pseudonyms: readonly string[] = []): Promise<string[]> {
    for (const key of keys) this.keys.set(toCacheName(key), key);
    const ofKeys = await Promise.all(keys.map((key) => this.#pseudonymiser.forKey(key)));
    const fresh = [...new Set([...ofKeys, ...pseudonyms])].filter(
      (pseudonym) => !this.pseudonyms.has(pseudonym),
    );
    for (const pseudonym of fresh) this.pseudonyms.add(pseudonym);
    return fresh;
  }

  /** Follows keys to records and their other keys. The single flights delete their answers and refuse the keys at once. */
  async run(erasure: string): Promise<void> {
    const { env, identity } = this.#context;
    const initialKeys = listSubjectFamilies(this.#key.family).map((family) => ({ ...this.#key, family }));
    let fresh = await this.#add(initialKeys);
    fresh = [...fresh, ...(await this.#add(await this.#findCachedKeys(initialKeys)))];
    for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round += 1) {
      // First, so that concurrent writes are refused.
      const earlier = await addErasedKeys(env.DB, erasure, fresh);
      const before = await this.#add([], earlier);
      const erased = await eraseAnswers(env, identity, [...fresh, ...before], [...this.keys.keys()]);
      this.answerCount += erased.answers;
      for (const kvKey of erased.kvKeys) this.kvKeys.add(kvKey);
      fresh = [
        ...(await this.#add([], erased.pseudonyms)),
        ...(await this.#add(await this.#findKeysInKv())),
        ...(await this.#add(await this.#findKeysInRows())),
      ];
    }
  }

  /** Returns the keys of cached records. */
  async #findCachedKeys(keys: readonly RecordKey[]): Promise<RecordKey[]> {
    const found = await pMap(keys, (key) => findCachedRecord(key, this.#context), {
      concurrency: KV_CONCURRENCY,
    });
    return found.flatMap((envelope, at) => {
      const family = keys[at]?.family;
      if (envelope?.content.kind !== 'record' || family === undefined) return [];
      return listRecordKeys(family, envelope.content.record);
    });
  }

  /** Looks up new keys in the rows of data requests. @returns all keys of the records there */
  async #findKeysInRows(): Promise<RecordKey[]> {
    const { rows } = this.#context;
    const newKeys = [...this.keys].filter(([name]) => !this.#searchedInRows.has(name));
    if (rows === undefined) return [];
    for (const [name] of newKeys) this.#searchedInRows.add(name);
    const found = await pMap(newKeys, ([, key]) => rows.findKeys(key), { concurrency: KV_CONCURRENCY });
    return listSubjectFamilies(this.#key.family).flatMap((family) =>
      found
        .flat()
        .filter(({ kind }) => getLookupKinds(family).includes(kind))
        .map((key) => ({ family, ...key })),
    );
  }

  /** Adds the KV entries of the known pseudonyms. @returns all keys of the records there */
  async #findKeysInKv(): Promise<RecordKey[]> {
    const { env, identity } = this.#context;
    const getPrefixes = (family: Family) => getKvPrefixes(identity, family);
    const prefixes = listSubjectFamilies(this.#key.family).flatMap((family) =>
      [getPrefixes(family).records, getPrefixes(family).aliases].map((prefix) => ({ prefix, family })),
    );
    const entries = await pMap(
      [...prefixes, { prefix: getPrefixes(this.#key.family).previews, family: undefined }],
      async ({ prefix, family }) => {
        const found = await findTracedEntries(env.RECORDS, prefix, this.pseudonyms);
        return found.map((kvKey) => ({ kvKey, family }));
      },
      { concurrency: KV_CONCURRENCY },
    );
    const newEntries = entries.flat().filter(({ kvKey }) => !this.kvKeys.has(kvKey));
    for (const { kvKey } of newEntries) this.kvKeys.add(kvKey);
    const keys = await pMap(
      newEntries,
      async ({ kvKey, family }) => {
        const text = family === undefined ? null : await env.RECORDS.get(kvKey);
        const content = text === null ? undefined : decodeEnvelope(text, 0)?.content;
        return family !== undefined && content?.kind === 'record'
          ? listRecordKeys(family, content.record)
          : [];
      },
      { concurrency: KV_CONCURRENCY },
    );
    return keys.flat();
  }
}

async function deleteFromKv(kvKey: string, { env, sleep }: ErasureContext): Promise<void> {
  for (let attemptsLeft = DELETE_ATTEMPTS; ; attemptsLeft -= 1) {
    try {
      return await env.RECORDS.delete(kvKey);
    } catch (error) {
      logError('kv_delete_failed', error, { attempts_left: attemptsLeft - 1 });
      if (attemptsLeft <= 1) throw error;
      await sleep(DELETE_PAUSE_MS);
    }
  }
}

/**
 * Erases the person or company with a key, in every family of the subject and under all known keys.
 * @throws if a store can't be reached: nothing is certified, and repeating the call continues
 */
export async function erase(key: RecordKey, context: ErasureContext): Promise<Erasure> {
  const { env, identity, now, newId } = context;
  const id = newId();
  const at = now();
  const search = new ErasureSearch(key, context, await Pseudonyms.load(env.DB));
  await beginErasure(env.DB, id, at, families[key.family].subject);
  await search.run(id);

  const listed = [...search.kvKeys];
  // KV does not list recent writes yet, so the keys are also deleted directly.
  const direct = [...search.keys.values()].map((recordKey) => toLookupKvKey(identity, recordKey));
  const all = [...new Set([...listed, ...direct])];
  await pMap(all, (kvKey) => deleteFromKv(kvKey, context), { concurrency: KV_CONCURRENCY });
  await deleteMentions(env.DB, search.keys.values());
  context.evict(all.map((kvKey) => fromKvKey(identity, kvKey)));
  const rows = await context.rows?.remove([...search.keys.values()]);

  const { previews } = getKvPrefixes(identity, key.family);
  const removed = {
    keys: search.pseudonyms.size,
    kv: listed.length,
    flights: search.answerCount,
    pages: listed.filter((kvKey) => kvKey.startsWith(previews)).length,
    ...(rows === undefined ? {} : { rows }),
  };
  const goneEverywhereBy = now() + EVERYWHERE_MS;
  await completeErasure(env.DB, id, removed, goneEverywhereBy);
  return { id, at, goneEverywhereBy, removed };
}
