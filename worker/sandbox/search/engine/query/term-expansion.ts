// Clauses that stand for many terms, and which terms these are: patterns, misspelt words, phrases that end in a prefix.
import type { Query } from '../../query.ts';
import { afterPrefix, byCodePoint } from '../codec/code-points.ts';
import { storable } from '../index/document.ts';
import type { FieldSpan } from '../read/list-types.ts';
import { type Pattern, readRegexp, readWildcard } from './pattern.ts';
import type { Reader } from '../read/reader.ts';
import type { IndexedField } from '../index/state.ts';
import { type Fit, termsNear, termsOfPattern } from './vocabulary.ts';

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
const MOST_TERMS = 100_000;
/** Terms that all patterns of a search may be tried on together. */
const MOST_TRIED = 20_000_000;
/** Terms that may end a phrase unless it says otherwise, as Elasticsearch has it. */
const PHRASE_ENDS = 50;
/** Terms are in the vocabulary that no document has any more: so many more are looked at. */
const SPARE = 20;

const META = /[?*\\]/;

/** The text that every term of a wildcard pattern begins with. */
function literalStart(pattern: string): string {
  const end = pattern.search(META);
  return end < 0 ? pattern : pattern.slice(0, end);
}

/** The span of the terms that begin with a prefix. */
export function prefixSpan(field: IndexedField, prefix: string): FieldSpan {
  const from = storable(prefix);
  const to = afterPrefix(from);
  return to === undefined ? { field, from } : { field, from, to, toIncluded: false };
}

/**
 * The span that a pattern is all of: `abc*` and the like need no trying.
 * @returns undefined where terms have to be tried
 */
export function wholeSpan(query: PatternQuery, field: IndexedField): FieldSpan | undefined {
  if (query.kind === 'prefix') return query.caseInsensitive ? undefined : prefixSpan(field, query.value);
  if (query.kind === 'regexp') return undefined;
  const start = literalStart(query.pattern);
  const isAll = /^\*+$/.test(query.pattern);
  const isPrefix = !query.caseInsensitive && /^\*+$/.test(query.pattern.slice(start.length));
  return isAll || isPrefix ? prefixSpan(field, start) : undefined;
}

/** The part of the vocabulary among which a clause's terms are. */
function vocabularySpan(query: ExpandedQuery, field: IndexedField): FieldSpan {
  switch (query.kind) {
    case 'phrase':
      return prefixSpan(field, query.terms.at(-1)?.term ?? '');
    case 'fuzzy':
      return prefixSpan(field, [...query.value].slice(0, query.prefixLength).join(''));
    case 'wildcard':
      return prefixSpan(field, query.caseInsensitive ? '' : literalStart(query.pattern));
    default:
      return { field };
  }
}

function readPattern(query: PatternQuery): Pattern {
  if (query.kind === 'regexp') return readRegexp(query.pattern, query.caseInsensitive);
  if (query.kind === 'wildcard') return readWildcard(query.pattern, query.caseInsensitive);
  return readWildcard(`${query.value.replace(/[?*\\]/g, '\\$&')}*`, query.caseInsensitive);
}

/** How many terms the prefix at the end of a phrase may become. */
export function phraseEnds({ maxExpansions }: PhraseQuery): number {
  return maxExpansions ?? PHRASE_ENDS;
}

/** A term is worth less the more of its letters are other ones; one without a common letter is found all the same. */
function weighted(query: FuzzyQuery, fits: readonly Fit[]): WeightedTerm[] {
  const length = [...query.value].length;
  return fits
    .map(({ term, distance }) => ({
      term,
      boost: Math.fround(1 - Math.fround(distance / Math.min(length, [...term].length))),
    }))
    .sort((a, b) => b.boost - a.boost || byCodePoint(a.term, b.term))
    .slice(0, query.maxExpansions + SPARE)
    .map(({ term, boost }) => ({ term, boost: Math.max(0, boost) }));
}

/** What the clauses of one search stand for. */
export class Expansions {
  readonly #reader: Reader;
  readonly #terms = new Map<ExpandedQuery, readonly WeightedTerm[]>();
  #expanded = 0;
  #tried = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Asks for the vocabulary that a clause needs. */
  want(query: ExpandedQuery, field: IndexedField): void {
    this.#reader.vocabularies.want(vocabularySpan(query, field));
  }

  /**
   * Finds the terms of a clause; its vocabulary must have been read.
   * @throws LimitError, PatternError
   */
  expand(query: ExpandedQuery, field: IndexedField): readonly WeightedTerm[] {
    const terms = this.#find(query, this.#reader.vocabularies.get(vocabularySpan(query, field)));
    if (this.#tried > MOST_TRIED) {
      throw new LimitError('the patterns of the query need too many terms to be tried');
    }
    this.#expanded += terms.length;
    if (this.#expanded > MOST_TERMS) {
      throw new LimitError(`the patterns of the query stand for more than ${MOST_TERMS} terms`);
    }
    this.#terms.set(query, terms);
    return terms;
  }

  /** The terms that were found for a clause. */
  terms(query: ExpandedQuery): readonly WeightedTerm[] {
    return this.#terms.get(query) ?? [];
  }

  #find(query: ExpandedQuery, vocabulary: readonly string[]): readonly WeightedTerm[] {
    if (query.kind === 'phrase') return alike(vocabulary.slice(0, phraseEnds(query) + SPARE));
    if (query.kind === 'fuzzy') {
      const maxEdits = query.prefixLength < query.value.length ? query.maxEdits : 0;
      const { fits, tried } = termsNear(vocabulary, query.value, maxEdits, query.transpositions);
      this.#tried += tried;
      return weighted(query, fits);
    }
    const { fits, tried } = termsOfPattern(vocabulary, readPattern(query));
    this.#tried += tried;
    return alike(fits.map(({ term }) => term));
  }
}

function alike(terms: readonly string[]): WeightedTerm[] {
  return terms.map((term) => ({ term, boost: 1 }));
}
