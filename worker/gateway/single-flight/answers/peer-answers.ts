// Caches answers that other objects fetched for records that callers may request here, until KV serves them everywhere.
import { LRUCache } from 'lru-cache';
import type { StoredAnswer } from '../storage/answer-repository.ts';

/** KV serves a write everywhere within a minute. */
const TTL_MS = 120_000;
/** In characters. */
const MAX_SIZE = 2_000_000;

/** Answers of other objects, by cache name. They are lost with this object. */
export class PeerAnswers {
  readonly #answers: LRUCache<string, StoredAnswer>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#answers = new LRUCache({ maxSize: MAX_SIZE, ttl: TTL_MS, perf: { now }, ttlResolution: 0 });
  }

  get(name: string): StoredAnswer | undefined {
    return this.#answers.get(name);
  }

  set(name: string, answer: StoredAnswer): void {
    this.#answers.set(name, answer, { size: answer.text.length });
  }

  /** Deletes the answers under some names and all answers that contain a pseudonym. */
  erase(pseudonyms: readonly string[], names: readonly string[]): void {
    const erased = new Set(pseudonyms);
    for (const name of names) this.#answers.delete(name);
    for (const [name, answer] of this.#answers.entries()) {
      if (answer.pseudonyms.flat().some((key) => erased.has(key))) this.#answers.delete(name);
    }
  }
}
