// What an isolate remembers of indexes: unpacked lists, by the version of their index, so that none is ever stale.
import { LRUCache } from 'lru-cache';
import type { PositionPostings } from './codec/positions.ts';
import type { Column, KeywordOrder, Postings } from './codec/unpack.ts';

const MEGABYTE = 2 ** 20;
/** What an entry takes beside its content. */
const OVERHEAD = 200;
/** A text of so many characters is rarely passed by terms and ids. */
const BYTES_PER_TEXT = 40;

function createLru<Value extends object>(
  megabytes: number,
  size: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    maxSize: megabytes * MEGABYTE,
    sizeCalculation: (value, key) => OVERHEAD + key.length + size(value),
  });
}

const postingsSize = ({ docs }: Postings): number => docs.length * 9;

/** Makes an empty memory, bounded in bytes. */
export function createCache() {
  return {
    postings: createLru<Postings>(20, postingsSize),
    places: createLru<PositionPostings>(
      12,
      (value) => postingsSize(value) + value.starts.byteLength + value.positions.byteLength,
    ),
    docs: createLru<Int32Array>(8, ({ byteLength }) => byteLength),
    columns: createLru<Column>(12, ({ docs }) => docs.length * 12),
    texts: createLru<string[]>(8, ({ length }) => length * BYTES_PER_TEXT),
    orders: createLru<KeywordOrder>(
      4,
      ({ keywords, least }) => keywords.length * BYTES_PER_TEXT + least.byteLength * 2,
    ),
  };
}

export type EngineCache = ReturnType<typeof createCache>;
