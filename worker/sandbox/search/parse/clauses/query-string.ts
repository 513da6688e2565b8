// query_string: parses Lucene's query language with operators, fields and patterns.

import type { Query } from '../../query.ts';
import { findZone } from '../../time-zones.ts';
import { MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { QueryError, toCreationMessage } from '../errors.ts';
import { AUTO_FUZZINESS, fuzzinessReader } from '../fuzziness.ts';
import { fuzzyDefaults, withFieldErrors } from '../leaves.ts';
import { checkDepth } from '../limits.ts';
import { minimumShouldMatchReader } from '../minimum-should-match.ts';
import { ALL_FIELDS, resolveFields } from '../multi-fields.ts';
import {
  booleanReader,
  countReader,
  numberReader,
  type OptionReader,
  Options,
  operatorReader,
  textListReader,
  textReader,
} from '../options.ts';
import type { QueryStringSettings } from '../query-string/leaves.ts';
import { QuerySyntaxError } from '../query-string/lexer.ts';
import { parseQueryString } from '../query-string/parser.ts';
import { buildQueryStringQuery } from '../query-string/to-tree.ts';
import type { ClauseParser, Scope } from '../scope.ts';
import { analyzerReader, createFieldTypeReader, fieldTypes } from '../text-options.ts';

const CLAUSE = 'query_string';

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
  return { field: undefined, ...resolveFields(scope, CLAUSE, names) };
}

/** Reads a list of names. Unlike in `multi_match`, a single name is invalid. */
const nameListReader: OptionReader<readonly string[]> = (value, location) => {
  if (!Array.isArray(value)) throw new QueryError(`[${CLAUSE}] query does not support [${location.option}]`);
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

/** Parses `{"query_string": {"query": "name:acme AND founded:>2010", "default_field": "name"}}`. */
export const parseQueryStringClause: ClauseParser = (body, scope) => {
  const options = new Options(CLAUSE, body);
  const query = options.read('query', textReader);
  const defaultField = options.read('default_field', textReader);
  const fieldNames = options.read('fields', nameListReader) ?? [];
  const type = options.read('type', createFieldTypeReader(CLAUSE)) ?? 'best_fields';
  const lenient = options.read('lenient', booleanReader);
  const escaped = options.read('escape', booleanReader) ?? false;
  const zone = options.read('time_zone', textReader);
  const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
  const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
  const dates = { zone: zone === undefined ? undefined : withFieldErrors(() => findZone(zone)) };
  const textOptions = {
    type: fieldTypes[type].text,
    operator: options.read('default_operator', operatorReader) ?? ('or' as const),
    slop: options.read('phrase_slop', countReader) ?? 0,
    prefixLength: options.read('fuzzy_prefix_length', countReader) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('fuzzy_max_expansions', countReader) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('fuzzy_transpositions', booleanReader) ?? fuzzyDefaults.transpositions,
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
