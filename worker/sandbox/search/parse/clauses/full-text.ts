// Clauses that split a text into the terms of a field, and the two query languages.

import { findZone } from '../../dates.ts';
import type { Query } from '../../query.ts';
import { buildMatchAll, MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { findField, fuzzyDefaults, withFieldErrors } from '../leaves.ts';
import { buildMatch, textDefaults } from '../match-text.ts';
import { ALL_FIELDS, buildBestField, resolveFields } from '../multi-fields.ts';
import {
  AUTO_FUZZINESS,
  booleanReader,
  countReader,
  fuzzinessReader,
  minimumShouldMatchReader,
  numberReader,
  type OptionReader,
  Options,
  operatorReader,
  parseFieldOptions,
  scalarReader,
  textListReader,
  textReader,
} from '../options.ts';
import type { QueryStringSettings } from '../query-string/leaves.ts';
import { QuerySyntaxError } from '../query-string/lexer.ts';
import { parseQueryString } from '../query-string/parser.ts';
import { buildQueryStringQuery } from '../query-string/to-tree.ts';
import { type ClauseParser, checkDepth, QueryError, type Scope, toCreationMessage } from '../scope.ts';
import { allOperators, parseSimpleQuery, simpleFlagsReader } from '../simple-query-string.ts';
import {
  analyzerReader,
  createFieldTypeReader,
  fieldTypes,
  parseMatchOptions,
  parsePhraseOptions,
} from '../text-options.ts';

/**
 * Parses a phrase in one field, as a text or with options.
 * @throws QueryError for an invalid body
 */
function parsePhrase(clause: string, type: 'phrase' | 'phrase_prefix', body: unknown, scope: Scope): Query {
  const { field: path, options } = parseFieldOptions(clause, body, 'query');
  const value = options.read('query', scalarReader);
  const { zeroTerms, ...phrase } = parsePhraseOptions(options, type === 'phrase_prefix');
  const boost = options.finish();
  if (value === undefined) throw new QueryError(`[${clause}] requires query value`);
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const query = buildMatch(scope, field, value, { ...textDefaults, ...phrase, type });
  if (query === undefined) return zeroTerms === 'all' ? buildMatchAll(boost) : MATCH_NONE;
  return withBoost(query, boost);
}

/** Parses `{"match": {"field": "text"}}` and `{"match": {"field": {"query": "text", "operator": "and"}}}`. */
export const parseMatch: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('match', body, 'query');
  const value = options.read('query', scalarReader);
  const { text, zeroTerms, minimum } = parseMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('No text specified for text query');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const query = buildMatch(scope, field, value, text);
  if (query === undefined) return zeroTerms === 'all' ? buildMatchAll(boost) : MATCH_NONE;
  return withBoost(withMinimumShouldMatch(query, minimum), boost);
};

/** Parses `{"match_bool_prefix": {"field": "quick brown f"}}`, and the same with the options of `match`. */
export const parseMatchBoolPrefix: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('match_bool_prefix', body, 'query');
  const value = options.read('query', scalarReader);
  const { text, minimum } = parseMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('[match_bool_prefix] requires query value');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const query = buildMatch(scope, field, value, { ...text, type: 'boolean_prefix' });
  return query === undefined ? MATCH_NONE : withBoost(withMinimumShouldMatch(query, minimum), boost);
};

/** Parses `{"match_phrase": {"field": "text"}}` and `{"match_phrase": {"field": {"query": "text", "slop": 1}}}`. */
export const parseMatchPhrase: ClauseParser = (body, scope) =>
  parsePhrase('match_phrase', 'phrase', body, scope);

/** Parses `{"match_phrase_prefix": {"field": {"query": "quick brown f", "max_expansions": 50, "slop": 0}}}`. */
export const parseMatchPhrasePrefix: ClauseParser = (body, scope) =>
  parsePhrase('match_phrase_prefix', 'phrase_prefix', body, scope);

/** Parses `{"multi_match": {"query": "text", "fields": ["name^2", "location_*"], "type": "best_fields"}}`. */
export const parseMultiMatch: ClauseParser = (body, scope) => {
  const options = new Options('multi_match', body);
  const value = options.read('query', scalarReader);
  const names = options.read('fields', textListReader);
  const type = options.read('type', createFieldTypeReader('multi_match')) ?? 'best_fields';
  const slop = options.read('slop', countReader) ?? 0;
  const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
  const { text, zeroTerms, minimum, lenient } = parseMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('No text specified for multi_match query');
  if (text.fuzziness !== undefined && (type === 'phrase' || type === 'phrase_prefix')) {
    throw new QueryError(`Fuzziness not allowed for type [${type}]`);
  }
  if (slop !== 0 && type === 'bool_prefix') throw new QueryError(`[slop] not allowed for type [${type}]`);
  const { fields, all } = resolveFields(scope, 'multi_match', names?.length === 0 ? undefined : names);
  const textOptions = { ...text, type: fieldTypes[type].text, slop, lenient: lenient ?? all };
  const query = buildBestField(fields, tieBreaker, (field) => {
    const match = buildMatch(scope, field, value, textOptions);
    if (match === undefined) return zeroTerms === 'all' ? buildMatchAll() : MATCH_NONE;
    return withMinimumShouldMatch(match, minimum);
  });
  return withBoost(query ?? MATCH_NONE, boost);
};

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
    throw new QueryError(toCreationMessage(`Validation Failed: 1: ${message};`));
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
  operator: options.read('default_operator', operatorReader) ?? ('or' as const),
  prefixLength: options.read('fuzzy_prefix_length', countReader) ?? fuzzyDefaults.prefixLength,
  maxExpansions: options.read('fuzzy_max_expansions', countReader) ?? fuzzyDefaults.maxExpansions,
  transpositions: options.read('fuzzy_transpositions', booleanReader) ?? fuzzyDefaults.transpositions,
});

/** Parses `{"query_string": {"query": "name:acme AND founded:>2010", "default_field": "name"}}`. */
export const parseQueryStringClause: ClauseParser = (body, scope) => {
  const options = new Options('query_string', body);
  const query = options.read('query', textReader);
  const defaultField = options.read('default_field', textReader);
  const fieldNames = options.read('fields', nameListReader) ?? [];
  const type = options.read('type', createFieldTypeReader('query_string')) ?? 'best_fields';
  const lenient = options.read('lenient', booleanReader);
  const escaped = options.read('escape', booleanReader) ?? false;
  const zone = options.read('time_zone', textReader);
  const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
  const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
  const dates = { zone: zone === undefined ? undefined : withFieldErrors(() => findZone(zone)) };
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
  const settings = {
    field,
    fields,
    tieBreaker,
    dates,
    ...otherOptions,
    text: { ...textOptions, lenient: lenient ?? all },
  };
  return withBoost(withMinimumShouldMatch(parseText(query, escaped, scope, settings), minimum), boost);
};

/** Parses `{"simple_query_string": {"query": "\"fried eggs\" +(eggplant | potato) -frittata", "fields": ["name^5"]}}`. */
export const parseSimpleQueryString: ClauseParser = (body, scope) => {
  const options = new Options('simple_query_string', body);
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
  options.ignore('auto_generate_synonyms_phrase_query', 'all_fields', 'locale', 'lowercase_expanded_terms');
  const boost = options.finish('unsupported field');
  if (query === undefined) throw new QueryError('[simple_query_string] query text missing');
  const { fields, all } = resolveFields(
    scope,
    'simple_query_string',
    names?.length === 0 ? undefined : names,
  );
  const text = { ...textOptions, lenient: lenient ?? all };
  const parsed = parseSimpleQuery(query, scope, { ...settings, fields, text }, flags);
  return withBoost(withMinimumShouldMatch(parsed ?? MATCH_NONE, minimum), boost);
};
