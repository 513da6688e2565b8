// What one clause of a query string asks of the fields that it is meant for.
import type { MappedField } from '../../mapping.ts';
import type { Query } from '../../query.ts';
import { analysedPrefix } from '../analyzed-prefix.ts';
import { matchAll } from '../combine.ts';
import { type Fuzziness, parseFuzziness } from '../fuzziness.ts';
import {
  type DateOptions,
  existsQuery,
  fuzzyLeaf,
  prefixLeaf,
  rangeLeaf,
  regexpLeaf,
  wildcardLeaf,
} from '../leaves.ts';
import { checkRegexpLength } from '../limits.ts';
import { matchText, type TextOptions } from '../match-text.ts';
import {
  ALL_FIELDS,
  bestField,
  fieldsNamed,
  leniently,
  type WeightedField,
  withSuffix,
} from '../multi-fields.ts';
import type { Scope } from '../scope.ts';
import { SyntaxFault } from './lexer.ts';
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
export interface Asking {
  scope: Scope;
  settings: QueryStringSettings;
  /** The field that the clause or a group around it names. */
  field: string | undefined;
}

/** The name under which a clause asks whether a field has any value. */
const EXISTS = '_exists_';

/** The field that a clause is meant for; undefined only where several are. */
function nameOf({ settings, field }: Asking): string | undefined {
  return field ?? settings.field;
}

function fieldsOf(asking: Asking): readonly WeightedField[] {
  const name = nameOf(asking);
  if (name === undefined) return asking.settings.fields;
  return fieldsNamed(asking.scope, name).map((field) => ({ field, boost: 1 }));
}

/** The term under which a field would hold a text as a whole. */
function normalised({ scope }: Asking, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.normalise(text) : text;
}

function askEach(asking: Asking, ask: (field: MappedField) => Query | undefined): Query | undefined {
  const { settings } = asking;
  return bestField(fieldsOf(asking), settings.tieBreaker, (field) =>
    leniently(settings.text.lenient, () => ask(field)),
  );
}

function askText(
  { scope, settings }: Asking,
  fields: readonly WeightedField[],
  text: string,
  options: TextOptions,
): Query | undefined {
  return bestField(fields, settings.tieBreaker, (field) => matchText(scope, field, text, options));
}

const comparison = /^([<>]=?)(.+)$/s;

/** `>x`, `>=x`, `<x` and `<=x` are ranges where the text is meant for a field by name. */
function comparisonRange(text: string): Extract<Expression, { kind: 'range' }> | undefined {
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
export function askWords(asking: Asking, text: string): Query | undefined {
  const name = nameOf(asking);
  if (name === EXISTS) return existsQuery(asking.scope, text);
  const range = name === undefined ? undefined : comparisonRange(text);
  return range === undefined
    ? askText(asking, fieldsOf(asking), text, asking.settings.text)
    : askRange(asking, range);
}

/** Words in quotes. Returns as `askWords`. */
export function askPhrase(asking: Asking, text: string, slop: string | undefined): Query | undefined {
  if (nameOf(asking) === EXISTS) return existsQuery(asking.scope, text);
  const { text: options, quoteSuffix } = asking.settings;
  const fields = withSuffix(asking.scope, fieldsOf(asking), quoteSuffix);
  // As in Java: a text that is no number leaves the default, and a number is cut to a whole one.
  const given = slop === undefined || !/^\d/.test(slop) ? Number.NaN : Number(slop);
  return askText(asking, fields, text, {
    ...options,
    type: 'phrase',
    slop: Number.isFinite(given) ? Math.trunc(given) : options.slop,
  });
}

/** A range; an end that is a star is open. */
export function askRange(asking: Asking, range: Extract<Expression, { kind: 'range' }>): Query | undefined {
  const { scope, settings } = asking;
  const lower = range.lower === '*' ? undefined : range.lower;
  const upper = range.upper === '*' ? undefined : range.upper;
  return askEach(asking, (field) =>
    rangeLeaf(
      scope,
      field,
      {
        ...(lower === undefined
          ? {}
          : { lower: { value: normalised(asking, field, lower), inclusive: range.includeLower } }),
        ...(upper === undefined
          ? {}
          : { upper: { value: normalised(asking, field, upper), inclusive: range.includeUpper } }),
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
export function askFuzzy(asking: Asking, text: string, distance: string): Query | undefined {
  const { scope, settings } = asking;
  const fuzziness = distance === '' ? settings.fuzziness : parseFuzziness(distance);
  if (fuzziness === undefined) throw new SyntaxFault('no such distance');
  return askEach(asking, (field) =>
    fuzzyLeaf(scope, field, normalised(asking, field, text), { ...settings.text, fuzziness }),
  );
}

/** The start of a term. */
export function askPrefix(asking: Asking, text: string): Query | undefined {
  const { scope, settings } = asking;
  return askEach(asking, (field) =>
    settings.analyzeWildcard && field.property.type === 'text'
      ? analysedPrefix(scope, field, text, settings.text.operator)
      : prefixLeaf(scope, field, normalised(asking, field, text)),
  );
}

/** Signs of a pattern, and what a backslash takes as it is: they stay as they are when the rest is normalised. */
const patternSigns = /(\\.|[?*]+)/su;

function normalisedPattern(asking: Asking, field: MappedField, pattern: string): string {
  const parts = pattern.split(patternSigns);
  return parts.map((part, at) => (at % 2 === 1 ? part : normalised(asking, field, part))).join('');
}

/**
 * A pattern of terms; a star alone asks whether there is any value.
 * @throws SyntaxFault for a wildcard at the start where that is not allowed
 */
export function askWildcard(asking: Asking, pattern: string): Query | undefined {
  const { scope, settings } = asking;
  const name = nameOf(asking);
  if (pattern === '*' && name !== undefined) {
    return name === ALL_FIELDS ? matchAll() : existsQuery(scope, name);
  }
  if (pattern === '*') return askEach(asking, (field) => existsQuery(scope, field.path));
  if (!settings.allowLeadingWildcard && /^[*?]/.test(pattern)) {
    throw new SyntaxFault('a wildcard cannot come first');
  }
  return askEach(asking, (field) => wildcardLeaf(scope, field, normalisedPattern(asking, field, pattern)));
}

/** A regular expression. */
export function askRegexp(asking: Asking, pattern: string): Query | undefined {
  checkRegexpLength(pattern, '[query_string]');
  return askEach(asking, (field) => regexpLeaf(asking.scope, field, normalised(asking, field, pattern)));
}
