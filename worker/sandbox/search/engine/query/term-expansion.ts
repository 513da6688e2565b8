// Expands clauses to terms of the vocabulary: patterns, fuzzy terms, and phrases that end in a prefix.
import type { Query } from '../../query.ts';
import { compareCodePoints, findPrefixEnd } from '../codec/unpack.ts';
import { toStorableTerm } from '../index/document.ts';
import type { IndexedField } from '../index/state.ts';
import type { TermRange } from '../read/list-types.ts';
import type { IndexReader } from '../read/reader.ts';
import { compileRegexp, compileWildcard, type Pattern } from './pattern.ts';
import { matchFuzzy, matchPattern, type TermMatch } from './vocabulary.ts';

export class LimitError extends Error {
  override readonly name = 'LimitError';
}

export interface WeightedTerm {
  term: string;
  boost: number;
}

export type PatternQuery = Query & { kind: 'prefix' | 'wildcard' | 'regexp' };
export type FuzzyQuery = Query & { kind: 'fuzzy' };
export type PhraseQuery = Query & { kind: 'phrase' };
export type ExpandedQuery = PatternQuery | FuzzyQuery | PhraseQuery;

/** Maximum number of terms of all clauses of a search. */
const MAX_TERMS = 100_000;
/** Maximum number of terms that all patterns of a search are matched against. */
const MAX_TRIED_TERMS = 20_000_000;
/** The default of Elasticsearch. */
const DEFAULT_PHRASE_EXPANSIONS = 50;
/** The vocabulary contains terms of deleted documents; this number of extra terms makes up for them. */
const SPARE_TERMS = 20;

const WILDCARD = /[?*\\]/;

function getLiteralPrefix(pattern: string): string {
  const end = pattern.search(WILDCARD);
  return end < 0 ? pattern : pattern.slice(0, end);
}

function toPrefixRange(field: IndexedField, prefix: string): TermRange {
  const from = toStorableTerm(prefix);
  const to = findPrefixEnd(from);
  return to === undefined ? { field, from } : { field, from, to, toIncluded: false };
}

/**
 * Returns the range of terms that a pattern matches, for patterns such as `abc*`.
 * @returns undefined if terms must be matched one by one
 */
export function toExactRange(query: PatternQuery, field: IndexedField): TermRange | undefined {
  if (query.kind === 'prefix') return query.caseInsensitive ? undefined : toPrefixRange(field, query.value);
  if (query.kind === 'regexp') return undefined;
  const start = getLiteralPrefix(query.pattern);
  const isAll = /^\*+$/.test(query.pattern);
  const isPrefix = !query.caseInsensitive && /^\*+$/.test(query.pattern.slice(start.length));
  return isAll || isPrefix ? toPrefixRange(field, start) : undefined;
}

/** Returns the part of the vocabulary that contains a clause's terms. */
function toVocabularyRange(query: ExpandedQuery, field: IndexedField): TermRange {
  switch (query.kind) {
    case 'phrase':
      return toPrefixRange(field, query.terms.at(-1)?.term ?? '');
    case 'fuzzy':
      return toPrefixRange(field, [...query.value].slice(0, query.prefixLength).join(''));
    case 'wildcard':
      return toPrefixRange(field, query.caseInsensitive ? '' : getLiteralPrefix(query.pattern));
    default:
      return { field };
  }
}

function compilePattern(query: PatternQuery): Pattern {
  if (query.kind === 'regexp') return compileRegexp(query.pattern, query.caseInsensitive);
  if (query.kind === 'wildcard') return compileWildcard(query.pattern, query.caseInsensitive);
  return compileWildcard(`${query.value.replace(/[?*\\]/g, '\\$&')}*`, query.caseInsensitive);
}

/** Returns the maximum number of terms that the prefix at the end of a phrase expands to. */
export function getPhraseExpansions({ maxExpansions }: PhraseQuery): number {
  return maxExpansions ?? DEFAULT_PHRASE_EXPANSIONS;
}

/** Weights terms by their similarity; a term without a common letter gets 0 but still matches. */
function weightMatches(query: FuzzyQuery, matches: readonly TermMatch[]): WeightedTerm[] {
  const length = [...query.value].length;
  return matches
    .map(({ term, distance }) => ({
      term,
      boost: Math.fround(1 - Math.fround(distance / Math.min(length, [...term].length))),
    }))
    .sort((a, b) => b.boost - a.boost || compareCodePoints(a.term, b.term))
    .slice(0, query.maxExpansions + SPARE_TERMS)
    .map(({ term, boost }) => ({ term, boost: Math.max(0, boost) }));
}

export class TermExpansion {
  readonly #reader: IndexReader;
  readonly #termsByQuery = new Map<ExpandedQuery, readonly WeightedTerm[]>();
  #expandedCount = 0;
  #triedCount = 0;

  constructor(reader: IndexReader) {
    this.#reader = reader;
  }

  requestVocabulary(query: ExpandedQuery, field: IndexedField): void {
    this.#reader.vocabularies.request(toVocabularyRange(query, field));
  }

  /**
   * Expands a clause; its vocabulary must be loaded.
   * @throws LimitError, PatternError
   */
  expand(query: ExpandedQuery, field: IndexedField): readonly WeightedTerm[] {
    const terms = this.#findTerms(query, this.#reader.vocabularies.get(toVocabularyRange(query, field)));
    if (this.#triedCount > MAX_TRIED_TERMS) {
      throw new LimitError('the patterns of the query need too many terms to be tried');
    }
    this.#expandedCount += terms.length;
    if (this.#expandedCount > MAX_TERMS) {
      throw new LimitError(`the patterns of the query stand for more than ${MAX_TERMS} terms`);
    }
    this.#termsByQuery.set(query, terms);
    return terms;
  }

  getTerms(query: ExpandedQuery): readonly WeightedTerm[] {
    return this.#termsByQuery.get(query) ?? [];
  }

  #findTerms(query: ExpandedQuery, vocabulary: readonly string[]): readonly WeightedTerm[] {
    if (query.kind === 'phrase')
      return toEqualWeights(vocabulary.slice(0, getPhraseExpansions(query) + SPARE_TERMS));
    if (query.kind === 'fuzzy') {
      const maxEdits = query.prefixLength < query.value.length ? query.maxEdits : 0;
      const { matches, tried } = matchFuzzy(vocabulary, query.value, maxEdits, query.transpositions);
      this.#triedCount += tried;
      return weightMatches(query, matches);
    }
    const { matches: fits, tried } = matchPattern(vocabulary, compilePattern(query));
    this.#triedCount += tried;
    return toEqualWeights(fits.map(({ term }) => term));
  }
}

function toEqualWeights(terms: readonly string[]): WeightedTerm[] {
  return terms.map((term) => ({ term, boost: 1 }));
}
