// Evaluates the clauses on a field: requests their lists and finds their documents.
import type { Bound, Query, TermValue } from '../../query.ts';
import type { Column, Postings } from '../codec/unpack.ts';
import { toBooleanTerm, toStorableTerm } from '../index/document.ts';
import type { IndexedField } from '../index/state.ts';
import type { TermRange } from '../read/list-types.ts';
import type { IndexReader } from '../read/reader.ts';
import { type Matches, NO_MATCHES, sumScores, union, withConstantScore, withScores } from './matches.ts';
import { matchPhrase, type Slot } from './phrase.ts';
import { computeIdf, createScorer } from './score.ts';
import { getPhraseExpansions, type TermExpansion, toExactRange } from './term-expansion.ts';

export type FieldQuery = Query & {
  kind: 'term' | 'terms' | 'phrase' | 'range' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy';
};

export interface ScoreContext {
  /** Product of the boosts of the enclosing clauses. */
  boost: number;
  needsScores: boolean;
}

function hasTerms({ type }: IndexedField): boolean {
  return type === 'text' || type === 'keyword' || type === 'boolean';
}

function toTerm(value: TermValue): string {
  return typeof value === 'boolean' ? toBooleanTerm(value) : toStorableTerm(String(value));
}

export class FieldClauses {
  readonly #reader: IndexReader;
  readonly #expansion: TermExpansion;

  constructor(reader: IndexReader, expansion: TermExpansion) {
    this.#reader = reader;
    this.#expansion = expansion;
  }

  /** Requests the vocabulary of a clause that expands to terms. */
  requestVocabulary(query: FieldQuery, field: IndexedField): void {
    if (needsVocabulary(query, field)) this.#expansion.requestVocabulary(query, field);
  }

  /** Requests the lists of a clause. Its vocabulary must be loaded. */
  requestLists(query: FieldQuery, field: IndexedField): void {
    const reader = this.#reader;
    const terms = needsVocabulary(query, field) ? this.#expansion.expand(query, field) : [];
    if (!hasTerms(field)) {
      if (query.kind === 'term' || query.kind === 'terms' || query.kind === 'range')
        reader.columns.request(field);
      return;
    }
    switch (query.kind) {
      case 'term':
        reader.postings.request({ field, term: toTerm(query.value) });
        break;
      case 'terms':
        reader.termSets.request({ field, terms: query.values.map(toTerm) });
        break;
      case 'range':
        reader.termRanges.request(toTermRange(query, field));
        break;
      case 'fuzzy':
        for (const { term } of terms) reader.postings.request({ field, term });
        break;
      case 'phrase':
        if (field.type !== 'text') break;
        for (const { term } of [...query.terms.slice(0, query.prefix ? -1 : undefined), ...terms]) {
          reader.positions.request({ field, term });
        }
        break;
      default: {
        const range = toExactRange(query, field);
        if (range === undefined) reader.termSets.request({ field, terms: terms.map(({ term }) => term) });
        else reader.termRanges.request(range);
      }
    }
  }

  /** Evaluates a clause. Its lists must be loaded. */
  evaluate(query: FieldQuery, field: IndexedField, { boost, needsScores }: ScoreContext): Matches {
    const reader = this.#reader;
    if (!hasTerms(field)) return this.#evaluateNumbers(query, field, boost);
    switch (query.kind) {
      case 'term': {
        const postings = reader.postings.get({ field, term: toTerm(query.value) });
        return needsScores
          ? scoreTerms(field, [toWeightedPostings(postings)], boost)
          : withConstantScore(postings.docs, 0);
      }
      case 'terms':
        return withConstantScore(reader.termSets.get({ field, terms: query.values.map(toTerm) }), boost);
      case 'range':
        return withConstantScore(reader.termRanges.get(toTermRange(query, field)), boost);
      case 'fuzzy':
        return this.#evaluateFuzzy(query, field, { boost, needsScores });
      case 'phrase':
        if (field.type !== 'text') return NO_MATCHES;
        return this.#evaluatePhrase(query, field, { boost, needsScores });
      default: {
        const range = toExactRange(query, field);
        const terms = this.#expansion.getTerms(query).map(({ term }) => term);
        return withConstantScore(
          range === undefined ? reader.termSets.get({ field, terms }) : reader.termRanges.get(range),
          boost,
        );
      }
    }
  }

  #evaluateNumbers(query: FieldQuery, field: IndexedField, boost: number): Matches {
    const { columns } = this.#reader;
    switch (query.kind) {
      case 'term':
        return withConstantScore(findValues(columns.get(field), [query.value]), boost);
      case 'terms':
        return withConstantScore(findValues(columns.get(field), query.values), boost);
      case 'range':
        return withConstantScore(findRange(columns.get(field), query.lower, query.upper), boost);
      default:
        return NO_MATCHES;
    }
  }

  #evaluateFuzzy(
    query: Query & { kind: 'fuzzy' },
    field: IndexedField,
    { boost, needsScores }: ScoreContext,
  ): Matches {
    const terms = this.#expansion
      .getTerms(query)
      .map(({ term, boost: weight }) => ({ postings: this.#reader.postings.get({ field, term }), weight }))
      .filter(({ postings }) => postings.docs.length > 0)
      .slice(0, query.maxExpansions);
    if (!needsScores) {
      return withConstantScore(
        union(
          terms.map(({ postings }) => postings.docs),
          field.space.size,
        ),
        0,
      );
    }
    // All terms get the frequency of the most frequent one: a rare misspelling must not score above the word.
    const docFrequency = Math.max(...terms.map(({ postings }) => postings.docs.length));
    return scoreTerms(
      field,
      terms.map((term) => ({ ...term, docFrequency })),
      boost,
    );
  }

  #evaluatePhrase(
    query: Query & { kind: 'phrase' },
    field: IndexedField,
    { boost, needsScores }: ScoreContext,
  ): Matches {
    const getPostings = (term: string) => this.#reader.positions.get({ field, term });
    const lastTerms = this.#expansion
      .getTerms(query)
      .map(({ term }) => term)
      .filter((term) => getPostings(term).docs.length > 0)
      .slice(0, getPhraseExpansions(query));
    const slots = query.terms.map(({ term, position }, at): Slot => {
      return { position, terms: query.prefix && at === query.terms.length - 1 ? lastTerms : [term] };
    });
    const terms = slots.flatMap((slot) => slot.terms);
    if (slots.length === 1) {
      return scoreTerms(
        field,
        terms.map((term) => toWeightedPostings(getPostings(term))),
        boost,
      );
    }
    const { docs, frequencies, lengths } = matchPhrase(slots, getPostings, query.slop, field.space.size);
    if (!needsScores || docs.length === 0) return withConstantScore(docs, 0);
    const idf = Math.fround(
      terms.reduce((sum, term) => sum + computeIdf(field.docs, getPostings(term).docs.length), 0),
    );
    const score = createScorer(field, idf, boost);
    return { docs, scores: frequencies.map((frequency, at) => score(frequency, lengths[at] ?? 0)) };
  }
}

/** Checks whether a clause expands to terms of the vocabulary. */
function needsVocabulary(
  query: FieldQuery,
  field: IndexedField,
): query is FieldQuery & { kind: 'phrase' | 'fuzzy' | 'prefix' | 'wildcard' | 'regexp' } {
  if (!hasTerms(field)) return false;
  if (query.kind === 'phrase') return query.prefix && field.type === 'text';
  if (query.kind === 'fuzzy') return true;
  return (
    (query.kind === 'prefix' || query.kind === 'wildcard' || query.kind === 'regexp') &&
    toExactRange(query, field) === undefined
  );
}

function toTermRange({ lower, upper }: Query & { kind: 'range' }, field: IndexedField): TermRange {
  return {
    field,
    from: lower === undefined ? undefined : toStorableTerm(String(lower.value)),
    fromIncluded: lower?.inclusive ?? true,
    to: upper === undefined ? undefined : toStorableTerm(String(upper.value)),
    toIncluded: upper?.inclusive ?? true,
  };
}

interface WeightedPostings {
  postings: Postings;
  weight: number;
  /** The document frequency for the term's idf. */
  docFrequency: number;
}

/** Scores the documents of terms; a document with several terms gets the sum. */
function scoreTerms(field: IndexedField, terms: readonly WeightedPostings[], boost: number): Matches {
  const parts = terms
    .filter(({ postings }) => postings.docs.length > 0)
    .map(({ postings: { docs, frequencies, lengths }, weight, docFrequency }): Matches => {
      const score = createScorer(field, computeIdf(field.docs, docFrequency), Math.fround(boost * weight));
      const scores = new Float32Array(docs.length);
      for (let at = 0; at < docs.length; at += 1) {
        scores[at] = score(frequencies[at] ?? 0, lengths[at] ?? 0);
      }
      return { docs, scores };
    });
  const [only] = parts;
  if (only === undefined) return NO_MATCHES;
  if (parts.length === 1) return only;
  const { size } = field.space;
  const docs = union(
    parts.map((part) => part.docs),
    size,
  );
  const sums = sumScores(parts, size);
  return withScores(docs, (doc) => sums[doc] ?? 0);
}

/** Weights a term by its document frequency. */
function toWeightedPostings(postings: Postings): WeightedPostings {
  return { postings, weight: 1, docFrequency: postings.docs.length };
}

/** Finds the documents with a matching value, each once. */
function filterColumn({ docs, values }: Column, matches: (value: number | bigint) => boolean): Int32Array {
  const matching = new Int32Array(docs.length);
  let count = 0;
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    if ((count > 0 && matching[count - 1] === doc) || !matches(values[at] ?? 0)) continue;
    matching[count] = doc;
    count += 1;
  }
  return matching.slice(0, count);
}

function findValues(column: Column, values: readonly TermValue[]): Int32Array {
  if (column.values instanceof Float64Array) {
    const numbers = new Set(values);
    return filterColumn(column, (value) => numbers.has(value));
  }
  // Small integers are numbers in a query, but bigints in a column that contains large ones.
  const texts = new Set(values.map(String));
  return filterColumn(column, (value) => texts.has(String(value)));
}

function toNumber(bound: Bound | undefined, open: number): number | bigint {
  if (bound === undefined) return open;
  return typeof bound.value === 'string' ? Number(bound.value) : bound.value;
}

/** Finds the documents with a value in a range; absent bounds are open. */
function findRange(column: Column, lower: Bound | undefined, upper: Bound | undefined): Int32Array {
  const from = toNumber(lower, Number.NEGATIVE_INFINITY);
  const to = toNumber(upper, Number.POSITIVE_INFINITY);
  const fromIncluded = lower?.inclusive ?? true;
  const toIncluded = upper?.inclusive ?? true;
  return filterColumn(
    column,
    (value) => (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to),
  );
}
