// Runs an erasure: collects every key, and deletes or strips every copy. It continues where an earlier invocation ended.
import { families } from '../../shared/families/index.ts';
import { eraseFromFailures, eraseFromRequests, stripOtherRows } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import { type RecordKey, toCacheName } from '../gateway/cache/cache-keys.ts';
import type { Platform } from '../gateway/platform.ts';
import { addErasedKeys } from '../gateway/refusal-list/erasure-list.ts';
import {
  type ErasureCounts,
  type ErasureWork,
  type NewErasure,
  noCounts,
  saveErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { createNameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { type SubjectKey, toKeyText, toRecordKeys } from '../gateway/refusal-list/named-subjects.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { eraseFromShard, refuseInShard, shards } from '../gateway/single-flight/client.ts';
import type { ErasedCopies, EraseRequest, FoundKeys } from '../gateway/single-flight/service.ts';
import { eraseEnrichedKeys, eraseFromTables } from '../tables/erasure.ts';
import { ErasureJournal } from './erasure-journal.ts';
import { KeyFinder } from './key-finder.ts';
import { eraseFromSearches } from './person-search/search-store.ts';

/** Calls of single-flight objects in one invocation, which may make a thousand calls in total; an erasure also reads KV and D1. */
const MAX_CALLS = 400;
const CALLS_PER_ROW_PAGES = 50;

export interface ErasureContext extends Pick<Platform, 'now' | 'sleep'> {
  env: Env;
  identity: string;
  /** Deletes answers from this isolate's memory, by cache name. */
  evict: (names: readonly string[]) => void;
}

export function createWork({ family, kind, value }: RecordKey): ErasureWork {
  const { subject } = families[family];
  return {
    keys: kind === 'verbatim' ? [] : [{ subject, kind, value }],
    pseudonyms: [],
    shards: null,
    rowsAfter: '',
    removed: noCounts,
  };
}

export class ErasureRun {
  readonly #id: string;
  readonly #context: ErasureContext;
  readonly #work: ErasureWork;
  readonly #pseudonymiser: Pseudonyms;
  readonly #keys: Map<string, SubjectKey>;
  readonly #pseudonyms: Set<string>;
  readonly #finder: KeyFinder;
  readonly #journal: ErasureJournal;
  #calls = 0;

  private constructor(erasure: NewErasure, context: ErasureContext, pseudonymiser: Pseudonyms) {
    const { id, work } = erasure;
    this.#id = id;
    this.#journal = new ErasureJournal(context.env, context.now, erasure);
    this.#work = structuredClone(work);
    this.#context = context;
    this.#pseudonymiser = pseudonymiser;
    this.#finder = new KeyFinder(context);
    this.#keys = new Map(work.keys.map((key) => [toKeyText(key), key]));
    this.#pseudonyms = new Set(work.pseudonyms);
  }

  static async open(erasure: NewErasure, context: ErasureContext): Promise<ErasureRun> {
    return new ErasureRun(erasure, context, await Pseudonyms.load(context.env));
  }

  /** What was removed so far. */
  get removed(): ErasureCounts {
    return { ...this.#work.removed, keys: this.#pseudonyms.size };
  }

  /**
   * Runs until the erasure is complete or the limit of the invocation is reached.
   * @returns whether it is complete
   * @throws if a store can't be reached; the next run continues
   */
  async run(): Promise<boolean> {
    const work = this.#work;
    if (work.shards === null) {
      if (!(await this.#refuseAll())) return false;
      work.shards = [...shards];
    }
    if (!(await this.#eraseFromShards(work.shards))) return false;
    const keys = toRecordKeys([...this.#keys.values()]);
    this.#context.evict(keys.map(toCacheName));
    await deleteMentions(this.#context.env.DB, keys);
    await eraseFromSearches(this.#context.env);
    await eraseEnrichedKeys(this.#context.env.DB, [...this.#pseudonyms]);
    work.removed.rows += await eraseFromRequests(this.#context.env, keys);
    if (!(await this.#stripRowsOfOthers())) return false;
    await this.#journal.writeCounts(this.removed);
    return true;
  }

  #add({ keys, pseudonyms }: FoundKeys): void {
    for (const key of keys) this.#keys.set(toKeyText(key), key);
    for (const pseudonym of pseudonyms) this.#pseudonyms.add(pseudonym);
  }

  /**
   * Refuses all keys, and finds further ones in the records that these lead to, until there are no more.
   * @returns whether it is complete. The found keys are stored, and the next invocation begins with them
   */
  async #refuseAll(): Promise<boolean> {
    const { env, identity } = this.#context;
    while (this.#calls < MAX_CALLS) {
      await this.#findKeys();
      await this.#writeJournal();
      const earlier = await addErasedKeys(env.DB, this.#id, [...this.#pseudonyms]);
      this.#add({ keys: [], pseudonyms: earlier });
      const known = this.#keys.size + this.#pseudonyms.size;
      await this.#save();
      const request = this.#createRequest();
      this.#calls += shards.length;
      const found = await Promise.all(shards.map((shard) => refuseInShard(env, identity, shard, request)));
      for (const each of found) this.#add(each);
      if (this.#keys.size + this.#pseudonyms.size === known) return true;
    }
    await this.#save();
    return false;
  }

  #createRequest(): EraseRequest {
    const keys = [...this.#keys.values()];
    return { pseudonyms: [...this.#pseudonyms], keys, names: toRecordKeys(keys).map(toCacheName) };
  }

  async #findKeys(): Promise<void> {
    for (const key of await this.#finder.follow(this.#keys.values())) {
      this.#keys.set(toKeyText(key), key);
      this.#pseudonyms.add(await this.#pseudonymiser.forSubjectKey(key));
    }
  }

  /** @param left - objects that are not done. @returns whether all are done */
  async #eraseFromShards(left: number[]): Promise<boolean> {
    const { env, identity } = this.#context;
    const request = this.#createRequest();
    for (let pending = left; pending.length > 0; ) {
      if (this.#calls >= MAX_CALLS) return false;
      this.#calls += pending.length;
      const results = await Promise.allSettled(
        pending.map((shard) => eraseFromShard(env, identity, shard, request)),
      );
      const erased = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      for (const each of erased) this.#count(each);
      const refused = [...new Set(erased.flatMap((each) => each.refused))];
      await this.#writeJournal(refused);
      await addErasedKeys(env.DB, this.#id, refused);
      pending = pending.filter((_, index) => {
        const result = results[index];
        return result?.status !== 'fulfilled' || !result.value.isDone;
      });
      this.#work.shards = pending;
      await this.#save();
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
    return true;
  }

  #count({ answers, kv, pages, mentions }: ErasedCopies): void {
    const { removed } = this.#work;
    removed.single_flight += answers;
    removed.kv += kv;
    removed.pages += pages;
    removed.mentions += mentions;
  }

  /** @returns whether all rows are read */
  async #stripRowsOfOthers(): Promise<boolean> {
    const work = this.#work;
    while (work.rowsAfter !== null) {
      if (this.#calls >= MAX_CALLS) return false;
      const keys = [...this.#keys.values()];
      const stripped = await stripOtherRows(this.#context.env, keys, work.rowsAfter);
      work.removed.mentions += stripped.rows;
      work.rowsAfter = stripped.after;
      this.#calls += CALLS_PER_ROW_PAGES;
      await this.#save();
    }
    return true;
  }

  /** Writes the known pseudonyms before D1 has them. @param refused - further pseudonyms */
  async #writeJournal(refused: readonly string[] = []): Promise<void> {
    const pseudonyms = [...this.#pseudonyms, ...refused];
    await this.#journal.write([...this.#keys.values()], pseudonyms, this.removed);
  }

  async #save(): Promise<void> {
    const keys = [...this.#keys.values()];
    const work = { ...this.#work, keys, pseudonyms: [...this.#pseudonyms], removed: this.removed };
    await saveErasure(this.#context.env.DB, this.#id, work);
  }
}

/**
 * Deletes saved searches, runs, registered tables, alert messages and provider answers that name a person or company by id,
 * shorthand name, profile URL or website. Other texts stay: see {@link createNameMatcher}.
 * @param keys - all keys of the person or company
 * @returns the number of deleted rows
 */
export async function deleteMentions(db: D1Database, keys: Iterable<RecordKey>): Promise<number> {
  const matcher = createNameMatcher(keys);
  if (matcher === undefined) return 0;
  const deleted = await eraseFromTables(db, matcher);
  await eraseFromFailures(db, matcher);
  return deleted;
}
