// A cache that all objects of an isolate share, so that its size bounds the memory of all of them together.
import { LRUCache } from 'lru-cache';

interface Entry<V> {
  value: V;
  until: number;
}

/** The memory of a shared cache. An object that has ended leaves its entries, until younger ones of others replace them. */
export class SharedMemory<V> {
  readonly entries: LRUCache<string, Entry<V>>;
  #shares = 0;

  /** @param maxSize - of all shares together, in the unit of the entries' sizes */
  constructor(maxSize: number) {
    this.entries = new LRUCache({ maxSize });
  }

  /** Returns the key prefix of a new share. */
  addShare(): string {
    this.#shares += 1;
    return `${this.#shares} `;
  }
}

/** The entries of one object in a shared memory. */
export class SharedCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #prefix: string;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor(memory: SharedMemory<V>, ttlMs: number, now: () => number) {
    this.#entries = memory.entries;
    this.#prefix = memory.addShare();
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  get(name: string): V | undefined {
    const entry = this.#entries.get(this.#prefix + name);
    return entry !== undefined && this.#now() <= entry.until ? entry.value : undefined;
  }

  set(name: string, value: V, size: number): void {
    this.#entries.set(this.#prefix + name, { value, until: this.#now() + this.#ttlMs }, { size });
  }

  delete(name: string): void {
    this.#entries.delete(this.#prefix + name);
  }

  /** Deletes the entries of this object that a function chooses. */
  deleteWhere(isDeleted: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries.entries()) {
      if (key.startsWith(this.#prefix) && isDeleted(value)) this.#entries.delete(key);
    }
  }
}
