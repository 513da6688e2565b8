// Expands patterns and fuzzy terms to terms of the vocabulary.
import type { PatternKind, Query } from '../../query.ts';
import type { RankRange, TermIndex } from '../index/term-index.ts';
import { compileRegexp, compileWildcard, type Pattern } from './pattern.ts';
import { matchFuzzy, matchPattern } from './vocabulary.ts';

export class LimitError extends Error {
  override readonly name = 'LimitError';
}

export type PatternQuery = Query & { kind: PatternKind };
export type FuzzyQuery = Query & { kind: 'fuzzy' };

/** Maximum number of terms of all clauses of a search. */
const MAX_TERMS = 100_000;
/** Maximum number of terms that all patterns of a search are matched against. */
const MAX_TRIED_TERMS = 20_000_000;

const WILDCARD = /[?*\\]/;

/** Returns the text that all terms of a pattern begin with, and whether all terms that begin with it match. */
function findPrefix(query: PatternQuery): { prefix: string; isExact: boolean } {
  if (query.kind === 'regexp') return { prefix: '', isExact: false };
  if (query.kind === 'prefix')
    return query.caseInsensitive ? { prefix: '', isExact: false } : { prefix: query.pattern, isExact: true };
  if (/^\*+$/.test(query.pattern)) return { prefix: '', isExact: true };
  if (query.caseInsensitive) return { prefix: '', isExact: false };
  const end = query.pattern.search(WILDCARD);
  const prefix = end < 0 ? query.pattern : query.pattern.slice(0, end);
  return { prefix, isExact: /^\*+$/.test(query.pattern.slice(prefix.length)) };
}

function compilePattern(query: PatternQuery): Pattern {
  if (query.kind === 'regexp') return compileRegexp(query.pattern, query.caseInsensitive);
  if (query.kind === 'wildcard') return compileWildcard(query.pattern, query.caseInsensitive);
  return compileWildcard(`${query.pattern.replace(/[?*\\]/g, '\\$&')}*`, query.caseInsensitive);
}

export function listRanks({ from, to }: RankRange): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** A term by rank, and its similarity to a fuzzy one. */
export interface WeightedTerm {
  rank: number;
  weight: number;
}

/** Expands the clauses of one search. */
export class TermExpansion {
  #expandedCount = 0;
  #triedCount = 0;

  /**
   * Finds the terms that match a pattern.
   * @returns their ranks
   * @throws LimitError, PatternError
   */
  expandPattern(query: PatternQuery, field: TermIndex): number[] {
    const { prefix, isExact } = findPrefix(query);
    const range = field.findPrefix(prefix);
    if (isExact) return listRanks(range);
    const { matches, tried } = matchPattern({ terms: field.terms, ...range }, compilePattern(query));
    this.#count(tried, matches.length);
    return matches.map(({ rank }) => rank);
  }

  /**
   * Finds the most similar terms. One without a common letter has the weight 0 but still matches.
   * @throws LimitError
   */
  expandFuzzy(query: FuzzyQuery, field: TermIndex): WeightedTerm[] {
    const letters = [...query.value];
    const range = field.findPrefix(letters.slice(0, query.prefixLength).join(''));
    const vocabulary = { terms: field.terms, ...range };
    const { matches, tried } = matchFuzzy(vocabulary, query.value, query.maxEdits, query.transpositions);
    const weighted = matches
      .map(({ rank, distance }) => {
        const shorter = Math.min(letters.length, [...(field.terms[rank] ?? '')].length);
        return { rank, weight: Math.fround(1 - Math.fround(distance / shorter)) };
      })
      .sort((a, b) => b.weight - a.weight || a.rank - b.rank)
      .slice(0, query.maxExpansions);
    this.#count(tried, weighted.length);
    return weighted.map(({ rank, weight }) => ({ rank, weight: Math.max(0, weight) }));
  }

  /** @throws LimitError */
  #count(tried: number, expanded: number): void {
    this.#triedCount += tried;
    if (this.#triedCount > MAX_TRIED_TERMS) {
      throw new LimitError('the patterns of the query need too many terms to be tried');
    }
    this.#expandedCount += expanded;
    if (this.#expandedCount > MAX_TERMS) {
      throw new LimitError(`the patterns of the query stand for more than ${MAX_TERMS} terms`);
    }
  }
}
