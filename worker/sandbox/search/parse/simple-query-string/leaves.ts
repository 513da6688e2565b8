// What one word or phrase of the simple query language asks of its fields.
import type { MappedField } from '../../mapping.ts';
import type { Query } from '../../query.ts';
import { buildAnalyzedPrefix } from '../analyzed-prefix.ts';
import { buildFuzzy, buildPrefix } from '../leaves.ts';
import { buildMatch, type TextOptions } from '../match-text.ts';
import { applySuffix, buildBestField, type WeightedField, withLenience } from '../multi-fields.ts';
import type { Scope } from '../scope.ts';
import type { SimpleOperator } from './flags.ts';

/** What the options of a simple_query_string clause come to. */
export interface SimpleSettings {
  fields: readonly WeightedField[];
  /** The signs that mean something. */
  flags: ReadonlySet<SimpleOperator>;
  text: TextOptions;
  /** Splits the text of a prefix as other texts are split. */
  analyzeWildcard: boolean;
  /** What the name of a field ends with in which phrases are looked for. */
  quoteSuffix: string | undefined;
}

/** What each field adds to the score: words add up over fields, of phrases the best counts. */
const ADDED_UP = 1;
const BEST = 0;

function normaliseTerm(scope: Scope, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.lowerCase(text) : text;
}

/** A word. @returns undefined if it has no term */
export function buildWord(
  scope: Scope,
  { fields, text: options }: SimpleSettings,
  text: string,
): Query | undefined {
  return buildBestField(fields, ADDED_UP, (field) => buildMatch(scope, field, text, options));
}

/** A phrase. @returns undefined if it has no term */
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

/** A word that may be misspelt. */
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

/** The start of a word. @returns undefined if it is split and has no term */
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
