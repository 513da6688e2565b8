// Finds all keys of a person or company: follows keys to cached records and rows of data requests, and these to further keys.
import pMap from 'p-map';
import { families } from '../../shared/families/index.ts';
import type { RowErasure } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import type { Envelope } from '../gateway/cache/envelope.ts';
import {
  listRecordKeys,
  type SubjectKey,
  toKeyText,
  toRecordKeys,
} from '../gateway/refusal-list/named-subjects.ts';
import { findCachedRecord } from './find-record.ts';

/** An invocation may hold six connections. */
const CONCURRENCY = 5;

/** Where keys are found. */
export interface KeySources {
  env: Env;
  /** Identity of the provider. */
  identity: string;
  now: () => number;
  /** Rows of data requests. */
  rows?: Pick<RowErasure, 'findKeys'>;
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

  /** Finds the other keys of a record, in its cached copy and in rows. */
  async #findOtherKeys(key: RecordKey): Promise<SubjectKey[]> {
    const { subject } = families[key.family];
    const cached = await findCachedRecord(key, this.#sources);
    if (cached !== undefined) this.cached.push({ key, envelope: cached });
    const rowKeys = (await this.#sources.rows?.findKeys(key)) ?? [];
    return [
      ...(cached?.content.kind === 'record' ? listRecordKeys(key.family, cached.content.record.value) : []),
      ...rowKeys.map((other) => ({ subject, ...other })),
    ];
  }
}
