// Clauses that stand for many terms, and which terms these are: patterns, misspelt words, phrases that end in a prefix.
import type { Query } from '../../query.ts';
import { compareCodePoints, findPrefixEnd } from '../codec/code-points.ts';
import { toStorableTerm } from '../index/document.ts';
import type { IndexedField } from '../index/state.ts';
import type { TermRange } from '../read/list-types.ts';
import type { IndexReader } from '../read/reader.ts';
import { compileRegexp, compileWildcard, type Pattern } from './pattern.ts';
import { matchFuzzy, matchPattern, type TermMatch } from './vocabulary.ts';

/** A query that would take more work than one query may. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** A term that a clause stands for, and what it is worth. */
export interface WeightedTerm {
  term: string;
  boost: number;
}

export type PatternQuery = Query & { kind: 'prefix' | 'wildcard' | 'regexp' };
export type FuzzyQuery = Query & { kind: 'fuzzy' };
export type PhraseQuery = Query & { kind: 'phrase' };
export type ExpandedQuery = PatternQuery | FuzzyQuery | PhraseQuery;

/** Terms that all clauses of a search may stand for together. */
const MAX_TERMS = 100_000;
/** Terms that all patterns of a search may be tried on together. */
const MAX_TRIED_TERMS = 20_000_000;
/** Terms that may end a phrase unless it says otherwise, as Elasticsearch has it. */
const DEFAULT_PHRASE_EXPANSIONS = 50;
/** Terms are in the vocabulary that no document has any more: so many more are looked at. */
const SPARE_TERMS = 20;

const META = /[?*\\]/;

/** The text that every term of a wildcard pattern begins with. */
function getLiteralPrefix(pattern: string): string {
  const end = pattern.search(META);
  return end < 0 ? pattern : pattern.slice(0, end);
}

/** The span of the terms that begin with a prefix. */
export function toPrefixRange(field: IndexedField, prefix: string): TermRange {
  const from = toStorableTerm(prefix);
  const to = findPrefixEnd(from);
  return to === undefined ? { field, from } : { field, from, to, toIncluded: false };
}

/**
 * The span that a pattern is all of: `abc*` and the like need no trying.
 * @returns undefined where terms have to be tried
 */
export function toExactRange(query: PatternQuery, field: IndexedField): TermRange | undefined {
  if (query.kind === 'prefix') return query.caseInsensitive ? undefined : toPrefixRange(field, query.value);
  if (query.kind === 'regexp') return undefined;
  const start = getLiteralPrefix(query.pattern);
  const isAll = /^\*+$/.test(query.pattern);
  const isPrefix = !query.caseInsensitive && /^\*+$/.test(query.pattern.slice(start.length));
  return isAll || isPrefix ? toPrefixRange(field, start) : undefined;
}

/** The part of the vocabulary among which a clause's terms are. */
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

/** How many terms the prefix at the end of a phrase may become. */
export function getPhraseExpansions({ maxExpansions }: PhraseQuery): number {
  return maxExpansions ?? DEFAULT_PHRASE_EXPANSIONS;
}

/** A term is worth less the more of its letters are other ones; one without a common letter is found all the same. */
function weightMatches(query: FuzzyQuery, fits: readonly TermMatch[]): WeightedTerm[] {
  const length = [...query.value].length;
  return fits
    .map(({ term, distance }) => ({
      term,
      boost: Math.fround(1 - Math.fround(distance / Math.min(length, [...term].length))),
    }))
    .sort((a, b) => b.boost - a.boost || compareCodePoints(a.term, b.term))
    .slice(0, query.maxExpansions + SPARE_TERMS)
    .map(({ term, boost }) => ({ term, boost: Math.max(0, boost) }));
}

/** What the clauses of one search stand for. */
export class TermExpansion {
  readonly #reader: IndexReader;
  readonly #terms = new Map<ExpandedQuery, readonly WeightedTerm[]>();
  #expanded = 0;
  #tried = 0;

  constructor(reader: IndexReader) {
    this.#reader = reader;
  }

  /** Asks for the vocabulary that a clause needs. */
  requestVocabulary(query: ExpandedQuery, field: IndexedField): void {
    this.#reader.vocabularies.request(toVocabularyRange(query, field));
  }

  /**
   * Finds the terms of a clause; its vocabulary must have been read.
   * @throws LimitError, PatternError
   */
  expand(query: ExpandedQuery, field: IndexedField): readonly WeightedTerm[] {
    const getTerms = this.#find(query, this.#reader.vocabularies.get(toVocabularyRange(query, field)));
    if (this.#tried > MAX_TRIED_TERMS) {
      throw new LimitError('the patterns of the query need too many terms to be tried');
    }
    this.#expanded += getTerms.length;
    if (this.#expanded > MAX_TERMS) {
      throw new LimitError(`the patterns of the query stand for more than ${MAX_TERMS} terms`);
    }
    this.#terms.set(query, getTerms);
    return getTerms;
  }

  /** The terms that were found for a clause. */
  terms(query: ExpandedQuery): readonly WeightedTerm[] {
    return this.#terms.get(query) ?? [];
  }

  #find(query: ExpandedQuery, vocabulary: readonly string[]): readonly WeightedTerm[] {
    if (query.kind === 'phrase')
      return toEqualWeights(vocabulary.slice(0, getPhraseExpansions(query) + SPARE_TERMS));
    if (query.kind === 'fuzzy') {
      const maxEdits = query.prefixLength < query.value.length ? query.maxEdits : 0;
      const { matches, tried } = matchFuzzy(vocabulary, query.value, maxEdits, query.transpositions);
      this.#tried += tried;
      return weightMatches(query, matches);
    }
    const { matches: fits, tried } = matchPattern(vocabulary, compilePattern(query));
    this.#tried += tried;
    return toEqualWeights(fits.map(({ term }) => term));
  }
}

function toEqualWeights(terms: readonly string[]): WeightedTerm[] {
  return terms.map((term) => ({ term, boost: 1 }));
}
