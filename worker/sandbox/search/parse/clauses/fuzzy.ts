// fuzzy: matches terms within an edit distance; the text is not analysed.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { AUTO_FUZZINESS, fuzzinessReader } from '../fuzziness.ts';
import { buildFuzzy, findField, fuzzyDefaults } from '../leaves.ts';
import { booleanReader, countReader, parseFieldOptions, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"fuzzy": {"field": "quikc"}}` and `{"fuzzy": {"field": {"value": "quikc", "fuzziness": "AUTO"}}}`. */
export const parseFuzzy: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('fuzzy', body, 'value');
  const value = options.read('value', textReader) ?? options.read('term', textReader);
  const fuzzyOptions = {
    fuzziness: options.read('fuzziness', fuzzinessReader) ?? AUTO_FUZZINESS,
    prefixLength: options.read('prefix_length', countReader) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('max_expansions', countReader) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('transpositions', booleanReader) ?? fuzzyDefaults.transpositions,
  };
  options.ignore('rewrite');
  const boost = options.finish();
  if (value === undefined) throw new QueryError('query value cannot be null');
  const field = findField(scope, path);
  return field === undefined ? MATCH_NONE : withBoost(buildFuzzy(scope, field, value, fuzzyOptions), boost);
};
