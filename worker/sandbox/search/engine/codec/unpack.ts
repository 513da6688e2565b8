// Packed lists of a search's segments, made arrays: numbers of documents run through all segments, dead ones are gone.

import type { Space } from '../index/state.ts';
import { compareCodePoints } from './code-points.ts';
import { Unpacker } from './packed.ts';

/** A packed text of one segment. */
export interface PackedRow {
  /** The segment's place among those of the index. */
  place: number;
  docs: string;
  content: string;
}

/** The documents that have a term, ascending. */
export interface Postings {
  docs: Int32Array;
  /** How often each has it. */
  frequencies: Int32Array;
  /** The length byte of each. */
  lengths: Uint8Array;
}

/** The values of a field: one document may have several, and then comes several times. */
export interface Column {
  /** Not descending. */
  docs: Int32Array;
  values: Float64Array | BigInt64Array;
}

/** The keywords of a field in order, and for each document the places of its least and its greatest. */
export interface KeywordOrder {
  keywords: string[];
  /** −1 for a document without. */
  least: Int32Array;
  greatest: Int32Array;
}

/** Which documents of a space count: 1 for each that does; undefined where all do. */
export type LiveDocuments = Uint8Array | undefined;

/** Of keywords how often and in how long a text is not kept: each is there once. */
const KEYWORD_LENGTH = 1;

/** The rows by their segments. */
export function sortBySegment(rows: readonly PackedRow[]): PackedRow[] {
  return [...rows].sort((a, b) => a.place - b.place);
}

/**
 * Unpacks the documents of a term.
 * @param withLengths - whether the lists tell how often and in how long a text: those of text fields do
 */
export function unpackPostings(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
  withLengths: boolean,
): Postings {
  // No document takes fewer characters.
  const most = rows.reduce((sum, { docs }) => sum + docs.length, 0);
  const docs = new Int32Array(most);
  const frequencies = new Int32Array(most);
  const lengths = new Uint8Array(most);
  let count = 0;
  for (const row of sortBySegment(rows)) {
    const base = space.bases[row.place] ?? 0;
    const end = getSegmentEnd(row, space);
    const unpacker = new Unpacker(row.docs);
    while (unpacker.hasMore) {
      let doc = base;
      for (let left = unpacker.next(); left > 0; left -= 1) {
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

/** Visits the documents of a packed list, those that do not count included. */
function forEachDoc(row: PackedRow, space: Space, withLengths: boolean, visit: (doc: number) => void): void {
  const base = space.bases[row.place] ?? 0;
  const unpacker = new Unpacker(row.docs);
  while (unpacker.hasMore) {
    let doc = base;
    for (let left = unpacker.next(); left > 0; left -= 1) {
      doc += unpacker.next();
      if (withLengths) {
        unpacker.next();
        unpacker.next();
      }
      visit(doc);
    }
  }
}

/** The number behind the last of a segment that was there when the state was read. */
function getSegmentEnd(row: PackedRow, space: Space): number {
  return (space.bases[row.place] ?? 0) + (space.sizes[row.place] ?? 0);
}

/**
 * Unpacks the documents of many terms as one set.
 * @param withLengths - as for {@link unpackPostings}
 * @returns each document once, ascending
 */
export function unpackSet(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
  withLengths: boolean,
): Int32Array {
  const found = new Uint8Array(space.size);
  let count = 0;
  for (const row of rows) {
    const end = getSegmentEnd(row, space);
    forEachDoc(row, space, withLengths, (doc) => {
      if (doc >= end || found[doc] === 1 || live?.[doc] === 0) return;
      found[doc] = 1;
      count += 1;
    });
  }
  return toFlaggedIndexes(found, count);
}

/**
 * The places at which an array has a 1.
 * @param count - how many there are
 */
export function toFlaggedIndexes(flags: Uint8Array, count: number): Int32Array {
  const docs = new Int32Array(count);
  for (let doc = 0, at = 0; at < count; doc += 1) {
    if (flags[doc] !== 1) continue;
    docs[at] = doc;
    at += 1;
  }
  return docs;
}

/** Unpacks the values of a field of numbers or dates. */
export function unpackColumn(rows: readonly PackedRow[], space: Space, live: LiveDocuments): Column {
  const docs: number[] = [];
  const values: (number | bigint)[] = [];
  let large = false;
  for (const row of sortBySegment(rows)) {
    const end = getSegmentEnd(row, space);
    const numbers = new Unpacker(row.content);
    forEachDoc(row, space, false, (doc) => {
      const value = numbers.nextNumber();
      if (doc >= end || live?.[doc] === 0) return;
      docs.push(doc);
      values.push(value);
      large ||= typeof value === 'bigint';
    });
  }
  return {
    docs: Int32Array.from(docs),
    // Only whole numbers are ever large: see values.ts.
    values: large ? BigInt64Array.from(values, BigInt) : Float64Array.from(values, Number),
  };
}

/** Unpacks the parent of every nested object of a space, dead ones included. */
export function unpackParents(rows: readonly PackedRow[], space: Space): Int32Array {
  const parents = new Int32Array(space.size);
  const { parent } = space;
  if (parent === undefined) return parents;
  for (const row of rows) {
    const end = getSegmentEnd(row, space);
    let child = space.bases[row.place] ?? 0;
    forEachDoc(row, parent, false, (doc) => {
      if (child < end) parents[child] = doc;
      child += 1;
    });
  }
  return parents;
}

/** Unpacks the keywords of a field: each row is one of them, in one segment. */
export function unpackKeywordOrder(
  rows: readonly PackedRow[],
  space: Space,
  live: LiveDocuments,
): KeywordOrder {
  const keywords = [...new Set(rows.map(({ content }) => content))].sort(compareCodePoints);
  const order = new Map(keywords.map((keyword, at) => [keyword, at]));
  const least = new Int32Array(space.size).fill(-1);
  const greatest = new Int32Array(space.size).fill(-1);
  for (const row of rows) {
    const at = order.get(row.content) ?? -1;
    const end = getSegmentEnd(row, space);
    forEachDoc(row, space, false, (doc) => {
      if (doc >= end || live?.[doc] === 0) return;
      if ((least[doc] ?? -1) < 0 || at < (least[doc] ?? 0)) least[doc] = at;
      if (at > (greatest[doc] ?? -1)) greatest[doc] = at;
    });
  }
  return { keywords, least, greatest };
}
