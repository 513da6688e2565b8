// A text looked for in one field: analysed to terms where the field is, taken as one value where it is not.
import type { MappedField } from '../mapping.ts';
import type { PhraseTerm, Query } from '../query.ts';
import type { Scalar } from '../values.ts';
import { buildBool, MATCH_NONE } from './combine.ts';
import { FieldError, toCreationMessage } from './errors.ts';
import type { Fuzziness } from './fuzziness.ts';
import {
  buildFuzzy,
  buildPhrase,
  buildPrefix,
  buildTerm,
  type DateOptions,
  fuzzyDefaults,
} from './leaves.ts';
import type { Scope } from './scope.ts';

/** How the terms of a text belong together. */
export type TextType = 'boolean' | 'boolean_prefix' | 'phrase' | 'phrase_prefix';

/** What splits a text: the field's own way if none is named. */
export type Analyzer = 'standard' | 'keyword' | 'whitespace';

export interface TextOptions {
  type: TextType;
  /** Whether any or all of the terms have to match. */
  operator: 'and' | 'or';
  /** How far the words of a phrase may stray. */
  slop: number;
  fuzziness?: Fuzziness | undefined;
  prefixLength: number;
  /** How many terms a prefix of a phrase, or a fuzzy term, may become. */
  maxExpansions: number;
  transpositions: boolean;
  /** A field that a text does not fit matches nothing, in place of an error. */
  lenient: boolean;
  analyzer?: Analyzer | undefined;
  dates?: DateOptions;
}

/** What the engine assumes. */
export const textDefaults: TextOptions = {
  type: 'boolean',
  operator: 'or',
  slop: 0,
  lenient: false,
  ...fuzzyDefaults,
};

type Analyze = (scope: Scope, text: string) => readonly PhraseTerm[];

const analyzers: Readonly<Record<Analyzer, Analyze>> = {
  standard: (scope, text) => scope.analyze(text),
  keyword: (_, text) => [{ term: text, position: 0 }],
  whitespace: (_, text) =>
    text
      .split(/\s+/)
      .filter((term) => term !== '')
      .map((term, position) => ({ term, position })),
};

/** Whether the last character of a text belongs to its last term. */
function endsInTerm(analyze: Analyze, scope: Scope, text: string, terms: readonly PhraseTerm[]): boolean {
  const shorter = analyze(scope, text.slice(0, -1));
  return shorter.length !== terms.length || shorter.at(-1)?.term !== terms.at(-1)?.term;
}

function buildTermQuery(scope: Scope, field: MappedField, value: Scalar, options: TextOptions): Query {
  return options.fuzziness === undefined
    ? buildTerm(scope, field, value, options.dates)
    : buildFuzzy(scope, field, String(value), { ...options, fuzziness: options.fuzziness });
}

function requirePhraseField(field: MappedField, clause: string): void {
  const { type } = field.property;
  if (type === 'text') return;
  throw new FieldError(
    toCreationMessage(
      `Can only use ${clause} queries on text fields - not on [${field.path}] which is of type [${type}]`,
    ),
  );
}

/** A value as a whole: what fields that are not analysed are asked for. */
function buildWholeValue(scope: Scope, field: MappedField, value: Scalar, options: TextOptions): Query {
  if (options.type === 'phrase_prefix') requirePhraseField(field, 'phrase prefix');
  if (options.type === 'boolean_prefix' && field.property.type === 'keyword') {
    return buildPrefix(scope, field, String(value));
  }
  return buildTermQuery(scope, field, value, options);
}

function buildPhraseQuery(
  scope: Scope,
  field: MappedField,
  terms: readonly PhraseTerm[],
  options: TextOptions,
): Query {
  const prefix = options.type === 'phrase_prefix';
  requirePhraseField(field, prefix ? 'phrase prefix' : 'phrase');
  return buildPhrase(scope, field, {
    terms: terms.map(({ term, position }) => ({ term, position })),
    slop: options.slop,
    prefix,
    ...(prefix ? { maxExpansions: options.maxExpansions } : {}),
  });
}

function buildAnalyzedText(
  scope: Scope,
  field: MappedField,
  text: string,
  options: TextOptions,
): Query | undefined {
  const analyze = analyzers[options.analyzer ?? 'standard'];
  const terms = analyze(scope, text);
  const [first] = terms;
  if (first === undefined) return undefined;
  if (options.type === 'phrase_prefix') return buildPhraseQuery(scope, field, terms, options);
  if (options.type === 'phrase' && terms.length > 1) return buildPhraseQuery(scope, field, terms, options);
  const last = terms.length - 1;
  const prefix = options.type === 'boolean_prefix' && endsInTerm(analyze, scope, text, terms);
  const queries = terms.map(({ term }, at) =>
    prefix && at === last ? buildPrefix(scope, field, term) : buildTermQuery(scope, field, term, options),
  );
  if (queries.length === 1) return queries[0];
  if (queries.every((query) => query.kind === 'none')) return MATCH_NONE;
  return buildBool(options.operator === 'and' ? { must: queries } : { should: queries });
}

/**
 * Looks for a text in one field.
 * @returns undefined if the text has no term at all: what that means is the clause's decision
 * @throws FieldError for a text that does not fit the field, unless lenient
 */
export function buildMatch(
  scope: Scope,
  field: MappedField,
  value: Scalar,
  options: TextOptions,
): Query | undefined {
  try {
    const { type } = field.property;
    const isSplit = options.analyzer !== undefined && options.analyzer !== 'keyword';
    return type === 'text' || isSplit
      ? buildAnalyzedText(scope, field, String(value), options)
      : buildWholeValue(scope, field, value, options);
  } catch (error) {
    if (options.lenient && error instanceof FieldError) return MATCH_NONE;
    throw error;
  }
}
