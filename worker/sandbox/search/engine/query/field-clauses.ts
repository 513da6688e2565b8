// The clauses that name terms and values: what each has to read, and which documents it finds.
import type { Query, TermValue } from '../../query.ts';
import type { Postings } from '../codec/unpack.ts';
import { booleanTerm, storable } from '../index/document.ts';
import { type Expansions, phraseEnds, wholeSpan } from './term-expansion.ts';
import type { FieldSpan } from '../read/list-types.ts';
import { constant, type Matches, NOTHING, scored, sumScores, unite } from './matches.ts';
import { documentsIn, documentsWith } from './numeric.ts';
import { phraseMatches, type Slot } from './phrase.ts';
import type { Reader } from '../read/reader.ts';
import { inverseDocumentFrequency, scorer } from './score.ts';
import type { IndexedField } from '../index/state.ts';

/** A clause that names a field. */
export type FieldQuery = Query & {
  kind: 'term' | 'terms' | 'phrase' | 'range' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy';
};

/** How a clause is to be answered. */
export interface Answering {
  /** Product of the boosts around it. */
  boost: number;
  /** Whether what it scores is of interest. */
  scoring: boolean;
}

function isOfTerms({ type }: IndexedField): boolean {
  return type === 'text' || type === 'keyword' || type === 'boolean';
}

function termOf(value: TermValue): string {
  return typeof value === 'boolean' ? booleanTerm(value) : storable(String(value));
}

/** What a search has read, and what its clauses stand for. */
export class Leaves {
  readonly #reader: Reader;
  readonly #expansions: Expansions;

  constructor(reader: Reader, expansions: Expansions) {
    this.#reader = reader;
    this.#expansions = expansions;
  }

  /** Asks for what is needed to tell the terms that a clause stands for. */
  wantVocabulary(query: FieldQuery, field: IndexedField): void {
    if (needsVocabulary(query, field)) this.#expansions.want(query, field);
  }

  /** Asks for what a clause reads. Vocabularies must have been read. */
  want(query: FieldQuery, field: IndexedField): void {
    const reader = this.#reader;
    const terms = needsVocabulary(query, field) ? this.#expansions.expand(query, field) : [];
    if (!isOfTerms(field)) {
      if (query.kind === 'term' || query.kind === 'terms' || query.kind === 'range')
        reader.columns.want(field);
      return;
    }
    switch (query.kind) {
      case 'term':
        reader.postings.want({ field, term: termOf(query.value) });
        break;
      case 'terms':
        reader.unions.want({ field, terms: query.values.map(termOf) });
        break;
      case 'range':
        reader.spans.want(spanOf(query, field));
        break;
      case 'fuzzy':
        for (const { term } of terms) reader.postings.want({ field, term });
        break;
      case 'phrase':
        if (field.type !== 'text') break;
        for (const { term } of [...query.terms.slice(0, query.prefix ? -1 : undefined), ...terms]) {
          reader.places.want({ field, term });
        }
        break;
      default: {
        const span = wholeSpan(query, field);
        if (span === undefined) reader.unions.want({ field, terms: terms.map(({ term }) => term) });
        else reader.spans.want(span);
      }
    }
  }

  /** Answers a clause. What it reads must have been read. */
  matches(query: FieldQuery, field: IndexedField, { boost, scoring }: Answering): Matches {
    const reader = this.#reader;
    if (!isOfTerms(field)) return this.#numbers(query, field, boost);
    switch (query.kind) {
      case 'term': {
        const postings = reader.postings.get({ field, term: termOf(query.value) });
        return scoring ? scoredTerms(field, [byItself(postings)], boost) : constant(postings.docs, 0);
      }
      case 'terms':
        return constant(reader.unions.get({ field, terms: query.values.map(termOf) }), boost);
      case 'range':
        return constant(reader.spans.get(spanOf(query, field)), boost);
      case 'fuzzy':
        return this.#fuzzy(query, field, { boost, scoring });
      case 'phrase':
        if (field.type !== 'text') return NOTHING;
        return this.#phrase(query, field, { boost, scoring });
      default: {
        const span = wholeSpan(query, field);
        const terms = this.#expansions.terms(query).map(({ term }) => term);
        return constant(
          span === undefined ? reader.unions.get({ field, terms }) : reader.spans.get(span),
          boost,
        );
      }
    }
  }

  #numbers(query: FieldQuery, field: IndexedField, boost: number): Matches {
    const { columns } = this.#reader;
    switch (query.kind) {
      case 'term':
        return constant(documentsWith(columns.get(field), [query.value]), boost);
      case 'terms':
        return constant(documentsWith(columns.get(field), query.values), boost);
      case 'range':
        return constant(documentsIn(columns.get(field), query.lower, query.upper), boost);
      default:
        return NOTHING;
    }
  }

  #fuzzy(query: Query & { kind: 'fuzzy' }, field: IndexedField, { boost, scoring }: Answering): Matches {
    const found = this.#expansions
      .terms(query)
      .map(({ term, boost: weight }) => ({ postings: this.#reader.postings.get({ field, term }), weight }))
      .filter(({ postings }) => postings.docs.length > 0)
      .slice(0, query.maxExpansions);
    if (!scoring) {
      return constant(
        unite(
          found.map(({ postings }) => postings.docs),
          field.space.size,
        ),
        0,
      );
    }
    // All count as rare as the most frequent of them, or a misspelling would be worth more than the word.
    const having = Math.max(...found.map(({ postings }) => postings.docs.length));
    return scoredTerms(
      field,
      found.map((term) => ({ ...term, having })),
      boost,
    );
  }

  #phrase(query: Query & { kind: 'phrase' }, field: IndexedField, { boost, scoring }: Answering): Matches {
    const postingsOf = (term: string) => this.#reader.places.get({ field, term });
    const ends = this.#expansions
      .terms(query)
      .map(({ term }) => term)
      .filter((term) => postingsOf(term).docs.length > 0)
      .slice(0, phraseEnds(query));
    const slots = query.terms.map(({ term, position }, at): Slot => {
      return { position, terms: query.prefix && at === query.terms.length - 1 ? ends : [term] };
    });
    const terms = slots.flatMap((slot) => slot.terms);
    if (slots.length === 1) {
      return scoredTerms(
        field,
        terms.map((term) => byItself(postingsOf(term))),
        boost,
      );
    }
    const { docs, frequencies, lengths } = phraseMatches(slots, postingsOf, query.slop, field.space.size);
    if (!scoring || docs.length === 0) return constant(docs, 0);
    const idf = Math.fround(
      terms.reduce(
        (sum, term) => sum + inverseDocumentFrequency(field.docs, postingsOf(term).docs.length),
        0,
      ),
    );
    const score = scorer(field, idf, boost);
    return { docs, scores: frequencies.map((frequency, at) => score(frequency, lengths[at] ?? 0)) };
  }
}

/** Whether a clause stands for terms that have to be looked for in the vocabulary. */
function needsVocabulary(
  query: FieldQuery,
  field: IndexedField,
): query is FieldQuery & { kind: 'phrase' | 'fuzzy' | 'prefix' | 'wildcard' | 'regexp' } {
  if (!isOfTerms(field)) return false;
  if (query.kind === 'phrase') return query.prefix && field.type === 'text';
  if (query.kind === 'fuzzy') return true;
  return (
    (query.kind === 'prefix' || query.kind === 'wildcard' || query.kind === 'regexp') &&
    wholeSpan(query, field) === undefined
  );
}

function spanOf({ lower, upper }: Query & { kind: 'range' }, field: IndexedField): FieldSpan {
  return {
    field,
    from: lower === undefined ? undefined : storable(String(lower.value)),
    fromIncluded: lower?.inclusive ?? true,
    to: upper === undefined ? undefined : storable(String(upper.value)),
    toIncluded: upper?.inclusive ?? true,
  };
}

/** Documents of a term that is one of several. */
interface WeightedPostings {
  postings: Postings;
  weight: number;
  /** The number of documents by which the term counts as rare. */
  having: number;
}

/** Scores the documents of terms; one with several of them scores the sum. */
function scoredTerms(field: IndexedField, terms: readonly WeightedPostings[], boost: number): Matches {
  const parts = terms
    .filter(({ postings }) => postings.docs.length > 0)
    .map(({ postings: { docs, frequencies, lengths }, weight, having }): Matches => {
      const score = scorer(field, inverseDocumentFrequency(field.docs, having), Math.fround(boost * weight));
      const scores = new Float32Array(docs.length);
      for (let at = 0; at < docs.length; at += 1) {
        scores[at] = score(frequencies[at] ?? 0, lengths[at] ?? 0);
      }
      return { docs, scores };
    });
  const [only] = parts;
  if (only === undefined) return NOTHING;
  if (parts.length === 1) return only;
  const { size } = field.space;
  const docs = unite(
    parts.map((part) => part.docs),
    size,
  );
  const sums = sumScores(parts, size);
  return scored(docs, (doc) => sums[doc] ?? 0);
}

/** A term that counts by its own frequency. */
function byItself(postings: Postings): WeightedPostings {
  return { postings, weight: 1, having: postings.docs.length };
}
