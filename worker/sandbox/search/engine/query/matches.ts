// Sets of documents with scores, and how they are combined: the algebra below every clause.

/** Documents of one space, ascending, and what each scores; a single number is the score of all. */
export interface Matches {
  docs: Int32Array;
  scores: Float32Array | number;
}

/** No documents. */
export const NO_MATCHES: Matches = { docs: new Int32Array(0), scores: 0 };

/** Documents that score alike. */
export function withConstantScore(docs: Int32Array, score: number): Matches {
  return { docs, scores: Math.fround(score) };
}

/** What the document at a place scores. */
export function getScore({ scores }: Matches, at: number): number {
  return typeof scores === 'number' ? scores : (scores[at] ?? 0);
}

/** Where one list is so many times longer, the shorter one's documents are sought in it by halving. */
const SEEK_RATIO = 16;

/** The place of the first document that is not less than `doc`, from a place on. */
function seek(docs: Int32Array, doc: number, from: number): number {
  let low = from;
  for (let step = 1; low + step < docs.length && (docs[low + step] ?? 0) < doc; step *= 2) low += step;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((docs[middle] ?? 0) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The documents of a list that are in another, or those that are not. */
function filterDocs(docs: Int32Array, others: Int32Array, wanted: boolean): Int32Array {
  const kept = new Int32Array(docs.length);
  const sparse = docs.length * SEEK_RATIO < others.length;
  let count = 0;
  let other = 0;
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    if (sparse) other = seek(others, doc, other);
    else while (other < others.length && (others[other] ?? 0) < doc) other += 1;
    if ((others[other] === doc) !== wanted) continue;
    kept[count] = doc;
    count += 1;
  }
  return kept.slice(0, count);
}

/** The documents that are in all lists; there must be one. */
export function intersect(lists: readonly Int32Array[]): Int32Array {
  const [first = NO_MATCHES.docs, ...rest] = [...lists].sort((a, b) => a.length - b.length);
  return rest.reduce((docs, list) => filterDocs(docs, list, true), first);
}

/** The documents of a list that are not in another. */
export function exclude(docs: Int32Array, excluded: Int32Array): Int32Array {
  return excluded.length === 0 ? docs : filterDocs(docs, excluded, false);
}

/** Up to this share of a space, documents are sorted; above, the space is looked through. */
const SORT_RATIO = 1 / 32;

/**
 * The documents that are in several lists at once.
 * @param size - all documents are below
 * @param least - how many lists a document must be in, from 1
 * @returns each document once
 */
export function unite(lists: readonly Int32Array[], size: number, least = 1): Int32Array {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < least) return NO_MATCHES.docs;
  if (filled.length === 1 && filled[0] !== undefined) return filled[0];
  const counts = new Uint16Array(size);
  const docs = new Int32Array(filled.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const list of filled) {
    for (let at = 0; at < list.length; at += 1) {
      const doc = list[at] ?? 0;
      const times = (counts[doc] ?? 0) + 1;
      counts[doc] = times;
      if (times !== least) continue;
      docs[count] = doc;
      count += 1;
    }
  }
  if (count < size * SORT_RATIO) return docs.slice(0, count).sort();
  for (let doc = 0, at = 0; at < count; doc += 1) {
    if ((counts[doc] ?? 0) < least) continue;
    docs[at] = doc;
    at += 1;
  }
  return docs.slice(0, count);
}

/**
 * Adds up what documents score.
 * @param size - all documents are below
 * @returns for each document of the space the sum, in 64 bits as Lucene adds
 */
export function sumScores(parts: readonly Matches[], size: number): Float64Array {
  const sums = new Float64Array(size);
  for (const { docs, scores } of parts) {
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      sums[doc] = (sums[doc] ?? 0) + (typeof scores === 'number' ? scores : (scores[at] ?? 0));
    }
  }
  return sums;
}

/**
 * The best score of each document, and of its other scores a share.
 * @param size - all documents are below
 */
export function bestScores(parts: readonly Matches[], tieBreaker: number, size: number): Matches {
  const docs = unite(
    parts.map((part) => part.docs),
    size,
  );
  const best = new Float32Array(size).fill(Number.NEGATIVE_INFINITY);
  const others = new Float64Array(size);
  for (const part of parts) {
    for (let at = 0; at < part.docs.length; at += 1) {
      const doc = part.docs[at] ?? 0;
      const score = getScore(part, at);
      const before = best[doc] ?? 0;
      const lesser = Math.min(score, before);
      if (lesser > Number.NEGATIVE_INFINITY) others[doc] = (others[doc] ?? 0) + lesser;
      best[doc] = Math.max(score, before);
    }
  }
  return withScores(docs, (doc) => (best[doc] ?? 0) + tieBreaker * (others[doc] ?? 0));
}

/** Documents with a score for each. */
export function withScores(docs: Int32Array, score: (doc: number) => number): Matches {
  const scores = new Float32Array(docs.length);
  for (let at = 0; at < docs.length; at += 1) scores[at] = score(docs[at] ?? 0);
  return { docs, scores };
}
