// A KV namespace as several locations see it: writes appear elsewhere after a delay, and each location caches its reads.
import { KV_CACHE_MS, KV_WRITE_INTERVAL_MS } from './limits.ts';
import { WriteTimes } from './write-times.ts';

interface Version {
  /** Milliseconds since 1970. */
  at: number;
  /** Where it was written; undefined for the value before the first recorded write, which is visible everywhere. */
  location: string | undefined;
  /** Null if the key does not exist. */
  text: string | null;
}

/** The writes and caches of a namespace, shared by all invocations. */
export class KvRegions {
  readonly #clock: () => number;
  readonly #lagMs: number | undefined;
  readonly writes: WriteTimes;
  readonly #versions = new Map<string, Version[]>();
  readonly #caches = new Map<string, Map<string, { until: number; text: string | null }>>();

  /** @param lagMs - how long a write is hidden from other locations; undefined shows it at once, without caches */
  constructor(clock: () => number, lagMs: number | undefined) {
    this.#clock = clock;
    this.#lagMs = lagMs;
    this.writes = new WriteTimes(clock, KV_WRITE_INTERVAL_MS);
  }

  get hidesWrites(): boolean {
    return this.#lagMs !== undefined;
  }

  hasWritten(key: string): boolean {
    return this.#versions.has(key);
  }

  /** Records a write. @param before - the previous value, used for the first write of a key */
  recordWrite(key: string, location: string, text: string | null, before: string | null): void {
    const versions = this.#versions.get(key) ?? [
      { at: Number.NEGATIVE_INFINITY, location: undefined, text: before },
    ];
    versions.push({ at: this.#clock(), location, text });
    this.#versions.set(key, versions);
    this.#caches.get(location)?.delete(key);
  }

  /** Returns the value that a location sees. @param stored - the current value */
  read(key: string, location: string, stored: string | null): string | null {
    const lagMs = this.#lagMs;
    if (lagMs === undefined) return stored;
    const now = this.#clock();
    const cache = this.#caches.get(location) ?? new Map<string, { until: number; text: string | null }>();
    this.#caches.set(location, cache);
    const cached = cache.get(key);
    if (cached !== undefined && now < cached.until) return cached.text;
    const visible = this.#versions
      .get(key)
      ?.findLast(
        (version) =>
          version.location === undefined || version.location === location || version.at + lagMs <= now,
      );
    const text = visible === undefined ? stored : visible.text;
    cache.set(key, { until: now + KV_CACHE_MS, text });
    return text;
  }
}
