// Builds the query of one word or phrase of a simple query string.
import type { MappedField } from '../../mapping.ts';
import type { Query } from '../../query.ts';
import { buildAnalyzedPrefix } from '../analyzed-prefix.ts';
import { buildFuzzy, buildPrefix } from '../leaves.ts';
import { buildMatch, type TextOptions } from '../match-text.ts';
import { applySuffix, buildBestField, type WeightedField, withLenience } from '../multi-fields.ts';
import type { Scope } from '../scope.ts';
import type { SimpleOperator } from './flags.ts';

/** The options of a simple_query_string clause. */
export interface SimpleSettings {
  fields: readonly WeightedField[];
  /** The enabled operators. */
  flags: ReadonlySet<SimpleOperator>;
  text: TextOptions;
  /** Whether to analyse the text of a prefix. */
  analyzeWildcard: boolean;
  /** Suffix of the fields that phrases are matched in. */
  quoteSuffix: string | undefined;
}

/** Tie breakers: words sum their scores over fields, phrases use the best field. */
const ADDED_UP = 1;
const BEST = 0;

function normaliseTerm(scope: Scope, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.lowerCase(text) : text;
}

/** Matches a word. @returns undefined if it has no terms */
export function buildWord(
  scope: Scope,
  { fields, text: options }: SimpleSettings,
  text: string,
): Query | undefined {
  return buildBestField(fields, ADDED_UP, (field) => buildMatch(scope, field, text, options));
}

/** Matches a phrase. @returns undefined if it has no terms */
export function buildQuotedPhrase(
  scope: Scope,
  { fields, text: options, quoteSuffix }: SimpleSettings,
  text: string,
  slop: number,
): Query | undefined {
  return buildBestField(applySuffix(scope, fields, quoteSuffix), BEST, (field) =>
    buildMatch(scope, field, text, { ...options, type: 'phrase', slop }),
  );
}

/** Matches a fuzzy word. */
export function buildFuzzyTerm(
  scope: Scope,
  settings: SimpleSettings,
  text: string,
  edits: 1 | 2,
): Query | undefined {
  const options = { ...settings.text, fuzziness: { edits } };
  return buildBestField(settings.fields, ADDED_UP, (field) =>
    withLenience(options.lenient, () => buildFuzzy(scope, field, normaliseTerm(scope, field, text), options)),
  );
}

/** Matches a prefix. @returns undefined if it is analysed and has no terms */
export function buildPrefixTerm(scope: Scope, settings: SimpleSettings, text: string): Query | undefined {
  const { analyzeWildcard, text: options } = settings;
  return buildBestField(settings.fields, ADDED_UP, (field) =>
    withLenience(options.lenient, () =>
      analyzeWildcard && field.property.type === 'text'
        ? buildAnalyzedPrefix(scope, field, text, options.operator)
        : buildPrefix(scope, field, normaliseTerm(scope, field, text)),
    ),
  );
}
