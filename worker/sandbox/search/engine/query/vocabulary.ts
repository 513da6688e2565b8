// Terms of a vocabulary that a pattern or a misspelt word fits: tried in order, so that terms share the work of their
// common beginnings.
import type { Pattern } from './pattern.ts';

/** Reads a term character by character; a state is never changed. */
interface Automaton<State> {
  start: State;
  /** Undefined where no term goes on like this. */
  after: (state: State, point: number) => State | undefined;
  /** How far a term that ends here is from what is sought; undefined if it does not fit. */
  distance: (state: State) => number | undefined;
}

/** A term that fits. */
export interface TermMatch {
  term: string;
  distance: number;
}

/** Terms that fit, and how many were looked at to find them. */
export interface TermMatches {
  matches: TermMatch[];
  tried: number;
}

function getCommonPrefixLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  // Not between the halves of a pair.
  return at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

/** The place of the first term behind those that begin with a prefix; the one at `from` does. */
function findPrefixRangeEnd(terms: readonly string[], prefix: string, from: number): number {
  let last = from;
  for (let step = 1; terms[last + step]?.startsWith(prefix) === true; step *= 2) last += step;
  let high = terms.length;
  while (last + 1 < high) {
    const middle = (last + high) >> 1;
    if (terms[middle]?.startsWith(prefix) === true) last = middle;
    else high = middle;
  }
  return high;
}

function matchTerms<State>(terms: readonly string[], automaton: Automaton<State>): TermMatches {
  const fits: TermMatch[] = [];
  /** The state behind so many units of the last term. */
  const states: State[] = [automaton.start];
  let tried = 0;
  let last = '';
  for (let next = 0; next < terms.length; ) {
    const term = terms[next] ?? '';
    tried += 1;
    states.length = Math.min(states.length, getCommonPrefixLength(last, term) + 1);
    last = term;
    let at = states.length - 1;
    let state = states[at];
    while (state !== undefined && at < term.length) {
      const point = term.codePointAt(at) ?? 0;
      state = automaton.after(state, point);
      at += point > 0xffff ? 2 : 1;
      while (state !== undefined && states.length <= at) states.push(state);
    }
    if (state === undefined) {
      next = findPrefixRangeEnd(terms, term.slice(0, at), next);
      continue;
    }
    const distance = automaton.distance(state);
    if (distance !== undefined) fits.push({ term, distance });
    next += 1;
  }
  return { matches: fits, tried };
}

/**
 * The terms that fit a pattern whole.
 * @param terms - in order
 * @throws PatternError if the pattern needs too many states
 */
export function matchPattern(terms: readonly string[], { expressions, expression }: Pattern): TermMatches {
  return matchTerms(terms, {
    start: expression,
    after: (state, point) => {
      const after = expressions.after(state, point);
      return after === expressions.never ? undefined : after;
    },
    distance: ({ nullable }) => (nullable ? 0 : undefined),
  });
}

/** A row of the table of edit distances, the one before it, and the character that led to it. */
interface Row {
  distances: Uint8Array;
  before: Uint8Array | undefined;
  point: number;
}

/**
 * The terms within an edit distance.
 * @param terms - in order
 * @param transpositions - whether two neighbours that are swapped count as one edit
 */
export function matchFuzzy(
  terms: readonly string[],
  word: string,
  maxEdits: number,
  transpositions: boolean,
): TermMatches {
  const points = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const width = points.length;
  const far = maxEdits + 1;
  const first = Uint8Array.from({ length: width + 1 }, (_, at) => Math.min(at, far));
  return matchTerms<Row>(terms, {
    start: { distances: first, before: undefined, point: -1 },
    after: ({ distances, before, point: last }, point) => {
      const next = new Uint8Array(width + 1);
      next[0] = Math.min(far, (distances[0] ?? far) + 1);
      let least = next[0];
      for (let at = 1; at <= width; at += 1) {
        const same = points[at - 1] === point ? 0 : 1;
        let distance = Math.min(
          (distances[at - 1] ?? far) + same,
          (distances[at] ?? far) + 1,
          (next[at - 1] ?? far) + 1,
          far,
        );
        if (transpositions && at > 1 && points[at - 1] === last && points[at - 2] === point) {
          distance = Math.min(distance, (before?.[at - 2] ?? far) + 1);
        }
        next[at] = distance;
        least = Math.min(least, distance);
      }
      return least > maxEdits ? undefined : { distances: next, before: distances, point };
    },
    distance: ({ distances }) => {
      const distance = distances[width] ?? far;
      return distance <= maxEdits ? distance : undefined;
    },
  });
}
