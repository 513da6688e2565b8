// Cancellations of the last minute: one may arrive before the calls that it cancels.
import type { LRUCache } from 'lru-cache';
import { createBoundedCache } from '../../../lib/bounded-cache.ts';

const KEEP_MS = 60_000;
const MAX_KEPT = 1_000;

/** The cancellations that a single-flight object knows. They are lost with the object. */
export class Cancellations {
  readonly #known: LRUCache<string, true>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#known = createBoundedCache(MAX_KEPT, { ttlMs: KEEP_MS, now });
  }

  /** Records the cancellation of a team's request. */
  add(team: string, cancelId: string): void {
    this.#known.set(`${team}:${cancelId}`, true);
  }

  has(team: string, cancelId: string): boolean {
    return this.#known.has(`${team}:${cancelId}`);
  }
}
