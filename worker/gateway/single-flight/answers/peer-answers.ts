// What other flights heard of records that are asked for here too, until KV is sure to have it. Forgotten with the object.
import { LRUCache } from 'lru-cache';
import type { StoredAnswer } from '../storage/answer-repository.ts';

/** KV tells everyone within a minute. */
const LESSON_MS = 120_000;
/** In characters. */
const MAX_SIZE = 2_000_000;

/** The lessons of a flight. */
export class PeerAnswers {
  readonly #lessons: LRUCache<string, StoredAnswer>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#lessons = new LRUCache({ maxSize: MAX_SIZE, ttl: LESSON_MS, perf: { now }, ttlResolution: 0 });
  }

  get(name: string): StoredAnswer | undefined {
    return this.#lessons.get(name);
  }

  set(name: string, kept: StoredAnswer): void {
    this.#lessons.set(name, kept, { size: kept.text.length });
  }

  /** Forgets every answer about someone and what is known under some names. */
  erase(pseudonyms: readonly string[], names: readonly string[]): void {
    const refused = new Set(pseudonyms);
    for (const name of names) this.#lessons.delete(name);
    for (const [name, { pseudonyms: keys }] of this.#lessons.entries()) {
      if (keys.flat().some((key) => refused.has(key))) this.#lessons.delete(name);
    }
  }
}
