// Builds the query of one word or phrase of a simple query string.
import type { MappedField } from '../../../../../shared/index-fields/mapping.ts';
import type { Query } from '../../query.ts';
import { buildAnalyzedPrefix, buildFuzzy, buildPrefix } from '../leaves.ts';
import { buildMatch, type TextOptions } from '../match-text.ts';
import { applySuffix, buildBestField, type WeightedField, withLenience } from '../multi-fields.ts';
import { countReader, type OptionReader, textReader } from '../options.ts';
import { QueryError, type Scope } from '../scope.ts';

/** The options of a simple_query_string clause. */
export interface SimpleSettings {
  fields: readonly WeightedField[];
  flags: ReadonlySet<SimpleOperator>;
  text: TextOptions;
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

/** The operators; the index of each is its bit in a number of flags. */
const operators = [
  'AND',
  'NOT',
  'OR',
  'PREFIX',
  'PHRASE',
  'PRECEDENCE',
  'ESCAPE',
  'WHITESPACE',
  'FUZZY',
  'NEAR',
] as const;

export type SimpleOperator = (typeof operators)[number];

const ALL = (1 << operators.length) - 1;

const flagBits = new Map<string, number>([
  ...operators.map((name, index): [string, number] => [name, 1 << index]),
  ['SLOP', 1 << operators.indexOf('NEAR')],
  ['NONE', 0],
  ['ALL', ALL],
]);

function parseFlag(word: string): number {
  const bits = flagBits.get(word.toUpperCase());
  if (bits === undefined) throw new QueryError(`Unknown simple_query_string flag [${word}]`);
  return bits;
}

function toOperators(bits: number): ReadonlySet<SimpleOperator> {
  return new Set(operators.filter((_, index) => (bits & (1 << index)) !== 0));
}

/** All operators: the default. */
export const allOperators = toOperators(ALL);

/** Reads `ALL`, `NONE`, a list such as `OR|AND|PREFIX`, or a bit mask; a negative one is `ALL`. */
export const simpleFlagsReader: OptionReader<ReadonlySet<SimpleOperator>> = (value, location) => {
  if (typeof value === 'number') return toOperators(value < 0 ? ALL : countReader(value, location));
  const text = textReader(value, location);
  if (text === '') return allOperators;
  return toOperators(text.split('|').reduce((bits, word) => bits | parseFlag(word), 0));
};
