// Caches in memory with a maximum number of entries.
import { LRUCache } from 'lru-cache';

export interface Lifetime {
  ttlMs: number;
  now: () => number;
}

/**
 * Creates a cache that drops the least recently used entry when it is full. It grows with its entries, whereas the option
 * `max` of the library allocates all of them at once, in each new isolate and object.
 * @param maxEntries - maximum number of entries
 * @param lifetime - without it, entries do not expire
 */
export function createBoundedCache<V extends object | string | number | true>(
  maxEntries: number,
  lifetime?: Lifetime,
): LRUCache<string, V> {
  const limit = { maxSize: maxEntries, sizeCalculation: () => 1 };
  if (lifetime === undefined) return new LRUCache<string, V>(limit);
  const { ttlMs, now } = lifetime;
  return new LRUCache<string, V>({ ...limit, ttl: ttlMs, ttlResolution: 0, perf: { now } });
}

/**
 * Caches the results of a function of numbers and texts. Errors are not cached.
 * @param maxEntries - maximum number of cached results
 */
export function memoize<Values extends (number | string)[], Result extends object>(
  maxEntries: number,
  create: (...values: Values) => Result,
): (...values: Values) => Result {
  const cache = createBoundedCache<Result>(maxEntries);
  return (...values) => {
    const key = values.join('/');
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = create(...values);
    cache.set(key, result);
    return result;
  };
}
