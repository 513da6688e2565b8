// The inverted index of a text, keyword or boolean field, in memory.
import type { Token } from '../../analysis/standard.ts';
import { encodeLength } from '../query/score.ts';
import { compareCodePoints, findEnd } from './order.ts';
import { OBJECT_BYTES, type Space } from './space.ts';

/** The documents with a term, ascending. The positions of document `at` are those from `starts[at]` to `starts[at + 1]`. */
export interface Postings {
  docs: Int32Array;
  /** Empty for keywords: they have no positions, and count once in a document. */
  starts: Int32Array;
  positions: Int32Array;
}

const NONE = new Int32Array(0);

/** Counts the occurrences of a term in document `at` of its postings. */
export function countPositions({ starts }: Postings, at: number): number {
  return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
}

/** Gap between the positions of two values of a field, so that no phrase spans them. */
const POSITION_GAP = 100;

/** Collects the terms of a field, by ascending document. */
export class TermCollector {
  readonly isText: boolean;
  /** Each term with its number, in the order of appearance. */
  readonly numbers = new Map<string, number>();
  /** Term number, document and position of each occurrence. */
  readonly terms: number[] = [];
  readonly docs: number[] = [];
  readonly positions: number[] = [];
  /** The documents that have the field, and the number of their terms. */
  readonly fieldDocs: number[] = [];
  readonly lengths: number[] = [];
  readonly #lastDocs: number[] = [];
  #nextPosition = 0;

  constructor(isText: boolean) {
    this.isText = isText;
  }

  /** Adds one value of a document. */
  add(doc: number, tokens: readonly Token[]): void {
    if (this.fieldDocs.at(-1) !== doc) {
      this.fieldDocs.push(doc);
      this.lengths.push(0);
      this.#nextPosition = 0;
    }
    for (const { term, position } of tokens) this.#addOccurrence(doc, term, this.#nextPosition + position);
    this.#nextPosition += (tokens.at(-1)?.position ?? -1) + 1 + POSITION_GAP;
  }

  #addOccurrence(doc: number, term: string, position: number): void {
    let number = this.numbers.get(term);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(term, number);
    }
    if (!this.isText && this.#lastDocs[number] === doc) return;
    this.#lastDocs[number] = doc;
    this.terms.push(number);
    this.docs.push(doc);
    this.positions.push(position);
    this.lengths.push((this.lengths.pop() ?? 0) + 1);
  }
}

/** Terms from the rank `from` to before `to`. */
export interface RankRange {
  from: number;
  to: number;
}

/** A term is named by its rank: the index in `terms`. −1 is a term that no document has. */
export class TermIndex {
  readonly space: Space;
  readonly isText: boolean;
  /** In the order of their code points. */
  readonly terms: readonly string[];
  /** Length byte of each document of the space; 1 for keywords. */
  readonly lengths: Uint8Array;
  /** Number of documents with a term, and of their terms. */
  readonly statistics: { docs: number; tokens: number };
  /** Approximate memory. */
  readonly bytes: number;
  /** Index of the first posting of each term, and the number of postings. */
  readonly #firsts: Int32Array;
  readonly #docs: Int32Array;
  readonly #postings: Postings;

  constructor(space: Space, collected: TermCollector) {
    const { isText, numbers, lengths, fieldDocs } = collected;
    this.space = space;
    this.isText = isText;
    this.terms = [...numbers.keys()].sort(compareCodePoints);
    this.#docs = Int32Array.from(fieldDocs);
    this.lengths = new Uint8Array(space.size).fill(1);
    if (isText)
      for (const [at, length] of lengths.entries()) this.lengths[fieldDocs[at] ?? 0] = encodeLength(length);
    this.statistics = {
      docs: lengths.filter((length) => length > 0).length,
      tokens: lengths.reduce((sum, length) => sum + length, 0),
    };
    const ranks = new Int32Array(numbers.size);
    for (const [rank, term] of this.terms.entries()) ranks[numbers.get(term) ?? 0] = rank;
    const order = sortByRank(collected.terms, ranks);
    const docs = new Int32Array(order.length);
    const starts = new Int32Array(order.length + 1);
    this.#firsts = new Int32Array(numbers.size + 1);
    let count = 0;
    let lastTerm = -1;
    for (let at = 0; at < order.length; at += 1) {
      const occurrence = order[at] ?? 0;
      const term = collected.terms[occurrence] ?? 0;
      const doc = collected.docs[occurrence] ?? 0;
      if (term === lastTerm && doc === docs[count - 1]) continue;
      if (term !== lastTerm) this.#firsts[ranks[term] ?? 0] = count;
      lastTerm = term;
      docs[count] = doc;
      starts[count] = at;
      count += 1;
    }
    this.#firsts[numbers.size] = count;
    starts[count] = order.length;
    this.#postings = {
      docs: docs.slice(0, count),
      starts: isText ? starts.slice(0, count + 1) : NONE,
      positions: isText ? order.map((occurrence) => collected.positions[occurrence] ?? 0) : NONE,
    };
    const arrays = [this.#docs, this.lengths, this.#firsts, ...Object.values(this.#postings)];
    this.bytes =
      arrays.reduce((sum, { byteLength }) => sum + byteLength, OBJECT_BYTES) +
      this.terms.reduce((sum, { length }) => sum + OBJECT_BYTES + length, 0);
  }

  /** Lists the documents that have the field, also without a term. */
  listDocs(): Int32Array {
    return this.#docs;
  }

  /** Returns the number of terms before a bound. */
  countBefore(bound: string, orEqual = false): number {
    return findEnd(this.terms, (term) => compareCodePoints(term, bound) < (orEqual ? 1 : 0));
  }

  /** Returns the rank of a term; −1 if no document has it. */
  findTerm(term: string): number {
    const rank = this.countBefore(term);
    return this.terms[rank] === term ? rank : -1;
  }

  /** Returns the ranks of the terms with a prefix. */
  findPrefix(prefix: string): RankRange {
    const from = this.countBefore(prefix);
    return { from, to: findEnd(this.terms, (term) => term.startsWith(prefix), from) };
  }

  getDocs(rank: number): Int32Array {
    return this.#postings.docs.subarray(this.#firsts[rank], this.#firsts[rank + 1]);
  }

  getPostings(rank: number): Postings {
    const { starts, positions } = this.#postings;
    const end = this.#firsts[rank + 1] ?? 0;
    return { docs: this.getDocs(rank), starts: starts.subarray(this.#firsts[rank], end + 1), positions };
  }
}

/** Sorts occurrences by the rank of their term. @returns their indexes; those of one term stay in order */
function sortByRank(terms: readonly number[], ranks: Int32Array): Int32Array {
  const next = new Int32Array(ranks.length + 1);
  for (const term of terms) {
    const after = (ranks[term] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let rank = 1; rank < next.length; rank += 1) next[rank] = (next[rank] ?? 0) + (next[rank - 1] ?? 0);
  const order = new Int32Array(terms.length);
  for (const [occurrence, term] of terms.entries()) {
    const rank = ranks[term] ?? 0;
    const at = next[rank] ?? 0;
    order[at] = occurrence;
    next[rank] = at + 1;
  }
  return order;
}
