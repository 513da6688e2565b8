// Matches patterns and fuzzy terms against a sorted vocabulary; terms share the work on their common prefixes.
import { findEnd } from '../index/order.ts';
import type { RankRange, TermIndex } from '../index/term-index.ts';
import type { Pattern } from './pattern.ts';

/** An automaton that reads a term by character. States are immutable. */
interface Automaton<State> {
  start: State;
  /** Returns the next state; undefined if no term can match any more. */
  next: (state: State, point: number) => State | undefined;
  /** Returns the edit distance of a term that ends in this state; undefined if it doesn't match. */
  distance: (state: State) => number | undefined;
}

export interface TermMatch {
  /** Rank of the term. */
  rank: number;
  distance: number;
}

/** The matching terms, and the number of terms that were tried. */
export interface TermMatches {
  matches: TermMatch[];
  tried: number;
}

function getCommonPrefixLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  // Not between the units of a surrogate pair.
  return at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

/** The terms of a field and the ranks of the candidates. */
export interface Vocabulary extends RankRange {
  terms: TermIndex['terms'];
}

function matchTerms<State>({ terms, from, to }: Vocabulary, automaton: Automaton<State>): TermMatches {
  const matches: TermMatch[] = [];
  /** The state after each unit of the last term. */
  const states: State[] = [automaton.start];
  let tried = 0;
  let last = '';
  for (let rank = from; rank < to; ) {
    const term = terms[rank] ?? '';
    tried += 1;
    states.length = Math.min(states.length, getCommonPrefixLength(last, term) + 1);
    last = term;
    let read = states.length - 1;
    let state = states[read];
    while (state !== undefined && read < term.length) {
      const point = term.codePointAt(read) ?? 0;
      state = automaton.next(state, point);
      read += point > 0xffff ? 2 : 1;
      while (state !== undefined && states.length <= read) states.push(state);
    }
    if (state === undefined) {
      const failed = term.slice(0, read);
      rank = findEnd(terms, (other) => other.startsWith(failed), rank);
      continue;
    }
    const distance = automaton.distance(state);
    if (distance !== undefined) matches.push({ rank, distance });
    rank += 1;
  }
  return { matches, tried };
}

/**
 * Finds the terms that match a pattern.
 * @throws PatternError if the pattern needs too many states
 */
export function matchPattern(vocabulary: Vocabulary, { expressions, expression }: Pattern): TermMatches {
  return matchTerms(vocabulary, {
    start: expression,
    next: (state, point) => {
      const derivative = expressions.derive(state, point);
      return derivative === expressions.never ? undefined : derivative;
    },
    distance: ({ matchesEmpty }) => (matchesEmpty ? 0 : undefined),
  });
}

/** A row of the edit-distance table, the row before it, and the character that led to it. */
interface Row {
  distances: Uint8Array;
  previous: Uint8Array | undefined;
  point: number;
}

/**
 * Finds the terms within an edit distance.
 * @param transpositions - whether swapped neighbours count as one edit
 */
export function matchFuzzy(
  vocabulary: Vocabulary,
  word: string,
  maxEdits: number,
  transpositions: boolean,
): TermMatches {
  const points = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const width = points.length;
  const beyond = maxEdits + 1;
  const first = Uint8Array.from({ length: width + 1 }, (_, at) => Math.min(at, beyond));
  return matchTerms<Row>(vocabulary, {
    start: { distances: first, previous: undefined, point: -1 },
    next: ({ distances, previous, point: last }, point) => {
      const next = new Uint8Array(width + 1);
      next[0] = Math.min(beyond, (distances[0] ?? beyond) + 1);
      let lowest = next[0];
      for (let at = 1; at <= width; at += 1) {
        const substitutionCost = points[at - 1] === point ? 0 : 1;
        let distance = Math.min(
          (distances[at - 1] ?? beyond) + substitutionCost,
          (distances[at] ?? beyond) + 1,
          (next[at - 1] ?? beyond) + 1,
          beyond,
        );
        if (transpositions && at > 1 && points[at - 1] === last && points[at - 2] === point) {
          distance = Math.min(distance, (previous?.[at - 2] ?? beyond) + 1);
        }
        next[at] = distance;
        lowest = Math.min(lowest, distance);
      }
      return lowest > maxEdits ? undefined : { distances: next, previous: distances, point };
    },
    distance: ({ distances }) => {
      const distance = distances[width] ?? beyond;
      return distance <= maxEdits ? distance : undefined;
    },
  });
}
