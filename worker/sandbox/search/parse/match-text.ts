// Builds queries for a text in one field: analysed in text fields, one value in others.
import type { MappedField } from '../../../../shared/index-fields/mapping.ts';
import type { Token } from '../analysis/standard.ts';
import type { Query } from '../query.ts';
import type { Scalar } from '../values.ts';
import { buildBool, MATCH_NONE } from './combine.ts';
import { buildFuzzy, buildPattern, buildPhrase, buildTerm, type DateOptions } from './leaves.ts';
import type { Fuzziness } from './options.ts';
import { FieldError, type Scope, toCreationMessage } from './scope.ts';

/** How to combine the terms of a text. */
export type TextType = 'boolean' | 'boolean_prefix' | 'phrase' | 'phrase_prefix';

/** The analyzer of a text; by default the field's. */
export type Analyzer = 'standard' | 'keyword' | 'whitespace';

export interface TextOptions {
  type: TextType;
  /** Whether any or all terms must match. */
  operator: 'and' | 'or';
  /** Maximum distance of the words of a phrase. */
  slop: number;
  fuzziness?: Fuzziness | undefined;
  prefixLength: number;
  /** Maximum number of terms that a phrase prefix or a fuzzy term expands to. */
  maxExpansions: number;
  transpositions: boolean;
  /** Whether a field that the text doesn't fit matches nothing instead of failing. */
  lenient?: boolean | undefined;
  analyzer?: Analyzer | undefined;
  dates?: DateOptions;
}

/** The engine's defaults. */
export const textDefaults: TextOptions = {
  type: 'boolean',
  operator: 'or',
  slop: 0,
  prefixLength: 0,
  maxExpansions: 50,
  transpositions: true,
};

type Analyze = (scope: Scope, text: string) => readonly Token[];

const analyzers: Readonly<Record<Analyzer, Analyze>> = {
  standard: (scope, text) => scope.analyze(text),
  keyword: (_, text) => [{ term: text, position: 0 }],
  whitespace: (_, text) =>
    text
      .split(/\s+/)
      .filter((term) => term !== '')
      .map((term, position) => ({ term, position })),
};

/** Checks whether the last character of a text belongs to its last term. */
function endsInTerm(analyze: Analyze, scope: Scope, text: string, terms: readonly Token[]): boolean {
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

/** Matches the whole value, in fields that are not analysed. */
function buildWholeValue(scope: Scope, field: MappedField, value: Scalar, options: TextOptions): Query {
  if (options.type === 'phrase_prefix') requirePhraseField(field, 'phrase prefix');
  if (options.type === 'boolean_prefix' && field.property.type === 'keyword') {
    return buildPattern('prefix', scope, field, String(value));
  }
  return buildTermQuery(scope, field, value, options);
}

function buildPhraseQuery(
  scope: Scope,
  field: MappedField,
  terms: readonly Token[],
  options: TextOptions,
): Query {
  const prefix = options.type === 'phrase_prefix';
  requirePhraseField(field, prefix ? 'phrase prefix' : 'phrase');
  return buildPhrase(scope, field, {
    terms,
    slop: options.slop,
    maxExpansions: prefix ? options.maxExpansions : undefined,
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
    prefix && at === last
      ? buildPattern('prefix', scope, field, term)
      : buildTermQuery(scope, field, term, options),
  );
  if (queries.length === 1) return queries[0];
  if (queries.every((query) => query.kind === 'none')) return MATCH_NONE;
  return buildBool(options.operator === 'and' ? { must: queries } : { should: queries });
}

/** Ignores field errors if lenient. */
export function withLenience<T>(lenient: boolean | undefined, build: () => T): T | typeof MATCH_NONE {
  try {
    return build();
  } catch (error) {
    if (lenient && error instanceof FieldError) return MATCH_NONE;
    throw error;
  }
}

/**
 * Matches a text in one field.
 * @returns undefined if the text has no terms; the clause decides what that means
 * @throws FieldError for a text that doesn't fit the field, unless lenient
 */
export function buildMatch(
  scope: Scope,
  field: MappedField,
  value: Scalar,
  options: TextOptions,
): Query | undefined {
  const isSplit = options.analyzer !== undefined && options.analyzer !== 'keyword';
  return withLenience(options.lenient, () =>
    field.property.type === 'text' || isSplit
      ? buildAnalyzedText(scope, field, String(value), options)
      : buildWholeValue(scope, field, value, options),
  );
}
