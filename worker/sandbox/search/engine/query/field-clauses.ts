// The clauses that name terms and values: what each has to read, and which documents it finds.
import type { Query, TermValue } from '../../query.ts';
import type { Postings } from '../codec/unpack.ts';
import { toBooleanTerm, toStorableTerm } from '../index/document.ts';
import type { IndexedField } from '../index/state.ts';
import type { TermRange } from '../read/list-types.ts';
import type { IndexReader } from '../read/reader.ts';
import { type Matches, NO_MATCHES, sumScores, unite, withConstantScore, withScores } from './matches.ts';
import { findRange, findValues } from './numeric.ts';
import { matchPhrase, type Slot } from './phrase.ts';
import { createScorer, inverseDocumentFrequency } from './score.ts';
import { getPhraseExpansions, type TermExpansion, toExactRange } from './term-expansion.ts';

/** A clause that names a field. */
export type FieldQuery = Query & {
  kind: 'term' | 'terms' | 'phrase' | 'range' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy';
};

/** How a clause is to be answered. */
export interface ScoreContext {
  /** Product of the boosts around it. */
  boost: number;
  /** Whether what it scores is of interest. */
  scoring: boolean;
}

function hasTerms({ type }: IndexedField): boolean {
  return type === 'text' || type === 'keyword' || type === 'boolean';
}

function toTerm(value: TermValue): string {
  return typeof value === 'boolean' ? toBooleanTerm(value) : toStorableTerm(String(value));
}

/** What a search has read, and what its clauses stand for. */
export class FieldClauses {
  readonly #reader: IndexReader;
  readonly #expansion: TermExpansion;

  constructor(reader: IndexReader, expansions: TermExpansion) {
    this.#reader = reader;
    this.#expansion = expansions;
  }

  /** Asks for what is needed to tell the terms that a clause stands for. */
  requestVocabulary(query: FieldQuery, field: IndexedField): void {
    if (needsVocabulary(query, field)) this.#expansion.requestVocabulary(query, field);
  }

  /** Asks for what a clause reads. Vocabularies must have been read. */
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
        const span = toExactRange(query, field);
        if (span === undefined) reader.termSets.request({ field, terms: terms.map(({ term }) => term) });
        else reader.termRanges.request(span);
      }
    }
  }

  /** Answers a clause. What it reads must have been read. */
  evaluate(query: FieldQuery, field: IndexedField, { boost, scoring }: ScoreContext): Matches {
    const reader = this.#reader;
    if (!hasTerms(field)) return this.#evaluateNumbers(query, field, boost);
    switch (query.kind) {
      case 'term': {
        const postings = reader.postings.get({ field, term: toTerm(query.value) });
        return scoring
          ? scoreTerms(field, [toWeightedPostings(postings)], boost)
          : withConstantScore(postings.docs, 0);
      }
      case 'terms':
        return withConstantScore(reader.termSets.get({ field, terms: query.values.map(toTerm) }), boost);
      case 'range':
        return withConstantScore(reader.termRanges.get(toTermRange(query, field)), boost);
      case 'fuzzy':
        return this.#evaluateFuzzy(query, field, { boost, scoring });
      case 'phrase':
        if (field.type !== 'text') return NO_MATCHES;
        return this.#evaluatePhrase(query, field, { boost, scoring });
      default: {
        const span = toExactRange(query, field);
        const terms = this.#expansion.terms(query).map(({ term }) => term);
        return withConstantScore(
          span === undefined ? reader.termSets.get({ field, terms }) : reader.termRanges.get(span),
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
    { boost, scoring }: ScoreContext,
  ): Matches {
    const found = this.#expansion
      .terms(query)
      .map(({ term, boost: weight }) => ({ postings: this.#reader.postings.get({ field, term }), weight }))
      .filter(({ postings }) => postings.docs.length > 0)
      .slice(0, query.maxExpansions);
    if (!scoring) {
      return withConstantScore(
        unite(
          found.map(({ postings }) => postings.docs),
          field.space.size,
        ),
        0,
      );
    }
    // All count as rare as the most frequent of them, or a misspelling would be worth more than the word.
    const docFrequency = Math.max(...found.map(({ postings }) => postings.docs.length));
    return scoreTerms(
      field,
      found.map((term) => ({ ...term, docFrequency })),
      boost,
    );
  }

  #evaluatePhrase(
    query: Query & { kind: 'phrase' },
    field: IndexedField,
    { boost, scoring }: ScoreContext,
  ): Matches {
    const postingsOf = (term: string) => this.#reader.positions.get({ field, term });
    const ends = this.#expansion
      .terms(query)
      .map(({ term }) => term)
      .filter((term) => postingsOf(term).docs.length > 0)
      .slice(0, getPhraseExpansions(query));
    const slots = query.terms.map(({ term, position }, at): Slot => {
      return { position, terms: query.prefix && at === query.terms.length - 1 ? ends : [term] };
    });
    const terms = slots.flatMap((slot) => slot.terms);
    if (slots.length === 1) {
      return scoreTerms(
        field,
        terms.map((term) => toWeightedPostings(postingsOf(term))),
        boost,
      );
    }
    const { docs, frequencies, lengths } = matchPhrase(slots, postingsOf, query.slop, field.space.size);
    if (!scoring || docs.length === 0) return withConstantScore(docs, 0);
    const idf = Math.fround(
      terms.reduce(
        (sum, term) => sum + inverseDocumentFrequency(field.docs, postingsOf(term).docs.length),
        0,
      ),
    );
    const score = createScorer(field, idf, boost);
    return { docs, scores: frequencies.map((frequency, at) => score(frequency, lengths[at] ?? 0)) };
  }
}

/** Whether a clause stands for terms that have to be looked for in the vocabulary. */
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

/** Documents of a term that is one of several. */
interface WeightedPostings {
  postings: Postings;
  weight: number;
  /** The number of documents by which the term counts as rare. */
  docFrequency: number;
}

/** Scores the documents of terms; one with several of them scores the sum. */
function scoreTerms(field: IndexedField, terms: readonly WeightedPostings[], boost: number): Matches {
  const parts = terms
    .filter(({ postings }) => postings.docs.length > 0)
    .map(({ postings: { docs, frequencies, lengths }, weight, docFrequency }): Matches => {
      const score = createScorer(
        field,
        inverseDocumentFrequency(field.docs, docFrequency),
        Math.fround(boost * weight),
      );
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
  const docs = unite(
    parts.map((part) => part.docs),
    size,
  );
  const sums = sumScores(parts, size);
  return withScores(docs, (doc) => sums[doc] ?? 0);
}

/** A term that counts by its own frequency. */
function toWeightedPostings(postings: Postings): WeightedPostings {
  return { postings, weight: 1, docFrequency: postings.docs.length };
}
