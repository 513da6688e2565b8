// simple_query_string: a query in a small language that takes any text.
import { boosted, NONE, withMinimum } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { fuzzyDefaults } from '../leaves.ts';
import { minimumShouldMatch } from '../minimum-should-match.ts';
import { resolveFields } from '../multi-fields.ts';
import { count, flag, Options, operator, text, texts } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { allOperators, simpleFlags } from '../simple-query-string/flags.ts';
import { simpleQuery } from '../simple-query-string/parser.ts';
import { analyzer } from '../text-options.ts';

const CLAUSE = 'simple_query_string';

/** Reads `{"simple_query_string": {"query": "\"fried eggs\" +(eggplant | potato) -frittata", "fields": ["name^5"]}}`. */
export const parseSimpleQueryString: ClauseParser = (body, scope) => {
  const options = new Options(CLAUSE, body);
  const query = options.read('query', text);
  const names = options.read('fields', texts);
  const lenient = options.read('lenient', flag);
  const minimum = options.read('minimum_should_match', minimumShouldMatch);
  const settings = {
    flags: options.read('flags', simpleFlags) ?? allOperators,
    quoteSuffix: options.read('quote_field_suffix', text),
    analyzeWildcard: options.read('analyze_wildcard', flag) ?? false,
  };
  const textOptions = {
    type: 'boolean' as const,
    slop: 0,
    operator: options.read('default_operator', operator) ?? ('or' as const),
    prefixLength: options.read('fuzzy_prefix_length', count) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('fuzzy_max_expansions', count) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('fuzzy_transpositions', flag) ?? fuzzyDefaults.transpositions,
    analyzer: options.read('analyzer', analyzer),
  };
  options.ignore('auto_generate_synonyms_phrase_query', 'all_fields', 'locale', 'lowercase_expanded_terms');
  const boost = options.finish('unsupported field');
  if (query === undefined) throw new QueryError(`[${CLAUSE}] query text missing`);
  const { fields, all } = resolveFields(scope, CLAUSE, names?.length === 0 ? undefined : names);
  const found = simpleQuery(query, scope, {
    ...settings,
    fields,
    text: { ...textOptions, lenient: lenient ?? all },
  });
  return boosted(withMinimum(found ?? NONE, minimum), boost);
};
