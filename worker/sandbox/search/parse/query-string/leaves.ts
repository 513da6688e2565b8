// What one clause of a query string asks of the fields that it is meant for.
import type { MappedField } from '../../mapping.ts';
import type { Query } from '../../query.ts';
import { buildAnalyzedPrefix } from '../analyzed-prefix.ts';
import { buildMatchAll } from '../combine.ts';
import { type Fuzziness, parseFuzziness } from '../fuzziness.ts';
import {
  buildExists,
  buildFuzzy,
  buildPrefix,
  buildRange,
  buildRegexp,
  buildWildcard,
  type DateOptions,
} from '../leaves.ts';
import { checkRegexpLength } from '../limits.ts';
import { buildMatch, type TextOptions } from '../match-text.ts';
import {
  ALL_FIELDS,
  applySuffix,
  buildBestField,
  findFields,
  type WeightedField,
  withLenience,
} from '../multi-fields.ts';
import type { Scope } from '../scope.ts';
import { QuerySyntaxError } from './lexer.ts';
import type { Expression } from './parser.ts';

/** What the options of a query_string clause come to. */
export interface QueryStringSettings {
  /** The field that clauses without one are meant for, `*` for all; undefined if several are named. */
  field: string | undefined;
  /** Those several. */
  fields: readonly WeightedField[];
  /** How a text is asked for: default operator, slop, lenience and so on. */
  text: TextOptions;
  /** What a tilde alone means. */
  fuzziness: Fuzziness;
  tieBreaker: number;
  /** Splits the text of a prefix as other texts are split. */
  analyzeWildcard: boolean;
  allowLeadingWildcard: boolean;
  /** What the name of a field ends with in which phrases are looked for. */
  quoteSuffix: string | undefined;
  dates: DateOptions;
}

/** What a leaf works with. */
export interface LeafContext {
  scope: Scope;
  settings: QueryStringSettings;
  /** The field that the clause or a group around it names. */
  field: string | undefined;
}

/** The name under which a clause asks whether a field has any value. */
const EXISTS_FIELD = '_exists_';

/** The field that a clause is meant for; undefined only where several are. */
function getFieldName({ settings, field }: LeafContext): string | undefined {
  return field ?? settings.field;
}

function getFields(asking: LeafContext): readonly WeightedField[] {
  const name = getFieldName(asking);
  if (name === undefined) return asking.settings.fields;
  return findFields(asking.scope, name).map((field) => ({ field, boost: 1 }));
}

/** The term under which a field would hold a text as a whole. */
function normaliseTerm({ scope }: LeafContext, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.lowerCase(text) : text;
}

function buildForEachField(
  asking: LeafContext,
  ask: (field: MappedField) => Query | undefined,
): Query | undefined {
  const { settings } = asking;
  return buildBestField(getFields(asking), settings.tieBreaker, (field) =>
    withLenience(settings.text.lenient, () => ask(field)),
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

/** `>x`, `>=x`, `<x` and `<=x` are ranges where the text is meant for a field by name. */
function parseComparison(text: string): Extract<Expression, { kind: 'range' }> | undefined {
  const [, sign = '', end = ''] = comparison.exec(text) ?? [];
  if (sign === '') return undefined;
  const inclusive = sign.endsWith('=');
  return sign.startsWith('>')
    ? { kind: 'range', lower: end, includeLower: inclusive, includeUpper: true }
    : { kind: 'range', upper: end, includeLower: true, includeUpper: inclusive };
}

/**
 * Words, as they stand side by side.
 * @returns undefined if there is no term in them: the clause is dropped
 */
export function buildWords(asking: LeafContext, text: string): Query | undefined {
  const name = getFieldName(asking);
  if (name === EXISTS_FIELD) return buildExists(asking.scope, text);
  const range = name === undefined ? undefined : parseComparison(text);
  return range === undefined
    ? buildText(asking, getFields(asking), text, asking.settings.text)
    : buildRangeExpression(asking, range);
}

/** Words in quotes. Returns as `askWords`. */
export function buildQuotedPhrase(
  asking: LeafContext,
  text: string,
  slop: string | undefined,
): Query | undefined {
  if (getFieldName(asking) === EXISTS_FIELD) return buildExists(asking.scope, text);
  const { text: options, quoteSuffix } = asking.settings;
  const fields = applySuffix(asking.scope, getFields(asking), quoteSuffix);
  // As in Java: a text that is no number leaves the default, and a number is cut to a whole one.
  const given = slop === undefined || !/^\d/.test(slop) ? Number.NaN : Number(slop);
  return buildText(asking, fields, text, {
    ...options,
    type: 'phrase',
    slop: Number.isFinite(given) ? Math.trunc(given) : options.slop,
  });
}

/** A range; an end that is a star is open. */
export function buildRangeExpression(
  asking: LeafContext,
  range: Extract<Expression, { kind: 'range' }>,
): Query | undefined {
  const { scope, settings } = asking;
  const lower = range.lower === '*' ? undefined : range.lower;
  const upper = range.upper === '*' ? undefined : range.upper;
  return buildForEachField(asking, (field) =>
    buildRange(
      scope,
      field,
      {
        ...(lower === undefined
          ? {}
          : { lower: { value: normaliseTerm(asking, field, lower), inclusive: range.includeLower } }),
        ...(upper === undefined
          ? {}
          : { upper: { value: normaliseTerm(asking, field, upper), inclusive: range.includeUpper } }),
      },
      settings.dates,
    ),
  );
}

/**
 * A term that may be misspelt.
 * @param distance - as written behind the tilde
 * @throws SyntaxFault for a distance that is none
 */
export function buildFuzzyTerm(asking: LeafContext, text: string, distance: string): Query | undefined {
  const { scope, settings } = asking;
  const fuzziness = distance === '' ? settings.fuzziness : parseFuzziness(distance);
  if (fuzziness === undefined) throw new QuerySyntaxError('no such distance');
  return buildForEachField(asking, (field) =>
    buildFuzzy(scope, field, normaliseTerm(asking, field, text), { ...settings.text, fuzziness }),
  );
}

/** The start of a term. */
export function buildPrefixTerm(asking: LeafContext, text: string): Query | undefined {
  const { scope, settings } = asking;
  return buildForEachField(asking, (field) =>
    settings.analyzeWildcard && field.property.type === 'text'
      ? buildAnalyzedPrefix(scope, field, text, settings.text.operator)
      : buildPrefix(scope, field, normaliseTerm(asking, field, text)),
  );
}

/** Signs of a pattern, and what a backslash takes as it is: they stay as they are when the rest is normalised. */
const patternSigns = /(\\.|[?*]+)/su;

function normalisePattern(asking: LeafContext, field: MappedField, pattern: string): string {
  const parts = pattern.split(patternSigns);
  return parts.map((part, at) => (at % 2 === 1 ? part : normaliseTerm(asking, field, part))).join('');
}

/**
 * A pattern of terms; a star alone asks whether there is any value.
 * @throws SyntaxFault for a wildcard at the start where that is not allowed
 */
export function buildWildcardTerm(asking: LeafContext, pattern: string): Query | undefined {
  const { scope, settings } = asking;
  const name = getFieldName(asking);
  if (pattern === '*' && name !== undefined) {
    return name === ALL_FIELDS ? buildMatchAll() : buildExists(scope, name);
  }
  if (pattern === '*') return buildForEachField(asking, (field) => buildExists(scope, field.path));
  if (!settings.allowLeadingWildcard && /^[*?]/.test(pattern)) {
    throw new QuerySyntaxError('a wildcard cannot come first');
  }
  return buildForEachField(asking, (field) =>
    buildWildcard(scope, field, normalisePattern(asking, field, pattern)),
  );
}

/** A regular expression. */
export function buildRegexpTerm(asking: LeafContext, pattern: string): Query | undefined {
  checkRegexpLength(pattern, '[query_string]');
  return buildForEachField(asking, (field) =>
    buildRegexp(asking.scope, field, normaliseTerm(asking, field, pattern)),
  );
}
