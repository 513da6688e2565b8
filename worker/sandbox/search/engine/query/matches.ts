// Sets of documents with scores, and the operations on them.

/** Documents of one space, ascending, and their scores; a single number is the score of all. */
export interface Matches {
  docs: Int32Array;
  scores: Float32Array | number;
}

/** No documents. */
export const NO_MATCHES: Matches = { docs: new Int32Array(0), scores: 0 };

/** Gives all documents the same score. */
export function withConstantScore(docs: Int32Array, score: number): Matches {
  return { docs, scores: Math.fround(score) };
}

export function getScore({ scores }: Matches, at: number): number {
  return typeof scores === 'number' ? scores : (scores[at] ?? 0);
}

/** Intersects or subtracts a list of documents. @param keep - true to intersect */
function filterDocs(docs: Int32Array, others: Int32Array, keep: boolean): Int32Array {
  let next = 0;
  return docs.filter((doc) => {
    while (next < others.length && (others[next] ?? 0) < doc) next += 1;
    return (others[next] === doc) === keep;
  });
}

/** Intersects lists; at least one is required. */
export function intersect(lists: readonly Int32Array[]): Int32Array {
  const [first = NO_MATCHES.docs, ...rest] = [...lists].sort((a, b) => a.length - b.length);
  return rest.reduce((docs, list) => filterDocs(docs, list, true), first);
}

/** Removes the documents of another list. */
export function exclude(docs: Int32Array, excluded: Int32Array): Int32Array {
  return excluded.length === 0 ? docs : filterDocs(docs, excluded, false);
}

/**
 * Finds the documents that are in at least `minimum` lists.
 * @param size - upper bound of document numbers
 * @param minimum - at least 1
 * @returns each document once
 */
export function union(lists: readonly Int32Array[], size: number, minimum = 1): Int32Array {
  const [only] = lists;
  if (lists.length === 1 && minimum === 1 && only !== undefined) return only;
  const counts = new Uint32Array(size);
  for (const docs of lists) for (const doc of docs) counts[doc] = (counts[doc] ?? 0) + 1;
  const found: number[] = [];
  for (let doc = 0; doc < size; doc += 1) if ((counts[doc] ?? 0) >= minimum) found.push(doc);
  return Int32Array.from(found);
}

/**
 * Adds up the scores of documents.
 * @param size - upper bound of document numbers
 * @returns the sum for each document of the space, in 64 bits like Lucene
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
 * Takes the best score of each document and adds a share of its other scores.
 * @param size - upper bound of document numbers
 */
export function takeBestScores(parts: readonly Matches[], tieBreaker: number, size: number): Matches {
  const docs = union(
    parts.map((part) => part.docs),
    size,
  );
  const best = new Float32Array(size).fill(Number.NEGATIVE_INFINITY);
  const others = new Float64Array(size);
  for (const part of parts) {
    for (let at = 0; at < part.docs.length; at += 1) {
      const doc = part.docs[at] ?? 0;
      const score = getScore(part, at);
      const previous = best[doc] ?? 0;
      const lower = Math.min(score, previous);
      if (lower > Number.NEGATIVE_INFINITY) others[doc] = (others[doc] ?? 0) + lower;
      best[doc] = Math.max(score, previous);
    }
  }
  return withScores(docs, (doc) => (best[doc] ?? 0) + tieBreaker * (others[doc] ?? 0));
}

export function withScores(docs: Int32Array, score: (doc: number) => number): Matches {
  const scores = new Float32Array(docs.length);
  for (let at = 0; at < docs.length; at += 1) scores[at] = score(docs[at] ?? 0);
  return { docs, scores };
}
