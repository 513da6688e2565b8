// Caches unpacked lists in the isolate, keyed by the version of their index, so that no entry is stale.
import { LRUCache } from 'lru-cache';
import type { PositionPostings } from './codec/positions.ts';
import type { Column, KeywordOrder, Postings } from './codec/unpack.ts';

const MEGABYTE = 2 ** 20;
/** Bytes of an entry beside its content. */
const ENTRY_OVERHEAD = 200;
/** Few terms and ids need more bytes. */
const BYTES_PER_TEXT = 40;

function createLru<Value extends object>(
  megabytes: number,
  size: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    maxSize: megabytes * MEGABYTE,
    sizeCalculation: (value, key) => ENTRY_OVERHEAD + key.length + size(value),
  });
}

const getPostingsSize = ({ docs }: Postings): number => docs.length * 9;

/** Creates an empty cache, bounded in bytes. */
export function createCache() {
  return {
    postings: createLru<Postings>(20, getPostingsSize),
    positions: createLru<PositionPostings>(
      12,
      (value) => getPostingsSize(value) + value.starts.byteLength + value.positions.byteLength,
    ),
    docs: createLru<Int32Array>(8, ({ byteLength }) => byteLength),
    columns: createLru<Column>(12, ({ docs }) => docs.length * 12),
    strings: createLru<string[]>(8, ({ length }) => length * BYTES_PER_TEXT),
    orders: createLru<KeywordOrder>(
      4,
      ({ keywords, lowest }) => keywords.length * BYTES_PER_TEXT + lowest.byteLength * 2,
    ),
  };
}

export type EngineCache = ReturnType<typeof createCache>;
