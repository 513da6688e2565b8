// What an isolate remembers of indexes: unpacked lists, by the version of their index, so that none is ever stale.
import { LRUCache } from 'lru-cache';
import type { Column, KeywordOrder, Postings } from './codec/unpack.ts';
import type { PlacedPostings } from './codec/positions.ts';

const MEGABYTE = 2 ** 20;
/** What an entry takes beside its content. */
const OVERHEAD = 200;
/** A text of so many characters is rarely passed by terms and ids. */
const BYTES_PER_TEXT = 40;

function remembering<Value extends object>(
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
export function createMemory() {
  return {
    postings: remembering<Postings>(20, postingsSize),
    places: remembering<PlacedPostings>(
      12,
      (value) => postingsSize(value) + value.starts.byteLength + value.places.byteLength,
    ),
    docs: remembering<Int32Array>(8, ({ byteLength }) => byteLength),
    columns: remembering<Column>(12, ({ docs }) => docs.length * 12),
    texts: remembering<string[]>(8, ({ length }) => length * BYTES_PER_TEXT),
    orders: remembering<KeywordOrder>(
      4,
      ({ keywords, least }) => keywords.length * BYTES_PER_TEXT + least.byteLength * 2,
    ),
  };
}

export type Memory = ReturnType<typeof createMemory>;
