// Parsers of the clauses that split a text into the terms of a field, and of the two query languages.

import type { Query } from '../../query.ts';
import { buildMatchAll, MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { findField, zoneReader } from '../leaves.ts';
import { type Analyzer, buildMatch, type TextOptions, type TextType, textDefaults } from '../match-text.ts';
import { ALL_FIELDS, buildBestField, resolveFields } from '../multi-fields.ts';
import {
  AUTO_FUZZINESS,
  booleanReader,
  type ClauseParser,
  countReader,
  createChoiceReader,
  fuzzinessReader,
  minimumShouldMatchReader,
  numberReader,
  type OptionReader,
  type Options,
  operatorReader,
  scalarReader,
  textListReader,
  textReader,
} from '../options.ts';
import type { QueryStringSettings } from '../query-string/leaves.ts';
import { QuerySyntaxError } from '../query-string/lexer.ts';
import { parseQueryString } from '../query-string/parser.ts';
import { buildQueryStringQuery } from '../query-string/to-tree.ts';
import { checkDepth, creationError, QueryError, type Scope } from '../scope.ts';
import { allOperators, parseSimpleQuery, simpleFlagsReader } from '../simple-query-string.ts';

/** Reads the name of an analyzer; unknown ones are rejected, as in an index that doesn't define them. */
const analyzerReader: OptionReader<Analyzer> = (value, { clause }) => {
  const name = textReader(value, { clause, option: 'analyzer' });
  if (name === 'standard' || name === 'keyword' || name === 'whitespace') return name;
  throw new QueryError(`[${clause}] analyzer [${name}] not found`);
};

/** How to combine several fields: the text query in each, and the share of the fields beside the best one. */
const fieldTypes = {
  best_fields: { text: 'boolean', tieBreaker: 0 },
  most_fields: { text: 'boolean', tieBreaker: 1 },
  phrase: { text: 'phrase', tieBreaker: 0 },
  phrase_prefix: { text: 'phrase_prefix', tieBreaker: 0 },
  bool_prefix: { text: 'boolean_prefix', tieBreaker: 1 },
} as const satisfies Readonly<Record<string, { text: TextType; tieBreaker: number }>>;

type FieldType = keyof typeof fieldTypes;

function isFieldType(name: string): name is FieldType {
  return Object.hasOwn(fieldTypes, name);
}

/** Reads the type of a query on several fields. */
const fieldTypeReader: OptionReader<FieldType> = (value, location) => {
  const name = textReader(value, location).toLowerCase();
  if (isFieldType(name)) return name;
  throw new QueryError(
    name === 'cross_fields'
      ? `[${location.clause}] type [cross_fields] is not supported: fields are not scored as if they were one`
      : `failed to parse [${location.clause}] query type [${value}]. unknown type.`,
  );
};

const zeroTermsReader = createChoiceReader(
  ['none', 'all'],
  (given) => `Unsupported zero_terms_query value [${given}]`,
);

/** The options of a clause that matches a text. */
interface MatchOptions {
  text: TextOptions;
  /** The result of a text without terms. */
  zeroTerms: 'none' | 'all';
  /** The text of `minimum_should_match`. */
  minimum?: string | undefined;
}

/** Reads the options of `match` and related clauses. @throws QueryError for an invalid option */
function readMatchOptions(options: Options): MatchOptions {
  options.ignore('fuzzy_rewrite', 'auto_generate_synonyms_phrase_query');
  return {
    text: {
      ...textDefaults,
      operator: options.read('operator', operatorReader) ?? textDefaults.operator,
      fuzziness: options.read('fuzziness', fuzzinessReader),
      prefixLength: options.read('prefix_length', countReader) ?? textDefaults.prefixLength,
      maxExpansions: options.read('max_expansions', countReader) ?? textDefaults.maxExpansions,
      transpositions: options.read('fuzzy_transpositions', booleanReader) ?? textDefaults.transpositions,
      lenient: options.read('lenient', booleanReader),
      analyzer: options.read('analyzer', analyzerReader),
    },
    zeroTerms: options.read('zero_terms_query', zeroTermsReader) ?? 'none',
    minimum: options.read('minimum_should_match', minimumShouldMatchReader),
  };
}

/** Reads the options of phrase clauses. @throws QueryError for an invalid option */
function readPhraseOptions(options: Options, prefix: boolean): MatchOptions {
  const maxExpansions = prefix ? options.read('max_expansions', countReader) : undefined;
  return {
    text: {
      ...textDefaults,
      slop: options.read('slop', countReader) ?? textDefaults.slop,
      maxExpansions: maxExpansions ?? textDefaults.maxExpansions,
      analyzer: options.read('analyzer', analyzerReader),
    },
    zeroTerms: options.read('zero_terms_query', zeroTermsReader) ?? 'none',
  };
}

/** Creates the parser of a text in one field, by itself or with options. @param missing - message if there is no text */
function createTextParser(
  type: TextType,
  missing: string,
  readOptions: (options: Options) => MatchOptions,
): ClauseParser {
  return (clause, scope) => {
    const { path, options } = clause.openField('query');
    const value = options.read('query', scalarReader);
    const { text, zeroTerms, minimum } = readOptions(options);
    const boost = options.finish();
    if (value === undefined) throw new QueryError(missing);
    const field = findField(scope, path);
    if (field === undefined) return MATCH_NONE;
    const query = buildMatch(scope, field, value, { ...text, type });
    if (query === undefined) return zeroTerms === 'all' ? buildMatchAll(boost) : MATCH_NONE;
    return withBoost(withMinimumShouldMatch(query, minimum), boost);
  };
}

/** Blank texts as in Java: white space beyond ASCII is not blank. */
const BLANK = /^[\0- ]*$/;

/** Escapes the operators of the language, for `"escape": true`. */
function escapeOperators(query: string): string {
  return query.replaceAll(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&');
}

/** Resolves the fields of clauses that name none. */
function resolveTargetFields(
  scope: Scope,
  defaultField: string | undefined,
  names: readonly string[],
): Pick<QueryStringSettings, 'field' | 'fields'> & { all: boolean } {
  if (names.length === 0) {
    const field = defaultField ?? ALL_FIELDS;
    return { field, fields: [], all: field === ALL_FIELDS };
  }
  if (defaultField !== undefined) {
    const message = 'cannot use [fields] parameter in conjunction with [default_field]';
    throw creationError(`Validation Failed: 1: ${message};`);
  }
  return { field: undefined, ...resolveFields(scope, 'query_string', names) };
}

/** Reads a list of names. Unlike in `multi_match`, a single name is invalid. */
const nameListReader: OptionReader<readonly string[]> = (value, location) => {
  if (!Array.isArray(value))
    throw new QueryError(`[query_string] query does not support [${location.option}]`);
  return textListReader(value, location);
};

function parseText(query: string, escaped: boolean, scope: Scope, settings: QueryStringSettings): Query {
  if (BLANK.test(query)) return MATCH_NONE;
  try {
    const clauses = parseQueryString(escaped ? escapeOperators(query) : query, scope.depth, checkDepth);
    return buildQueryStringQuery(clauses, scope, settings) ?? MATCH_NONE;
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw new QueryError(`Failed to parse query [${query}]`);
    throw error;
  }
}

/** Reads the options that both kinds of query strings have. */
const readStringOptions = (options: Options) => ({
  operator: options.read('default_operator', operatorReader) ?? textDefaults.operator,
  prefixLength: options.read('fuzzy_prefix_length', countReader) ?? textDefaults.prefixLength,
  maxExpansions: options.read('fuzzy_max_expansions', countReader) ?? textDefaults.maxExpansions,
  transpositions: options.read('fuzzy_transpositions', booleanReader) ?? textDefaults.transpositions,
});

export const fullTextClauses = {
  /** `{"match": {"field": "text"}}` and `{"match": {"field": {"query": "text", "operator": "and"}}}` */
  match: createTextParser('boolean', 'No text specified for text query', readMatchOptions),

  /** `{"match_bool_prefix": {"field": "quick brown f"}}`, and the same with the options of `match` */
  match_bool_prefix: createTextParser(
    'boolean_prefix',
    '[match_bool_prefix] requires query value',
    (options) => ({ ...readMatchOptions(options), zeroTerms: 'none' }),
  ),

  /** `{"match_phrase": {"field": "text"}}` and `{"match_phrase": {"field": {"query": "text", "slop": 1}}}` */
  match_phrase: createTextParser('phrase', '[match_phrase] requires query value', (options) =>
    readPhraseOptions(options, false),
  ),

  /** `{"match_phrase_prefix": {"field": {"query": "quick brown f", "max_expansions": 50, "slop": 0}}}` */
  match_phrase_prefix: createTextParser(
    'phrase_prefix',
    '[match_phrase_prefix] requires query value',
    (options) => readPhraseOptions(options, true),
  ),

  /** `{"multi_match": {"query": "text", "fields": ["name^2", "location_*"], "type": "best_fields"}}` */
  multi_match: (options, scope) => {
    const value = options.read('query', scalarReader);
    const names = options.read('fields', textListReader);
    const type = options.read('type', fieldTypeReader) ?? 'best_fields';
    const slop = options.read('slop', countReader) ?? 0;
    const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
    const { text, zeroTerms, minimum } = readMatchOptions(options);
    const boost = options.finish();
    if (value === undefined) throw new QueryError('No text specified for multi_match query');
    if (text.fuzziness !== undefined && (type === 'phrase' || type === 'phrase_prefix')) {
      throw new QueryError(`Fuzziness not allowed for type [${type}]`);
    }
    if (slop !== 0 && type === 'bool_prefix') throw new QueryError(`[slop] not allowed for type [${type}]`);
    const { fields, all } = resolveFields(scope, 'multi_match', names);
    const textOptions = { ...text, type: fieldTypes[type].text, slop, lenient: text.lenient ?? all };
    const query = buildBestField(fields, tieBreaker, (field) => {
      const match = buildMatch(scope, field, value, textOptions);
      if (match === undefined) return zeroTerms === 'all' ? buildMatchAll() : MATCH_NONE;
      return withMinimumShouldMatch(match, minimum);
    });
    return withBoost(query ?? MATCH_NONE, boost);
  },

  /** `{"query_string": {"query": "name:acme AND founded:>2010", "default_field": "name"}}` */
  query_string: (options, scope) => {
    const query = options.read('query', textReader);
    const defaultField = options.read('default_field', textReader);
    const fieldNames = options.read('fields', nameListReader) ?? [];
    const type = options.read('type', fieldTypeReader) ?? 'best_fields';
    const lenient = options.read('lenient', booleanReader);
    const escaped = options.read('escape', booleanReader) ?? false;
    const dates = { zone: options.read('time_zone', zoneReader) };
    const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
    const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
    const textOptions = {
      type: fieldTypes[type].text,
      slop: options.read('phrase_slop', countReader) ?? 0,
      ...readStringOptions(options),
      analyzer: options.read('analyzer', analyzerReader) ?? options.read('quote_analyzer', analyzerReader),
      dates,
    };
    const otherOptions = {
      fuzziness: options.read('fuzziness', fuzzinessReader) ?? AUTO_FUZZINESS,
      quoteSuffix: options.read('quote_field_suffix', textReader),
      analyzeWildcard: options.read('analyze_wildcard', booleanReader) ?? false,
      allowLeadingWildcard: options.read('allow_leading_wildcard', booleanReader) ?? true,
    };
    options.ignore(
      'rewrite',
      'fuzzy_rewrite',
      'max_determinized_states',
      'enable_position_increments',
      'auto_generate_synonyms_phrase_query',
    );
    const boost = options.finish();
    if (query === undefined) throw new QueryError('[query_string] must be provided with a [query]');
    const { field, fields, all } = resolveTargetFields(scope, defaultField, fieldNames);
    const text = { ...textOptions, lenient: lenient ?? all };
    const settings = { field, fields, tieBreaker, dates, ...otherOptions, text };
    return withBoost(withMinimumShouldMatch(parseText(query, escaped, scope, settings), minimum), boost);
  },

  /** `{"simple_query_string": {"query": "\"fried eggs\" +(eggplant | potato) -frittata", "fields": ["name^5"]}}` */
  simple_query_string: (options, scope) => {
    const query = options.read('query', textReader);
    const names = options.read('fields', textListReader);
    const lenient = options.read('lenient', booleanReader);
    const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
    const flags = options.read('flags', simpleFlagsReader) ?? allOperators;
    const settings = {
      field: undefined,
      dates: {},
      fuzziness: AUTO_FUZZINESS,
      allowLeadingWildcard: true,
      quoteSuffix: options.read('quote_field_suffix', textReader),
      analyzeWildcard: options.read('analyze_wildcard', booleanReader) ?? false,
    };
    const textOptions = {
      type: 'boolean' as const,
      slop: 0,
      ...readStringOptions(options),
      analyzer: options.read('analyzer', analyzerReader),
    };
    options.ignore(
      ...['auto_generate_synonyms_phrase_query', 'all_fields', 'locale', 'lowercase_expanded_terms'],
    );
    const boost = options.finish('unsupported field');
    if (query === undefined) throw new QueryError('[simple_query_string] query text missing');
    const { fields, all } = resolveFields(scope, 'simple_query_string', names);
    const text = { ...textOptions, lenient: lenient ?? all };
    const parsed = parseSimpleQuery(query, scope, { ...settings, fields, text }, flags);
    return withBoost(withMinimumShouldMatch(parsed ?? MATCH_NONE, minimum), boost);
  },
} satisfies Readonly<Record<string, ClauseParser>>;
