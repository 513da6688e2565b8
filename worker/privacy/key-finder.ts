// Finds all keys of a person or company: follows keys to cached records and rows of data requests, and these to further keys.
import pMap from 'p-map';
import { families } from '../../shared/families/index.ts';
import { findRowKeys } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import { AnswerCache, MemoryCache } from '../gateway/cache/answer-cache.ts';
import { type RecordKey, toCacheName } from '../gateway/cache/cache-keys.ts';
import type { Envelope } from '../gateway/cache/envelope.ts';
import { buildKeyCall } from '../gateway/record-call.ts';
import {
  listRecordKeys,
  type SubjectKey,
  toKeyText,
  toRecordKeys,
} from '../gateway/refusal-list/named-subjects.ts';
import { fetchCalls } from '../gateway/single-flight/client.ts';

/** An invocation may hold six connections. */
const CONCURRENCY = 5;

export interface KeySources {
  env: Env;
  identity: string;
  now: () => number;
}

/** A cached answer with the key that led to it. */
export interface CachedCopy {
  key: RecordKey;
  envelope: Envelope;
}

/** Follows each key once. */
export class KeyFinder {
  readonly #sources: KeySources;
  readonly #visited = new Set<string>();
  /** Cached answers that were found, absent records included. */
  readonly cached: CachedCopy[] = [];

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /**
   * Follows keys until they lead to no further ones.
   * @param budget - keys to follow at most; it may be exceeded by those found together
   * @returns the keys that were not followed before, the given ones included
   * @throws if a store can't be reached
   */
  async follow(keys: Iterable<SubjectKey>, budget = Number.POSITIVE_INFINITY): Promise<SubjectKey[]> {
    const followed: SubjectKey[] = [];
    for (let next = this.#takeNew(keys); next.length > 0; ) {
      followed.push(...next);
      if (followed.length >= budget) break;
      const found = await pMap(toRecordKeys(next), (key) => this.#findOtherKeys(key), {
        concurrency: CONCURRENCY,
      });
      next = this.#takeNew(found.flat());
    }
    return followed;
  }

  #takeNew(keys: Iterable<SubjectKey>): SubjectKey[] {
    const fresh = [...keys].filter((key) => !this.#visited.has(toKeyText(key)));
    for (const key of fresh) this.#visited.add(toKeyText(key));
    return [...new Map(fresh.map((key) => [toKeyText(key), key])).values()];
  }

  async #findOtherKeys(key: RecordKey): Promise<SubjectKey[]> {
    const { subject } = families[key.family];
    const cached = await findCachedRecord(key, this.#sources);
    if (cached !== undefined) this.cached.push({ key, envelope: cached });
    const rowKeys = await findRowKeys(this.#sources.env, key);
    return [
      ...(cached?.content.kind === 'record' ? listRecordKeys(key.family, cached.content.record.value) : []),
      ...rowKeys.map((other) => ({ subject, ...other })),
    ];
  }
}

/** Finds the cached answer for a key, in KV or in its single flight. @throws if KV can't be read */
export async function findCachedRecord(
  key: RecordKey,
  { env, identity, now }: KeySources,
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
