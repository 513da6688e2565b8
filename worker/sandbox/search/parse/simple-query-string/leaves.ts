// What one word or phrase of the simple query language asks of its fields.
import type { MappedField } from '../../mapping.ts';
import type { Query } from '../../query.ts';
import { analysedPrefix } from '../analyzed-prefix.ts';
import { fuzzyLeaf, prefixLeaf } from '../leaves.ts';
import { matchText, type TextOptions } from '../match-text.ts';
import { bestField, leniently, type WeightedField, withSuffix } from '../multi-fields.ts';
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

function normalised(scope: Scope, field: MappedField, text: string): string {
  return field.property.type === 'text' ? scope.normalise(text) : text;
}

/** A word. @returns undefined if it has no term */
export function askWord(
  scope: Scope,
  { fields, text: options }: SimpleSettings,
  text: string,
): Query | undefined {
  return bestField(fields, ADDED_UP, (field) => matchText(scope, field, text, options));
}

/** A phrase. @returns undefined if it has no term */
export function askPhrase(
  scope: Scope,
  { fields, text: options, quoteSuffix }: SimpleSettings,
  text: string,
  slop: number,
): Query | undefined {
  return bestField(withSuffix(scope, fields, quoteSuffix), BEST, (field) =>
    matchText(scope, field, text, { ...options, type: 'phrase', slop }),
  );
}

/** A word that may be misspelt. */
export function askFuzzy(
  scope: Scope,
  settings: SimpleSettings,
  text: string,
  edits: 1 | 2,
): Query | undefined {
  const options = { ...settings.text, fuzziness: { edits } };
  return bestField(settings.fields, ADDED_UP, (field) =>
    leniently(options.lenient, () => fuzzyLeaf(scope, field, normalised(scope, field, text), options)),
  );
}

/** The start of a word. @returns undefined if it is split and has no term */
export function askPrefix(scope: Scope, settings: SimpleSettings, text: string): Query | undefined {
  const { analyzeWildcard, text: options } = settings;
  return bestField(settings.fields, ADDED_UP, (field) =>
    leniently(options.lenient, () =>
      analyzeWildcard && field.property.type === 'text'
        ? analysedPrefix(scope, field, text, options.operator)
        : prefixLeaf(scope, field, normalised(scope, field, text)),
    ),
  );
}
