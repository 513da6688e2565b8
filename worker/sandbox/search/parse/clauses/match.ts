// match: a text, analysed, any or all of whose terms have to match.
import { boosted, matchAll, NONE, withMinimum } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField } from '../leaves.ts';
import { matchText } from '../match-text.ts';
import { fieldOptions, scalar } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { readMatchOptions } from '../text-options.ts';

/** Reads `{"match": {"field": "text"}}` and `{"match": {"field": {"query": "text", "operator": "and"}}}`. */
export const parseMatch: ClauseParser = (body, scope) => {
  const { field: path, options } = fieldOptions('match', body, 'query');
  const value = options.read('query', scalar);
  const { text, zeroTerms, minimum } = readMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('No text specified for text query');
  const field = findField(scope, path);
  if (field === undefined) return NONE;
  const query = matchText(scope, field, value, text);
  if (query === undefined) return zeroTerms === 'all' ? matchAll(boost) : NONE;
  return boosted(withMinimum(query, minimum), boost);
};
