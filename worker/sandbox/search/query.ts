// The parsed query: texts are analysed, fields are resolved.
import type { Token } from './analysis/standard.ts';

/** How a nested clause combines the scores of its children. */
export type ScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none';

/**
 * A parsed query. `boost` multiplies the score of a clause; it is not negative. `field` is the full path of a searchable
 * field in the nested object that contains the clause (the root outside nested clauses).
 */
export type Query =
  | { kind: 'all'; boost: number }
  | { kind: 'none' }
  /** One term of a field. Text scores by BM25, keyword and boolean by idf alone, numbers 1. Dates are ranges. */
  | { kind: 'term'; field: string; value: TermValue; boost: number }
  /** Any of at least one distinct value, each scoring 1 × boost. */
  | { kind: 'terms'; field: string; values: readonly TermValue[]; boost: number }
  /** Terms of a text field at their positions: two or more, or one prefix. */
  | {
      kind: 'phrase';
      field: string;
      /** A gap between positions is a gap in the text. */
      terms: readonly Token[];
      slop: number;
      /**
       * Set if the last term is a prefix: the maximum number of terms that it expands to, in order of code points.
       */
      maxExpansions: number | undefined;
      boost: number;
    }
  /** At least one bound; each hit scores 1 × boost. Bounds of integers and dates are inclusive. */
  | { kind: 'range'; field: string; lower?: Bound | undefined; upper?: Bound | undefined; boost: number }
  | { kind: 'exists'; field: string; boost: number }
  /**
   * Terms of a text or keyword field by start or pattern; each document scores 1 × boost. In a wildcard, `*` matches any
   * run of characters, `?` any character, and a backslash escapes. A regexp supports all operators of Lucene.
   */
  | { kind: PatternKind; field: string; pattern: string; caseInsensitive: boolean; boost: number }
  /** Terms within an edit distance; each scores as the term × (1 − edits / length). */
  | {
      kind: 'fuzzy';
      field: string;
      value: string;
      maxEdits: 0 | 1 | 2;
      prefixLength: number;
      maxExpansions: number;
      transpositions: boolean;
      boost: number;
    }
  /** Documents by id; each scores 1 × boost. */
  | { kind: 'ids'; values: readonly string[]; boost: number }
  /** `minimumShouldMatch` includes the default, and may exceed the number of should clauses. */
  | {
      kind: 'bool';
      must: readonly Query[];
      should: readonly Query[];
      filter: readonly Query[];
      mustNot: readonly Query[];
      minimumShouldMatch: number;
      boost: number;
    }
  | { kind: 'constant'; query: Query; boost: number }
  | { kind: 'disMax'; queries: readonly Query[]; tieBreaker: number; boost: number }
  /** `path` is one or more levels of nesting below the nested object that contains the clause. */
  | { kind: 'nested'; path: string; query: Query; scoreMode: ScoreMode; boost: number };

export type PatternKind = 'prefix' | 'wildcard' | 'regexp';

/**
 * An indexed value: text and keyword as text, dates as milliseconds since 1970 UTC, booleans, numbers, and bigints for
 * integers that a number can't hold exactly.
 */
export type TermValue = string | number | boolean | bigint;

/** A bound of a range, as an indexed value. */
export interface Bound {
  value: string | number | bigint;
  inclusive: boolean;
}
