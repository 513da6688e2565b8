// The places of terms in their documents: what phrases are found by.

import type { Space } from '../index/state.ts';
import { Unpacker } from './packed.ts';
import {
  type LiveDocuments,
  type PackedRow,
  type Postings,
  sortBySegment,
  unpackPostings,
} from './unpack.ts';

/** Postings with the places of the term in each document. */
export interface PositionPostings extends Postings {
  /** Of each document the first of its `places`; one more than there are documents. */
  starts: Int32Array;
  positions: Int32Array;
}

/** Unpacks the documents of a term of a text field with the term's places. */
export function unpackPositions(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
): PositionPostings {
  const postings = unpackPostings(rows, space, live, true);
  const starts = new Int32Array(postings.docs.length + 1);
  const places = new Int32Array(rows.reduce((sum, { content }) => sum + content.length, 0));
  let count = 0;
  let end = 0;
  for (const row of sortBySegment(rows)) {
    const base = space.bases[row.place] ?? 0;
    const unpacker = new Unpacker(row.docs);
    const steps = new Unpacker(row.content);
    while (unpacker.hasMore) {
      let doc = base;
      for (let left = unpacker.next(); left > 0; left -= 1) {
        doc += unpacker.next();
        const frequency = unpacker.next();
        unpacker.next();
        const start = end;
        let place = 0;
        for (let at = 0; at < frequency; at += 1) {
          place += steps.next();
          places[end] = place;
          end += 1;
        }
        if (postings.docs[count] === doc) {
          starts[count] = start;
          count += 1;
        } else end = start;
      }
    }
  }
  starts[count] = end;
  return { ...postings, starts, positions: places.slice(0, end) };
}

/**
 * Makes one list of several terms', as if they were one term.
 * @param size - all documents are below
 */
export function mergePositions(lists: readonly PositionPostings[], size: number): PositionPostings {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const counts = new Int32Array(size);
  const lengthOf = new Uint8Array(size);
  let having = 0;
  for (const { docs, frequencies, lengths } of lists) {
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      if (counts[doc] === 0) having += 1;
      counts[doc] = (counts[doc] ?? 0) + (frequencies[at] ?? 0);
      lengthOf[doc] = lengths[at] ?? 0;
    }
  }
  const docs = new Int32Array(having);
  const starts = new Int32Array(having + 1);
  /** By document, where its next place goes. */
  const next = new Int32Array(size);
  for (let doc = 0, at = 0, start = 0; at < having; doc += 1) {
    const count = counts[doc] ?? 0;
    if (count === 0) continue;
    docs[at] = doc;
    next[doc] = start;
    start += count;
    at += 1;
    starts[at] = start;
  }
  const places = new Int32Array(starts[having] ?? 0);
  for (const list of lists) {
    for (let at = 0; at < list.docs.length; at += 1) {
      const doc = list.docs[at] ?? 0;
      const of = list.positions.subarray(list.starts[at], list.starts[at + 1]);
      places.set(of, next[doc]);
      next[doc] = (next[doc] ?? 0) + of.length;
    }
  }
  for (let at = 0; at < having; at += 1) places.subarray(starts[at], starts[at + 1]).sort();
  return {
    docs,
    frequencies: docs.map((doc) => counts[doc] ?? 0),
    lengths: Uint8Array.from(docs, (doc) => lengthOf[doc] ?? 0),
    starts,
    positions: places,
  };
}
