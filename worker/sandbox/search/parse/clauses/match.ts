// match: matches any or all terms of a text.
import { buildMatchAll, MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField } from '../leaves.ts';
import { buildMatch } from '../match-text.ts';
import { parseFieldOptions, scalarReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { parseMatchOptions } from '../text-options.ts';

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
