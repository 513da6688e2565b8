// Erasing a person or company: gone from every layer, refused from then on, with proof. What it is known by is kept as
// pseudonyms alone.
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

/** What an erasure did. */
export interface Erasure {
  /** Under which its proof is kept. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** By then no isolate and no copy of KV holds it any more: milliseconds since 1970. */
  goneEverywhereBy: number;
  /** How much was removed where. */
  removed: { keys: number; kv: number; flights: number; pages: number; rows?: number };
}

/** KV tells everyone within a minute, and an isolate remembers for another one. */
const EVERYWHERE_MS = 120_000;
/** A record leads to other keys, and those to records of other families; no chain is longer. */
const MAX_ROUNDS = 5;
/** Of the six connections that an invocation may hold open. */
const KV_CONCURRENCY = 5;
/** KV takes one write a second for a key: what was just written is deleted when it may be. */
const DELETE_TRIES = 3;
const DELETE_PAUSE_MS = 1_100;

/** What an erasure works with. */
export interface ErasureContext extends Pick<Platform, 'now' | 'after'> {
  env: Env;
  /** The provider's. */
  identity: string;
  newId: () => string;
  /** Forgets answers in this isolate at once, by their names. */
  forget: (names: readonly string[]) => void;
  /** Where there are rows of data requests. */
  rows?: RowErasure;
}

/**
 * Finds what is remembered of a key: in KV, or in the flight that heard it.
 * @throws where KV can't be read, so that nobody takes that for nothing
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

/** The keys of a record in every family of its subject. */
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

/** Somebody who is being erased: every key that leads there, as far as what is remembered tells, and all that is found. */
class ErasureSearch {
  readonly #asked: RecordKey;
  readonly #context: ErasureContext;
  readonly #maker: Pseudonyms;
  readonly keys = new Map<string, RecordKey>();
  readonly pseudonyms = new Set<string>();
  readonly places = new Set<string>();
  /** Names of keys that were followed in rows. */
  readonly #sought = new Set<string>();
  answerCount = 0;

  constructor(asked: RecordKey, context: ErasureContext, maker: Pseudonyms) {
    this.#asked = asked;
    this.#context = context;
    this.#maker = maker;
  }

  /** @returns pseudonyms that were not known */
  async #add(keys: readonly RecordKey[], pseudonyms: readonly string[] = []): Promise<string[]> {
    for (const key of keys) this.keys.set(toCacheName(key), key);
    const made = await Promise.all(keys.map((key) => this.#maker.forKey(key)));
    const fresh = [...new Set([...made, ...pseudonyms])].filter((one) => !this.pseudonyms.has(one));
    for (const pseudonym of fresh) this.pseudonyms.add(pseudonym);
    return fresh;
  }

  /** Follows every key to where it leads, and has flights forget and refuse it at once. */
  async search(erasure: string): Promise<void> {
    const { env, identity } = this.#context;
    const asked = listSubjectFamilies(this.#asked.family).map((family) => ({ ...this.#asked, family }));
    let fresh = await this.#add(asked);
    fresh = [...fresh, ...(await this.#add(await this.#recalled(asked)))];
    for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round += 1) {
      // Whatever comes from here on is refused already.
      const earlier = await addErasedKeys(env.DB, erasure, fresh);
      const before = await this.#add([], earlier);
      const swept = await eraseAnswers(env, identity, [...fresh, ...before], [...this.keys.keys()]);
      this.answerCount += swept.answers;
      for (const place of swept.kvKeys) this.places.add(place);
      fresh = [
        ...(await this.#add([], swept.pseudonyms)),
        ...(await this.#add(await this.#listed())),
        ...(await this.#add(await this.#inRows())),
      ];
    }
  }

  async #recalled(keys: readonly RecordKey[]): Promise<RecordKey[]> {
    const found = await pMap(keys, (key) => findCachedRecord(key, this.#context), {
      concurrency: KV_CONCURRENCY,
    });
    return found.flatMap((envelope, at) => {
      const family = keys[at]?.family;
      if (envelope?.content.kind !== 'record' || family === undefined) return [];
      return listRecordKeys(family, envelope.content.record);
    });
  }

  /** @returns the keys of records in rows that keys lead to which were not followed there before */
  async #inRows(): Promise<RecordKey[]> {
    const { rows } = this.#context;
    const own = [...this.keys].filter(([name]) => !this.#sought.has(name));
    if (rows === undefined) return [];
    for (const [name] of own) this.#sought.add(name);
    const found = await pMap(own, ([, key]) => rows.findKeys(key), { concurrency: KV_CONCURRENCY });
    return listSubjectFamilies(this.#asked.family).flatMap((family) =>
      found
        .flat()
        .filter(({ kind }) => getLookupKinds(family).includes(kind))
        .map((key) => ({ family, ...key })),
    );
  }

  /** Finds what KV holds. @returns the keys of records there */
  async #listed(): Promise<RecordKey[]> {
    const { env, identity } = this.#context;
    const of = (family: Family) => getKvPrefixes(identity, family);
    const prefixes = listSubjectFamilies(this.#asked.family).flatMap((family) =>
      [of(family).records, of(family).aliases].map((prefix) => ({ prefix, family })),
    );
    const all = await pMap(
      [...prefixes, { prefix: of(this.#asked.family).previews, family: undefined }],
      async ({ prefix, family }) => {
        const found = await findTracedEntries(env.RECORDS, prefix, this.pseudonyms);
        return found.map((place) => ({ place, family }));
      },
      { concurrency: KV_CONCURRENCY },
    );
    const fresh = all.flat().filter(({ place }) => !this.places.has(place));
    for (const { place } of fresh) this.places.add(place);
    const keys = await pMap(
      fresh,
      async ({ place, family }) => {
        const text = family === undefined ? null : await env.RECORDS.get(place);
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

async function deleteFromKv(place: string, { env, after }: ErasureContext): Promise<void> {
  for (let left = DELETE_TRIES; ; left -= 1) {
    try {
      return await env.RECORDS.delete(place);
    } catch (error) {
      logError('kv_delete_failed', error, { attempts_left: left - 1 });
      if (left <= 1) throw error;
      await after(DELETE_PAUSE_MS);
    }
  }
}

/**
 * Erases whoever is behind a key: in every family of its subject, under every key that is known.
 * @throws where a layer can't be reached: then nothing is proven, and the same call once more goes on
 */
export async function erase(asked: RecordKey, context: ErasureContext): Promise<Erasure> {
  const { env, identity, now, newId } = context;
  const id = newId();
  const at = now();
  const trail = new ErasureSearch(asked, context, await Pseudonyms.load(env.DB));
  await beginErasure(env.DB, id, at, families[asked.family].subject);
  await trail.search(id);

  const places = [...trail.places];
  // Also what was written so lately that it is not listed yet.
  const direct = [...trail.keys.values()].map((key) => toLookupKvKey(identity, key));
  const all = [...new Set([...places, ...direct])];
  await pMap(all, (place) => deleteFromKv(place, context), { concurrency: KV_CONCURRENCY });
  await deleteMentions(env.DB, trail.keys.values());
  context.forget(all.map((place) => fromKvKey(identity, place)));
  const rows = await context.rows?.remove([...trail.keys.values()]);

  const removed = {
    keys: trail.pseudonyms.size,
    kv: places.length,
    flights: trail.answerCount,
    pages: places.filter((place) => place.startsWith(getKvPrefixes(identity, asked.family).previews)).length,
    ...(rows === undefined ? {} : { rows }),
  };
  const goneEverywhereBy = now() + EVERYWHERE_MS;
  await completeErasure(env.DB, id, removed, goneEverywhereBy);
  return { id, at, goneEverywhereBy, removed };
}
