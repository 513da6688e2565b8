// Unpacks the lists of all segments to arrays, without removed documents. Document numbers run through all segments.
import type { Space } from '../index/state.ts';
import { Unpacker } from './packed.ts';

export interface PackedRow {
  /** Index of the segment in the state. */
  ordinal: number;
  docs: string;
  content: string;
}

/** The documents with a term, ascending. */
export interface Postings {
  docs: Int32Array;
  /** Occurrences in each document. */
  frequencies: Int32Array;
  /** Length byte of each document's text. */
  lengths: Uint8Array;
}

/** The values of a field; a document with several values occurs several times. */
export interface Column {
  /** Ascending, with duplicates. */
  docs: Int32Array;
  values: Float64Array | BigInt64Array;
}

/** The keywords of a field in order, and the lowest and highest keyword of each document as indexes. */
export interface KeywordOrder {
  keywords: string[];
  /** −1 for a document without a keyword. */
  lowest: Int32Array;
  highest: Int32Array;
}

/** Flags the live documents of a space with 1; undefined if all are live. */
export type LiveDocuments = Uint8Array | undefined;

/** Keyword lists store no frequencies and lengths: both are 1. */
const KEYWORD_LENGTH = 1;

function sortBySegment(rows: readonly PackedRow[]): PackedRow[] {
  return [...rows].sort((a, b) => a.ordinal - b.ordinal);
}

/**
 * Unpacks the documents of a term.
 * @param withLengths - whether the lists contain frequencies and lengths, as those of text fields do
 */
export function unpackPostings(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
  withLengths: boolean,
): Postings {
  // A document takes at least one character.
  const capacity = rows.reduce((sum, { docs }) => sum + docs.length, 0);
  const docs = new Int32Array(capacity);
  const frequencies = new Int32Array(capacity);
  const lengths = new Uint8Array(capacity);
  let count = 0;
  for (const row of sortBySegment(rows)) {
    const base = space.bases[row.ordinal] ?? 0;
    const end = getSegmentEnd(row, space);
    const unpacker = new Unpacker(row.docs);
    while (unpacker.hasMore) {
      let doc = base;
      for (let remaining = unpacker.next(); remaining > 0; remaining -= 1) {
        doc += unpacker.next();
        frequencies[count] = withLengths ? unpacker.next() : 1;
        lengths[count] = withLengths ? unpacker.next() : KEYWORD_LENGTH;
        if (doc >= end || live?.[doc] === 0) continue;
        docs[count] = doc;
        count += 1;
      }
    }
  }
  return {
    docs: docs.slice(0, count),
    frequencies: frequencies.slice(0, count),
    lengths: lengths.slice(0, count),
  };
}

/** Visits all documents of a packed list, including removed ones. */
function forEachDocument(
  row: PackedRow,
  space: Space,
  withLengths: boolean,
  visit: (doc: number) => void,
): void {
  const base = space.bases[row.ordinal] ?? 0;
  const unpacker = new Unpacker(row.docs);
  while (unpacker.hasMore) {
    let doc = base;
    for (let remaining = unpacker.next(); remaining > 0; remaining -= 1) {
      doc += unpacker.next();
      if (withLengths) {
        unpacker.next();
        unpacker.next();
      }
      visit(doc);
    }
  }
}

/** Returns the end of a segment's document numbers when the state was read. Later documents are skipped. */
function getSegmentEnd(row: PackedRow, space: Space): number {
  return (space.bases[row.ordinal] ?? 0) + (space.sizes[row.ordinal] ?? 0);
}

/**
 * Unpacks the union of the documents of many terms.
 * @param withLengths - as for {@link unpackPostings}
 * @returns each document once, ascending
 */
export function unpackSet(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
  withLengths: boolean,
): Int32Array {
  const flags = new Uint8Array(space.size);
  let count = 0;
  for (const row of rows) {
    const end = getSegmentEnd(row, space);
    forEachDocument(row, space, withLengths, (doc) => {
      if (doc >= end || flags[doc] === 1 || live?.[doc] === 0) return;
      flags[doc] = 1;
      count += 1;
    });
  }
  return toFlaggedIndexes(flags, count);
}

/**
 * Returns the indexes of the 1s in an array.
 * @param count - the number of 1s
 */
function toFlaggedIndexes(flags: Uint8Array, count: number): Int32Array {
  const docs = new Int32Array(count);
  for (let doc = 0, at = 0; at < count; doc += 1) {
    if (flags[doc] !== 1) continue;
    docs[at] = doc;
    at += 1;
  }
  return docs;
}

/** Unpacks the values of a numeric or date field. */
export function unpackColumn(rows: readonly PackedRow[], space: Space, live: LiveDocuments): Column {
  const docs: number[] = [];
  const values: (number | bigint)[] = [];
  let hasBigInts = false;
  for (const row of sortBySegment(rows)) {
    const end = getSegmentEnd(row, space);
    const numbers = new Unpacker(row.content);
    forEachDocument(row, space, false, (doc) => {
      const value = numbers.nextNumber();
      if (doc >= end || live?.[doc] === 0) return;
      docs.push(doc);
      values.push(value);
      hasBigInts ||= typeof value === 'bigint';
    });
  }
  return {
    docs: Int32Array.from(docs),
    // Only whole numbers are ever large: see values.ts.
    values: hasBigInts ? BigInt64Array.from(values, BigInt) : Float64Array.from(values, Number),
  };
}

/** Unpacks the parent of every nested object of a space, including removed ones. */
export function unpackParents(rows: readonly PackedRow[], space: Space): Int32Array {
  const parents = new Int32Array(space.size);
  const { parent } = space;
  if (parent === undefined) return parents;
  for (const row of rows) {
    const end = getSegmentEnd(row, space);
    let child = space.bases[row.ordinal] ?? 0;
    forEachDocument(row, parent, false, (doc) => {
      if (child < end) parents[child] = doc;
      child += 1;
    });
  }
  return parents;
}

/** Unpacks the keywords of a field; each row is one keyword in one segment. */
export function unpackKeywordOrder(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
): KeywordOrder {
  const keywords = [...new Set(rows.map(({ content }) => content))].sort(compareCodePoints);
  const order = new Map(keywords.map((keyword, at) => [keyword, at]));
  const lowest = new Int32Array(space.size).fill(-1);
  const highest = new Int32Array(space.size).fill(-1);
  for (const row of rows) {
    const at = order.get(row.content) ?? -1;
    const end = getSegmentEnd(row, space);
    forEachDocument(row, space, false, (doc) => {
      if (doc >= end || live?.[doc] === 0) return;
      if ((lowest[doc] ?? -1) < 0 || at < (lowest[doc] ?? 0)) lowest[doc] = at;
      if (at > (highest[doc] ?? -1)) highest[doc] = at;
    });
  }
  return { keywords, lowest, highest };
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST = 0x10ffff;

/** Compares two texts by code point. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    return toSortKey(a.charCodeAt(at)) - toSortKey(b.charCodeAt(at));
  }
  return a.length - b.length;
}

/** Sorts surrogates after all other units, because their code points are higher. */
function toSortKey(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + LAST : unit;
}

/**
 * Finds the first text after all texts with a prefix.
 * @returns undefined if there is none: an empty prefix, or only last code points
 */
export function findPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === LAST) continue;
    const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

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
