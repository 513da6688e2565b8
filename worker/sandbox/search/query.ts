// A query as the engine understands it: what the clauses of the query language are parsed to. It holds no text that is
// still to be analysed and no field that is still to be looked up.

/** How a nested clause makes one score of its children's. */
export type ScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none';

/** A term of a phrase, with its place; a gap in places is a gap in the text. */
export interface PhraseTerm {
  term: string;
  position: number;
}

/**
 * `boost` multiplies the score of a clause; 1 changes nothing, none is negative. `field` is a full path in the mapping,
 * of a field that is searchable and belongs to the nested object in which the clause stands (the root if in none).
 */
export type Query =
  | { kind: 'all'; boost: number }
  | { kind: 'none' }
  /** One term of one field: BM25 on text, idf alone on keyword and boolean, 1 on numbers. A date is a range. */
  | { kind: 'term'; field: string; value: TermValue; boost: number }
  /** Any of the values (one at least, none twice), each scoring 1 × boost. */
  | { kind: 'terms'; field: string; values: readonly TermValue[]; boost: number }
  /** Terms of a text field at their places: two or more, or one that is a prefix. */
  | {
      kind: 'phrase';
      field: string;
      terms: readonly PhraseTerm[];
      slop: number;
      /** The last term is a prefix. */
      prefix: boolean;
      /** How many terms that prefix may become: the first in order of code points. */
      maxExpansions?: number;
      boost: number;
    }
  /** One end at least; each hit scores 1 × boost. Ends of whole numbers and dates are inclusive. */
  | { kind: 'range'; field: string; lower?: Bound; upper?: Bound; boost: number }
  | { kind: 'exists'; field: string; boost: number }
  /**
   * Terms of a text or keyword field by their start or pattern, each document scoring 1 × boost. In a wildcard's
   * pattern `*` is any run of characters, `?` any one, and a backslash takes the next character as it is. In a
   * regular expression all operators of Lucene's dialect count.
   */
  | { kind: 'prefix'; field: string; value: string; caseInsensitive: boolean; boost: number }
  | { kind: 'wildcard'; field: string; pattern: string; caseInsensitive: boolean; boost: number }
  | { kind: 'regexp'; field: string; pattern: string; caseInsensitive: boolean; boost: number }
  /** Terms within an edit distance, scored as terms × (1 − edits / length). */
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
  /** Documents by their own id; each hit scores 1 × boost. */
  | { kind: 'ids'; values: readonly string[]; boost: number }
  /** `minimumShouldMatch` is what holds: defaults are worked in, and it may be more than there are should clauses. */
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
  /** `path` lies below the nested object in which the clause stands, by one level of nesting or by several. */
  | { kind: 'nested'; path: string; query: Query; scoreMode: ScoreMode; boost: number };

/**
 * A value in the form in which it is indexed: text and keyword as text, dates as milliseconds since 1970 UTC, booleans
 * as such, numbers as numbers, and whole numbers beyond what a number holds exactly as bigints.
 */
export type TermValue = string | number | boolean | bigint;

/** An end of a range, in the form in which values are indexed. */
export interface Bound {
  value: string | number | bigint;
  inclusive: boolean;
}
