// Caches answers that other objects fetched for records that callers may request here, until KV serves them everywhere.
import { toReference } from '../../refusal-list/references.ts';
import { SharedCache, SharedMemory } from '../shared-cache.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';

/** KV serves a write everywhere within a minute. */
const TTL_MS = 120_000;
/** Of all objects in an isolate, in characters. */
const MAX_SIZE = 8_000_000;

const memory = new SharedMemory<StoredAnswer>(MAX_SIZE);

/** Answers of other objects, by cache name. They are lost with this object. */
export class PeerAnswers {
  readonly #answers: SharedCache<StoredAnswer>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#answers = new SharedCache(memory, TTL_MS, now);
  }

  get(name: string): StoredAnswer | undefined {
    return this.#answers.get(name);
  }

  set(name: string, answer: StoredAnswer): void {
    this.#answers.set(name, answer, answer.text.length);
  }

  /** Deletes the answers under some names and all answers that name somebody by these pseudonyms. */
  erase(pseudonyms: readonly string[], names: readonly string[]): void {
    const erased = new Set([...pseudonyms, ...pseudonyms.map(toReference)]);
    for (const name of names) this.#answers.delete(name);
    this.#answers.deleteWhere(({ pseudonyms: own, references }) =>
      [...own.flat(), ...references].some((key) => erased.has(key)),
    );
  }
}
