// Reads the options that text clauses share.
import type { Analyzer, TextOptions, TextType } from './match-text.ts';
import { textDefaults } from './match-text.ts';
import {
  booleanReader,
  countReader,
  createChoiceReader,
  fuzzinessReader,
  minimumShouldMatchReader,
  type OptionReader,
  type Options,
  operatorReader,
  textReader,
} from './options.ts';
import { QueryError } from './scope.ts';

/** Reads the name of an analyzer; unknown ones are rejected, as in an index that doesn't define them. */
export const analyzerReader: OptionReader<Analyzer> = (value, { clause }) => {
  const name = textReader(value, { clause, option: 'analyzer' });
  if (name === 'standard' || name === 'keyword' || name === 'whitespace') return name;
  throw new QueryError(`[${clause}] analyzer [${name}] not found`);
};

/** How to combine several fields: the text query in each, and the share of the fields beside the best one. */
export const fieldTypes = {
  best_fields: { text: 'boolean', tieBreaker: 0 },
  most_fields: { text: 'boolean', tieBreaker: 1 },
  phrase: { text: 'phrase', tieBreaker: 0 },
  phrase_prefix: { text: 'phrase_prefix', tieBreaker: 0 },
  bool_prefix: { text: 'boolean_prefix', tieBreaker: 1 },
} as const satisfies Readonly<Record<string, { text: TextType; tieBreaker: number }>>;

export type FieldType = keyof typeof fieldTypes;

function isFieldType(name: string): name is FieldType {
  return Object.hasOwn(fieldTypes, name);
}

/** Creates a reader for the type of a query on several fields. */
export function createFieldTypeReader(clause: string): OptionReader<FieldType> {
  return (value, location) => {
    const name = textReader(value, location).toLowerCase();
    if (isFieldType(name)) return name;
    throw new QueryError(
      name === 'cross_fields'
        ? `[${clause}] type [cross_fields] is not supported: fields are not scored as if they were one`
        : `failed to parse [${clause}] query type [${value}]. unknown type.`,
    );
  };
}

const zeroTermsReader = createChoiceReader(
  ['none', 'all'],
  (given) => `Unsupported zero_terms_query value [${given}]`,
);

/** The common options of `match` and related clauses. */
export interface MatchOptions {
  text: TextOptions;
  /** The result of a text without terms. */
  zeroTerms: 'none' | 'all';
  /** The text of `minimum_should_match`. */
  minimum: string | undefined;
  /** Undefined if absent; the default depends on the fields. */
  lenient: boolean | undefined;
}

/** @throws QueryError for an invalid option */
export function parseMatchOptions(options: Options): MatchOptions {
  const lenient = options.read('lenient', booleanReader);
  const matchOptions: MatchOptions = {
    text: {
      type: 'boolean',
      operator: options.read('operator', operatorReader) ?? textDefaults.operator,
      slop: textDefaults.slop,
      fuzziness: options.read('fuzziness', fuzzinessReader),
      prefixLength: options.read('prefix_length', countReader) ?? textDefaults.prefixLength,
      maxExpansions: options.read('max_expansions', countReader) ?? textDefaults.maxExpansions,
      transpositions: options.read('fuzzy_transpositions', booleanReader) ?? textDefaults.transpositions,
      lenient: lenient ?? textDefaults.lenient,
      analyzer: options.read('analyzer', analyzerReader),
    },
    zeroTerms: options.read('zero_terms_query', zeroTermsReader) ?? 'none',
    minimum: options.read('minimum_should_match', minimumShouldMatchReader),
    lenient,
  };
  options.ignore('fuzzy_rewrite', 'auto_generate_synonyms_phrase_query');
  return matchOptions;
}

/** The common options of phrase clauses. */
export interface PhraseOptions {
  slop: number;
  maxExpansions: number;
  analyzer: Analyzer | undefined;
  zeroTerms: 'none' | 'all';
}

/** @throws QueryError for an invalid option */
export function parsePhraseOptions(options: Options, prefix: boolean): PhraseOptions {
  return {
    slop: options.read('slop', countReader) ?? textDefaults.slop,
    maxExpansions:
      (prefix ? options.read('max_expansions', countReader) : undefined) ?? textDefaults.maxExpansions,
    analyzer: options.read('analyzer', analyzerReader),
    zeroTerms: options.read('zero_terms_query', zeroTermsReader) ?? 'none',
  };
}
