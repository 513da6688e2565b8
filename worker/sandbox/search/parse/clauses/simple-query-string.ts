// simple_query_string: parses a small query language without syntax errors.
import { MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { fuzzyDefaults } from '../leaves.ts';
import { minimumShouldMatchReader } from '../minimum-should-match.ts';
import { resolveFields } from '../multi-fields.ts';
import {
  booleanReader,
  countReader,
  Options,
  operatorReader,
  textListReader,
  textReader,
} from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { allOperators, simpleFlagsReader } from '../simple-query-string/flags.ts';
import { parseSimpleQuery } from '../simple-query-string/parser.ts';
import { analyzerReader } from '../text-options.ts';

const CLAUSE = 'simple_query_string';

/** Parses `{"simple_query_string": {"query": "\"fried eggs\" +(eggplant | potato) -frittata", "fields": ["name^5"]}}`. */
export const parseSimpleQueryString: ClauseParser = (body, scope) => {
  const options = new Options(CLAUSE, body);
  const query = options.read('query', textReader);
  const names = options.read('fields', textListReader);
  const lenient = options.read('lenient', booleanReader);
  const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
  const settings = {
    flags: options.read('flags', simpleFlagsReader) ?? allOperators,
    quoteSuffix: options.read('quote_field_suffix', textReader),
    analyzeWildcard: options.read('analyze_wildcard', booleanReader) ?? false,
  };
  const textOptions = {
    type: 'boolean' as const,
    slop: 0,
    operator: options.read('default_operator', operatorReader) ?? ('or' as const),
    prefixLength: options.read('fuzzy_prefix_length', countReader) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('fuzzy_max_expansions', countReader) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('fuzzy_transpositions', booleanReader) ?? fuzzyDefaults.transpositions,
    analyzer: options.read('analyzer', analyzerReader),
  };
  options.ignore('auto_generate_synonyms_phrase_query', 'all_fields', 'locale', 'lowercase_expanded_terms');
  const boost = options.finish('unsupported field');
  if (query === undefined) throw new QueryError(`[${CLAUSE}] query text missing`);
  const { fields, all } = resolveFields(scope, CLAUSE, names?.length === 0 ? undefined : names);
  const parsed = parseSimpleQuery(query, scope, {
    ...settings,
    fields,
    text: { ...textOptions, lenient: lenient ?? all },
  });
  return withBoost(withMinimumShouldMatch(parsed ?? MATCH_NONE, minimum), boost);
};
