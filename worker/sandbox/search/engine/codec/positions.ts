// Unpacks the positions of terms in documents, for phrases.

import type { Space } from '../index/state.ts';
import { Unpacker } from './packed.ts';
import {
  type LiveDocuments,
  type PackedRow,
  type Postings,
  sortBySegment,
  unpackPostings,
} from './unpack.ts';

/** Postings with the positions of the term in each document. */
export interface PositionPostings extends Postings {
  /** Start of each document's part of `positions`; one more entry than documents. */
  starts: Int32Array;
  positions: Int32Array;
}

/** Unpacks the postings and positions of a term of a text field. */
export function unpackPositions(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
): PositionPostings {
  const postings = unpackPostings(rows, space, live, true);
  const starts = new Int32Array(postings.docs.length + 1);
  const positions = new Int32Array(rows.reduce((sum, { content }) => sum + content.length, 0));
  let count = 0;
  let end = 0;
  for (const row of sortBySegment(rows)) {
    const base = space.bases[row.ordinal] ?? 0;
    const unpacker = new Unpacker(row.docs);
    const steps = new Unpacker(row.content);
    while (unpacker.hasMore) {
      let doc = base;
      for (let remaining = unpacker.next(); remaining > 0; remaining -= 1) {
        doc += unpacker.next();
        const frequency = unpacker.next();
        unpacker.next();
        const start = end;
        let position = 0;
        for (let at = 0; at < frequency; at += 1) {
          position += steps.next();
          positions[end] = position;
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
  return { ...postings, starts, positions: positions.slice(0, end) };
}

/**
 * Merges the positions of several terms as if they were one term.
 * @param size - upper bound of document numbers
 */
export function mergePositions(lists: readonly PositionPostings[], size: number): PositionPostings {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const counts = new Int32Array(size);
  const lengthByDoc = new Uint8Array(size);
  let documentCount = 0;
  for (const { docs, frequencies, lengths } of lists) {
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      if (counts[doc] === 0) documentCount += 1;
      counts[doc] = (counts[doc] ?? 0) + (frequencies[at] ?? 0);
      lengthByDoc[doc] = lengths[at] ?? 0;
    }
  }
  const docs = new Int32Array(documentCount);
  const starts = new Int32Array(documentCount + 1);
  /** The next free index of each document in the positions. */
  const nextIndex = new Int32Array(size);
  for (let doc = 0, at = 0, start = 0; at < documentCount; doc += 1) {
    const count = counts[doc] ?? 0;
    if (count === 0) continue;
    docs[at] = doc;
    nextIndex[doc] = start;
    start += count;
    at += 1;
    starts[at] = start;
  }
  const positions = new Int32Array(starts[documentCount] ?? 0);
  for (const list of lists) {
    for (let at = 0; at < list.docs.length; at += 1) {
      const doc = list.docs[at] ?? 0;
      const docPositions = list.positions.subarray(list.starts[at], list.starts[at + 1]);
      positions.set(docPositions, nextIndex[doc]);
      nextIndex[doc] = (nextIndex[doc] ?? 0) + docPositions.length;
    }
  }
  for (let at = 0; at < documentCount; at += 1) positions.subarray(starts[at], starts[at + 1]).sort();
  return {
    docs,
    frequencies: docs.map((doc) => counts[doc] ?? 0),
    lengths: Uint8Array.from(docs, (doc) => lengthByDoc[doc] ?? 0),
    starts,
    positions,
  };
}
