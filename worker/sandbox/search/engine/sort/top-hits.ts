// The order of hits: only so many are put in order.
import type { Matches } from '../query/matches.ts';
import type { IndexReader } from '../read/reader.ts';
import { rankHits, type SortKey, type SortValue } from './sort.ts';

/** A hit: its place among the matches, and its values of the sort keys. */
export interface RankedHit {
  at: number;
  values: SortValue[];
}

/**
 * Puts the first hits of an order in it; ties are in the order of the index.
 * @param keys - what {@link wantSort} was given, read by now
 * @param from - how many hits to pass over
 * @param after - values of all keys: only hits strictly behind them count
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

/** The first of many, in order, with a heap of those found so far whose last is on top. */
function selectTop(
  count: number,
  most: number,
  ranks: readonly Float64Array[],
  compare: (a: number, b: number) => number,
  counts: (at: number) => boolean,
): number[] {
  const heap: number[] = [];
  const sink = (): void => {
    const item = heap[0] ?? 0;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && compare(heap[below + 1] ?? 0, heap[below] ?? 0) > 0) below += 1;
      if (compare(heap[below] ?? 0, item) <= 0) break;
      heap[at] = heap[below] ?? 0;
      at = below;
    }
    heap[at] = item;
  };
  const leading = ranks[0] ?? new Float64Array(count);
  // Of equals the later one comes later.
  const onlyKey = ranks.length < 2;
  let limit = Number.NaN;
  for (let at = 0; at < count; at += 1) {
    const rank = leading[at] ?? 0;
    if (rank > limit || (onlyKey && rank === limit) || !counts(at)) continue;
    if (heap.length < most) {
      heap.push(at);
      let child = heap.length - 1;
      while (child > 0) {
        const above = (child - 1) >> 1;
        if (compare(at, heap[above] ?? 0) <= 0) break;
        heap[child] = heap[above] ?? 0;
        child = above;
      }
      heap[child] = at;
    } else if (most > 0 && compare(at, heap[0] ?? 0) < 0) {
      heap[0] = at;
      sink();
    }
    if (heap.length === most && most > 0) limit = leading[heap[0] ?? 0] ?? limit;
  }
  return heap.sort(compare);
}
