// fuzzy: terms that are nearly the one asked for, which is not analysed.
import { boosted, NONE } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { AUTO, fuzziness } from '../fuzziness.ts';
import { findField, fuzzyDefaults, fuzzyLeaf } from '../leaves.ts';
import { count, fieldOptions, flag, text } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"fuzzy": {"field": "quikc"}}` and `{"fuzzy": {"field": {"value": "quikc", "fuzziness": "AUTO"}}}`. */
export const parseFuzzy: ClauseParser = (body, scope) => {
  const { field: path, options } = fieldOptions('fuzzy', body, 'value');
  const value = options.read('value', text) ?? options.read('term', text);
  const fuzzyOptions = {
    fuzziness: options.read('fuzziness', fuzziness) ?? AUTO,
    prefixLength: options.read('prefix_length', count) ?? fuzzyDefaults.prefixLength,
    maxExpansions: options.read('max_expansions', count) ?? fuzzyDefaults.maxExpansions,
    transpositions: options.read('transpositions', flag) ?? fuzzyDefaults.transpositions,
  };
  options.ignore('rewrite');
  const boost = options.finish();
  if (value === undefined) throw new QueryError('query value cannot be null');
  const field = findField(scope, path);
  return field === undefined ? NONE : boosted(fuzzyLeaf(scope, field, value, fuzzyOptions), boost);
};
