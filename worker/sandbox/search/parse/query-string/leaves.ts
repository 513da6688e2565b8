// Builds the query of one clause of a query string.
import type { MappedField } from '../../../../../shared/index-fields/mapping.ts';
import type { Query } from '../../query.ts';
import type { RangeEnd } from '../../values.ts';
import { buildMatchAll } from '../combine.ts';
import {
  buildAnalyzedPrefix,
  buildExists,
  buildFuzzy,
  buildPattern,
  buildRange,
  type DateOptions,
} from '../leaves.ts';
import { buildMatch, type TextOptions, withLenience } from '../match-text.ts';
import { ALL_FIELDS, applySuffix, buildBestField, findFields, type WeightedField } from '../multi-fields.ts';
import { type Fuzziness, parseFuzziness } from '../options.ts';
import { checkRegexpLength, type Scope } from '../scope.ts';
import { QuerySyntaxError } from './lexer.ts';
import type { Expression } from './parser.ts';

export interface QueryStringSettings {
  /** The field of clauses without one, `*` for all; undefined if several are given. */
  field: string | undefined;
  fields: readonly WeightedField[];
  /** How to match texts: default operator, slop, leniency and so on. */
  text: TextOptions;
  /** The fuzziness of a tilde without a number. */
  fuzziness: Fuzziness;
  tieBreaker: number;
  analyzeWildcard: boolean;
  allowLeadingWildcard: boolean;
  /** Suffix of the fields that phrases are matched in. */
  quoteSuffix: string | undefined;
  dates: DateOptions;
}

export interface LeafContext {
  scope: Scope;
  settings: QueryStringSettings;
  /** The field that the clause or an enclosing group names. */
  field: string | undefined;
}

/** The name by which a clause checks whether a field has a value. */
const EXISTS_FIELD = '_exists_';

/** Returns the field of a clause; undefined if there are several. */
function getFieldName({ settings, field }: LeafContext): string | undefined {
  return field ?? settings.field;
}

function getFields(context: LeafContext): readonly WeightedField[] {
  const name = getFieldName(context);
  if (name === undefined) return context.settings.fields;
  return findFields(context.scope, name).map((field) => ({ field, boost: 1 }));
}

/** Returns the term under which a field would index a whole text. */
function normaliseTerm({ scope }: LeafContext, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.lowerCase(text) : text;
}

function buildForEachField(
  context: LeafContext,
  buildQuery: (field: MappedField) => Query | undefined,
): Query | undefined {
  const { settings } = context;
  return buildBestField(getFields(context), settings.tieBreaker, (field) =>
    withLenience(settings.text.lenient, () => buildQuery(field)),
  );
}

function buildText(
  { scope, settings }: LeafContext,
  fields: readonly WeightedField[],
  text: string,
  options: TextOptions,
): Query | undefined {
  return buildBestField(fields, settings.tieBreaker, (field) => buildMatch(scope, field, text, options));
}

const comparison = /^([<>]=?)(.+)$/s;

/** Parses `>x`, `>=x`, `<x` and `<=x`, which are ranges if the clause has a field. */
function parseComparison(text: string): Extract<Expression, { kind: 'range' }> | undefined {
  const [, sign = '', end = ''] = comparison.exec(text) ?? [];
  if (sign === '') return undefined;
  const inclusive = sign.endsWith('=');
  return sign.startsWith('>')
    ? { kind: 'range', lower: end, includeLower: inclusive, includeUpper: true }
    : { kind: 'range', upper: end, includeLower: true, includeUpper: inclusive };
}

/**
 * Matches adjacent words.
 * @returns undefined if they have no terms; the clause is dropped
 */
export function buildWords(context: LeafContext, text: string): Query | undefined {
  const name = getFieldName(context);
  if (name === EXISTS_FIELD) return buildExists(context.scope, text);
  const range = name === undefined ? undefined : parseComparison(text);
  return range === undefined
    ? buildText(context, getFields(context), text, context.settings.text)
    : buildRangeExpression(context, range);
}

/** Matches words in quotes. Returns as {@link buildWords}. */
export function buildQuotedPhrase(
  context: LeafContext,
  text: string,
  slop: string | undefined,
): Query | undefined {
  if (getFieldName(context) === EXISTS_FIELD) return buildExists(context.scope, text);
  const { text: options, quoteSuffix } = context.settings;
  const fields = applySuffix(context.scope, getFields(context), quoteSuffix);
  // As in Java: an invalid number means the default, and decimals are truncated.
  const parsedSlop = slop === undefined || !/^\d/.test(slop) ? Number.NaN : Number(slop);
  return buildText(context, fields, text, {
    ...options,
    type: 'phrase',
    slop: Number.isFinite(parsedSlop) ? Math.trunc(parsedSlop) : options.slop,
  });
}

/** Matches a range; a star is an open bound. */
export function buildRangeExpression(
  context: LeafContext,
  range: Extract<Expression, { kind: 'range' }>,
): Query | undefined {
  const { scope, settings } = context;
  return buildForEachField(context, (field) => {
    const toEnd = (text: string | undefined, inclusive: boolean): RangeEnd | undefined =>
      text === undefined || text === '*'
        ? undefined
        : { value: normaliseTerm(context, field, text), inclusive };
    const lower = toEnd(range.lower, range.includeLower);
    const upper = toEnd(range.upper, range.includeUpper);
    return buildRange(scope, field, { lower, upper }, settings.dates);
  });
}

/**
 * Matches a fuzzy term.
 * @param distance - the text after the tilde
 * @throws QuerySyntaxError for an invalid distance
 */
export function buildFuzzyTerm(context: LeafContext, text: string, distance: string): Query | undefined {
  const { scope, settings } = context;
  const fuzziness = distance === '' ? settings.fuzziness : parseFuzziness(distance);
  if (fuzziness === undefined) throw new QuerySyntaxError('no such distance');
  return buildForEachField(context, (field) =>
    buildFuzzy(scope, field, normaliseTerm(context, field, text), { ...settings.text, fuzziness }),
  );
}

/** Matches a prefix. */
export function buildPrefixTerm(context: LeafContext, text: string): Query | undefined {
  const { scope, settings } = context;
  return buildForEachField(context, (field) =>
    settings.analyzeWildcard && field.property.type === 'text'
      ? buildAnalyzedPrefix(scope, field, text, settings.text.operator)
      : buildPattern('prefix', scope, field, normaliseTerm(context, field, text)),
  );
}

/** Wildcards and escaped characters, which normalisation must not change. */
const patternOperators = /(\\.|[?*]+)/su;

function normalisePattern(context: LeafContext, field: MappedField, pattern: string): string {
  const parts = pattern.split(patternOperators);
  return parts.map((part, at) => (at % 2 === 1 ? part : normaliseTerm(context, field, part))).join('');
}

/**
 * Matches a wildcard pattern; a star alone checks for any value.
 * @throws QuerySyntaxError for a leading wildcard if it is not allowed
 */
export function buildWildcardTerm(context: LeafContext, pattern: string): Query | undefined {
  const { scope, settings } = context;
  const name = getFieldName(context);
  if (pattern === '*' && name !== undefined) {
    return name === ALL_FIELDS ? buildMatchAll() : buildExists(scope, name);
  }
  if (pattern === '*') return buildForEachField(context, (field) => buildExists(scope, field.path));
  if (!settings.allowLeadingWildcard && /^[*?]/.test(pattern)) {
    throw new QuerySyntaxError('a wildcard cannot come first');
  }
  return buildForEachField(context, (field) =>
    buildPattern('wildcard', scope, field, normalisePattern(context, field, pattern)),
  );
}

/** Matches a regular expression. */
export function buildRegexpTerm(context: LeafContext, pattern: string): Query | undefined {
  checkRegexpLength(pattern, '[query_string]');
  return buildForEachField(context, (field) =>
    buildPattern('regexp', context.scope, field, normaliseTerm(context, field, pattern)),
  );
}
