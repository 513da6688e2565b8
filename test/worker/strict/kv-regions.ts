// A KV namespace as it is seen from several places of the world: each write is seen elsewhere only after a while, and what
// was read is cached where it was read.
import { KV_CACHE_MS, KV_WRITE_INTERVAL_MS } from './limits.ts';

interface Version {
  /** When it was written: milliseconds since 1970. */
  at: number;
  /** Where; undefined for what was there before anything was noted, which is seen everywhere. */
  location: string | undefined;
  /** Null where the key does not exist. */
  text: string | null;
}

/** What is known of a namespace, shared by all invocations that use it. */
export class KvRegions {
  readonly #clock: () => number;
  readonly #lagMs: number | undefined;
  readonly #writtenAt = new Map<string, number>();
  readonly #versions = new Map<string, Version[]>();
  readonly #caches = new Map<string, Map<string, { until: number; text: string | null }>>();

  /** @param lagMs - how long a write is hidden from other locations; undefined is a namespace without caches */
  constructor(clock: () => number, lagMs: number | undefined) {
    this.#clock = clock;
    this.#lagMs = lagMs;
  }

  /** Does it matter from where one looks? */
  get hidesWrites(): boolean {
    return this.#lagMs !== undefined;
  }

  /**
   * Notes a write.
   * @returns false where it comes less than a second after another one of the same key
   */
  mayWrite(key: string): boolean {
    const now = this.#clock();
    const before = this.#writtenAt.get(key);
    if (before !== undefined && Math.abs(now - before) < KV_WRITE_INTERVAL_MS) return false;
    this.#writtenAt.set(key, now);
    return true;
  }

  /** Has the key been written since the world began? */
  hasWritten(key: string): boolean {
    return this.#versions.has(key);
  }

  /**
   * Notes what was written.
   * @param before - what stood there; only taken where the key is not known
   */
  recordWrite(key: string, location: string, text: string | null, before: string | null): void {
    const versions = this.#versions.get(key) ?? [
      { at: Number.NEGATIVE_INFINITY, location: undefined, text: before },
    ];
    versions.push({ at: this.#clock(), location, text });
    this.#versions.set(key, versions);
    this.#caches.get(location)?.delete(key);
  }

  /**
   * Tells what a reader sees.
   * @param stored - what is in the namespace
   */
  read(key: string, location: string, stored: string | null): string | null {
    if (this.#lagMs === undefined) return stored;
    const now = this.#clock();
    const cache = this.#caches.get(location) ?? new Map<string, { until: number; text: string | null }>();
    this.#caches.set(location, cache);
    const cached = cache.get(key);
    if (cached !== undefined && now < cached.until) return cached.text;
    const seen = this.#versions
      .get(key)
      ?.findLast(
        (version) =>
          version.location === undefined ||
          version.location === location ||
          version.at + (this.#lagMs ?? 0) <= now,
      );
    const text = seen === undefined ? stored : seen.text;
    cache.set(key, { until: now + KV_CACHE_MS, text });
    return text;
  }
}
