// CacheService on the host: script, document and user caches with Google's limits.
import { byteLength, type Context, Exception, type Handlers } from '../calls.ts';

/** Reference "Class Cache": keys up to 250 characters, values up to 100 KB, 10 minutes by default, at most 6 hours. */
const KEY_CHARACTERS = 250;
const VALUE_BYTES = 100 * 1024;
const MAX_SECONDS = 21_600;

/** Reference "Class Cache", put: above 1,000 items, the 900 that expire last are kept. */
const MAX_ITEMS = 1000;
const KEPT_ITEMS = 900;

interface Item {
  readonly value: string;
  readonly until: number;
}

export class Caches {
  readonly #now: () => number;
  readonly #caches = new Map<string, Map<string, Item>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call handlers; the first argument selects the cache. */
  readonly handlers: Handlers = {
    'CacheService.Cache.getAll': (context, args) => {
      const cache = this.#cache(context, args.text(0));
      const found = args.texts(1).flatMap((key): [string, string][] => {
        const item = cache.get(checkedKey(key));
        return item && item.until > this.#now() ? [[key, item.value]] : [];
      });
      return Object.fromEntries(found);
    },
    'CacheService.Cache.putAll': (context, args) => {
      const cache = this.#cache(context, args.text(0));
      const seconds = args.number(2);
      if (seconds < 1 || seconds > MAX_SECONDS) throw new Exception(`Invalid argument: expirationInSeconds`);
      const items = args.map(1);
      for (const [key, value] of items) {
        checkedKey(key);
        if (byteLength(value) > VALUE_BYTES) throw new Exception('Argument too large: value');
      }
      for (const [key, value] of items) {
        // Deleted first to keep the map in write order.
        cache.delete(key);
        cache.set(key, { value, until: this.#now() + seconds * 1000 });
        if (cache.size > MAX_ITEMS) this.#shrink(cache);
      }
      return null;
    },
    'CacheService.Cache.removeAll': (context, args) => {
      const cache = this.#cache(context, args.text(0));
      for (const key of args.texts(1)) cache.delete(checkedKey(key));
      return null;
    },
  };

  /** Deletes all items of all caches. */
  forget(): void {
    this.#caches.clear();
  }

  #cache(context: Context, which: string): Map<string, Item> {
    const name = which === 'user' ? `user ${context.user}` : which;
    const cache = this.#caches.get(name) ?? new Map<string, Item>();
    this.#caches.set(name, cache);
    return cache;
  }

  /** Evicts expired items, then those that expire first; of equals, the oldest. */
  #shrink(cache: Map<string, Item>): void {
    const live = [...cache].filter(([, item]) => item.until > this.#now());
    const kept = new Set(
      live
        .map((entry, order) => ({ entry, order }))
        .sort((one, other) => other.entry[1].until - one.entry[1].until || other.order - one.order)
        .slice(0, KEPT_ITEMS)
        .map(({ entry }) => entry[0]),
    );
    for (const key of [...cache.keys()]) if (!kept.has(key)) cache.delete(key);
  }
}

function checkedKey(key: string): string {
  if (key.length > KEY_CHARACTERS) throw new Exception('Argument too large: key');
  return key;
}
