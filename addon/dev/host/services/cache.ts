// CacheService on the host: script, document and user caches with Google's limits.
import { byteLength, type Context, Exception, type Handlers } from '../calls.ts';
import type { CacheItem, CacheStores } from '../types.ts';

/** Reference "Class Cache": keys up to 250 characters, values up to 100 KB, 10 minutes by default, at most 6 hours. */
const KEY_CHARACTERS = 250;
const VALUE_BYTES = 100 * 1024;
const MAX_SECONDS = 21_600;

/** Reference "Class Cache", put: above 1,000 items, the 900 that expire last are kept. */
const MAX_ITEMS = 1000;
const KEPT_ITEMS = 900;

export class Caches {
  readonly #now: () => number;
  readonly #caches: Map<string, Map<string, CacheItem>>;

  /** @param stores - existing items */
  constructor(now: () => number, stores: CacheStores = {}) {
    this.#now = now;
    this.#caches = new Map(Object.entries(stores).map(([name, items]) => [name, new Map(items)]));
  }

  /** All items that have not expired. */
  get stores(): CacheStores {
    const live = (cache: Map<string, CacheItem>) =>
      [...cache].filter(([, { expiresAt }]) => expiresAt > this.#now());
    return Object.fromEntries([...this.#caches].map(([name, cache]) => [name, live(cache)]));
  }

  /** Call handlers; the first argument selects the cache. */
  readonly handlers: Handlers = {
    'CacheService.Cache.getAll': (context, args) => {
      const cache = this.#getCache(context, args.string(0));
      const items = args.strings(1).flatMap((key): [string, string][] => {
        const item = cache.get(validateKey(key));
        return item && item.expiresAt > this.#now() ? [[key, item.value]] : [];
      });
      return Object.fromEntries(items);
    },
    'CacheService.Cache.putAll': (context, args) => {
      const cache = this.#getCache(context, args.string(0));
      const seconds = args.number(2);
      if (seconds < 1 || seconds > MAX_SECONDS) throw new Exception(`Invalid argument: expirationInSeconds`);
      const items = args.stringMap(1);
      for (const [key, value] of items) {
        validateKey(key);
        if (byteLength(value) > VALUE_BYTES) throw new Exception('Argument too large: value');
      }
      for (const [key, value] of items) {
        // Deleted first to keep the map in write order.
        cache.delete(key);
        cache.set(key, { value, expiresAt: this.#now() + seconds * 1000 });
        if (cache.size > MAX_ITEMS) this.#evict(cache);
      }
      return null;
    },
    'CacheService.Cache.removeAll': (context, args) => {
      const cache = this.#getCache(context, args.string(0));
      for (const key of args.strings(1)) cache.delete(validateKey(key));
      return null;
    },
  };

  clear(): void {
    this.#caches.clear();
  }

  #getCache(context: Context, scope: string): Map<string, CacheItem> {
    const name = scope === 'user' ? `user ${context.user}` : scope;
    const cache = this.#caches.get(name) ?? new Map<string, CacheItem>();
    this.#caches.set(name, cache);
    return cache;
  }

  /** Evicts expired items, then those that expire first; of equals, the oldest. */
  #evict(cache: Map<string, CacheItem>): void {
    const live = [...cache].filter(([, item]) => item.expiresAt > this.#now());
    const kept = new Set(
      live
        .map((entry, order) => ({ entry, order }))
        .sort((a, b) => b.entry[1].expiresAt - a.entry[1].expiresAt || b.order - a.order)
        .slice(0, KEPT_ITEMS)
        .map(({ entry }) => entry[0]),
    );
    for (const key of [...cache.keys()]) if (!kept.has(key)) cache.delete(key);
  }
}

function validateKey(key: string): string {
  if (key.length > KEY_CHARACTERS) throw new Exception('Argument too large: key');
  return key;
}
