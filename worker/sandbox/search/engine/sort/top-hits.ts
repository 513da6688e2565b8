// Selects the first hits of an order.
import type { Matches } from '../query/matches.ts';
import type { IndexReader } from '../read/reader.ts';
import { rankHits, type SortKey, type SortValue } from './sort.ts';

/** A hit: its index in the matches, and its sort values. */
export interface RankedHit {
  at: number;
  values: SortValue[];
}

/**
 * Selects and sorts the first hits; ties are in index order.
 * @param keys - the keys passed to {@link requestSortLists}; their lists must be loaded
 * @param from - number of hits to skip
 * @param after - sort values after which the hits begin
 */
export function selectTopHits(
  keys: readonly SortKey[],
  reader: IndexReader,
  matches: Matches,
  from: number,
  size: number,
  after: readonly SortValue[] | undefined,
): RankedHit[] {
  const order = keys.map((key) => rankHits(key, reader, matches));
  const ranks = order.map((key) => key.ranks);
  const bounds = after === undefined ? undefined : order.map((key, at) => key.toRank(after[at] ?? null));
  const compare = (a: number, b: number): number => {
    for (const rank of ranks) {
      const first = rank[a] ?? 0;
      const second = rank[b] ?? 0;
      if (first !== second) return first < second ? -1 : 1;
    }
    return a - b;
  };
  const isBehind = (at: number): boolean => {
    for (const [key, bound] of bounds?.entries() ?? []) {
      const rank = ranks[key]?.[at] ?? 0;
      if (rank !== bound) return rank > bound;
    }
    return bounds === undefined;
  };
  const best = selectTop(matches.docs.length, from + size, ranks, compare, isBehind);
  return best.slice(from).map((at) => ({ at, values: order.map((key) => key.getValue(at)) }));
}

/** Selects the first `most` items in order. Its heap has the last of them on top. */
function selectTop(
  count: number,
  size: number,
  ranks: readonly Float64Array[],
  compare: (a: number, b: number) => number,
  isCandidate: (at: number) => boolean,
): number[] {
  const heap: number[] = [];
  const siftDown = (): void => {
    const item = heap[0] ?? 0;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && compare(heap[child + 1] ?? 0, heap[child] ?? 0) > 0) child += 1;
      if (compare(heap[child] ?? 0, item) <= 0) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = item;
  };
  const firstRanks = ranks[0] ?? new Float64Array(count);
  // With one key, equal ranks sort by index, so that a later item can't precede.
  const onlyKey = ranks.length < 2;
  let lastRank = Number.NaN;
  for (let at = 0; at < count; at += 1) {
    const rank = firstRanks[at] ?? 0;
    if (rank > lastRank || (onlyKey && rank === lastRank) || !isCandidate(at)) continue;
    if (heap.length < size) {
      heap.push(at);
      let child = heap.length - 1;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        if (compare(at, heap[parent] ?? 0) <= 0) break;
        heap[child] = heap[parent] ?? 0;
        child = parent;
      }
      heap[child] = at;
    } else if (size > 0 && compare(at, heap[0] ?? 0) < 0) {
      heap[0] = at;
      siftDown();
    }
    if (heap.length === size && size > 0) lastRank = firstRanks[heap[0] ?? 0] ?? lastRank;
  }
  return heap.sort(compare);
}
