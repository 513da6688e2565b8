// Evaluates the clauses on a field.
import type { Bound, PatternKind, Query, TermValue } from '../../query.ts';
import { toBooleanTerm } from '../index/field-collector.ts';
import type { IndexedField } from '../index/search-index.ts';
import type { NumberColumn } from '../index/space.ts';
import { countPositions, type RankRange, TermIndex } from '../index/term-index.ts';
import { type Matches, NO_MATCHES, sumScores, union, withConstantScore, withScores } from './matches.ts';
import { matchPhrase } from './phrase.ts';
import { computeIdf, createScorer } from './score.ts';
import { listRanks, type TermExpansion, type WeightedTerm } from './term-expansion.ts';

export type FieldQuery = Query & {
  kind: 'term' | 'terms' | 'phrase' | 'range' | 'fuzzy' | PatternKind;
};

export interface ScoreContext {
  /** Product of the boosts of the enclosing clauses. */
  boost: number;
  needsScores: boolean;
}

interface ScoredTerm extends WeightedTerm {
  /** Number of documents for the term's idf. */
  docFrequency: number;
}

/**
 * Evaluates a clause.
 * @param expansion - of the whole search
 * @throws LimitError, PatternError
 */
export function evaluateField(
  query: FieldQuery,
  field: IndexedField,
  context: ScoreContext,
  expansion: TermExpansion,
): Matches {
  const { boost } = context;
  if (!(field instanceof TermIndex)) return evaluateNumbers(query, field, boost);
  switch (query.kind) {
    case 'term': {
      const rank = findTerm(field, query.value);
      return scoreTerms(field, [{ rank, weight: 1, docFrequency: field.getDocs(rank).length }], context);
    }
    case 'terms': {
      const ranks = query.values.map((value) => findTerm(field, value));
      return withConstantScore(uniteTerms(field, ranks), boost);
    }
    case 'range':
      return withConstantScore(uniteTerms(field, listRanks(findRange(query, field))), boost);
    case 'fuzzy': {
      const terms = expansion.expandFuzzy(query, field);
      // All get the frequency of the most frequent one: a rare misspelling must not score above the word.
      const docFrequency = Math.max(...terms.map(({ rank }) => field.getDocs(rank).length));
      return scoreTerms(
        field,
        terms.map((term) => ({ ...term, docFrequency })),
        context,
      );
    }
    case 'phrase':
      return field.isText ? evaluatePhrase(query, field, context) : NO_MATCHES;
    default:
      return withConstantScore(uniteTerms(field, expansion.expandPattern(query, field)), boost);
  }
}

function findTerm(field: TermIndex, value: TermValue): number {
  return field.findTerm(typeof value === 'boolean' ? toBooleanTerm(value) : String(value));
}

function findRange({ lower, upper }: Query & { kind: 'range' }, field: TermIndex): RankRange {
  return {
    from: lower === undefined ? 0 : field.countBefore(String(lower.value), !lower.inclusive),
    to: upper === undefined ? field.terms.length : field.countBefore(String(upper.value), upper.inclusive),
  };
}

function uniteTerms(field: TermIndex, ranks: readonly number[]): Int32Array {
  return union(
    ranks.map((rank) => field.getDocs(rank)),
    field.space.size,
  );
}

/** Scores the documents of terms; a document with several terms gets the sum. */
function scoreTerms(
  field: TermIndex,
  terms: readonly ScoredTerm[],
  { boost, needsScores }: ScoreContext,
): Matches {
  const docs = uniteTerms(
    field,
    terms.map(({ rank }) => rank),
  );
  if (!needsScores || docs.length === 0) return withConstantScore(docs, 0);
  const parts = terms.map(({ rank, weight, docFrequency }): Matches => {
    const postings = field.getPostings(rank);
    const idf = computeIdf(field.statistics.docs, docFrequency);
    const score = createScorer(field.statistics, idf, Math.fround(boost * weight));
    const scores = Float32Array.from(postings.docs, (doc, at) =>
      score(field.isText ? countPositions(postings, at) : 1, field.lengths[doc] ?? 0),
    );
    return { docs: postings.docs, scores };
  });
  const sums = sumScores(parts, field.space.size);
  return withScores(docs, (doc) => sums[doc] ?? 0);
}

function evaluatePhrase(query: Query & { kind: 'phrase' }, field: TermIndex, context: ScoreContext): Matches {
  const slots = query.terms.map(({ term, position }, at) => {
    const limit = at === query.terms.length - 1 ? query.maxExpansions : undefined;
    const ranks =
      limit === undefined ? [field.findTerm(term)] : listRanks(field.findPrefix(term)).slice(0, limit);
    return { position, ranks };
  });
  const terms = slots
    .flatMap(({ ranks }) => ranks)
    .map((rank) => ({ rank, weight: 1, docFrequency: field.getDocs(rank).length }));
  if (slots.length === 1) return scoreTerms(field, terms, context);
  const { docs, frequencies } = matchPhrase(slots, field, query.slop);
  if (!context.needsScores || docs.length === 0) return withConstantScore(docs, 0);
  const { statistics, lengths } = field;
  const idf = Math.fround(
    terms.reduce((sum, { docFrequency }) => sum + computeIdf(statistics.docs, docFrequency), 0),
  );
  const score = createScorer(statistics, idf, context.boost);
  return { docs, scores: frequencies.map((frequency, at) => score(frequency, lengths[docs[at] ?? 0] ?? 0)) };
}

function evaluateNumbers(query: FieldQuery, column: NumberColumn, boost: number): Matches {
  switch (query.kind) {
    case 'term':
      return withConstantScore(findValues(column, [query.value]), boost);
    case 'terms':
      return withConstantScore(findValues(column, query.values), boost);
    case 'range':
      return withConstantScore(findNumbers(column, query), boost);
    default:
      return NO_MATCHES;
  }
}

function findValues(column: NumberColumn, values: readonly TermValue[]): Int32Array {
  if (column.values instanceof Float64Array) {
    const numbers = new Set(values);
    return column.filter((value) => numbers.has(value));
  }
  // Small integers are numbers in a query, but bigints in a column that contains large ones.
  const texts = new Set(values.map(String));
  return column.filter((value) => texts.has(String(value)));
}

function toNumber(bound: Bound | undefined, open: number): number | bigint {
  if (bound === undefined) return open;
  return typeof bound.value === 'string' ? Number(bound.value) : bound.value;
}

/** Finds the documents with a value in a range; absent bounds are open. */
function findNumbers(column: NumberColumn, { lower, upper }: Query & { kind: 'range' }): Int32Array {
  const from = toNumber(lower, Number.NEGATIVE_INFINITY);
  const to = toNumber(upper, Number.POSITIVE_INFINITY);
  const fromIncluded = lower?.inclusive ?? true;
  const toIncluded = upper?.inclusive ?? true;
  return column.filter(
    (value) => (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to),
  );
}
