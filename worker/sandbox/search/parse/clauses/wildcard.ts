// wildcard: matches terms by a pattern of `*` and `?`; the pattern is not analysed.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildWildcard, findField } from '../leaves.ts';
import { booleanReader, parseFieldOptions, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"wildcard": {"field": "st*t"}}` and `{"wildcard": {"field": {"value": "st*t"}}}`; `wildcard` is an alias of `value`. */
export const parseWildcard: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions('wildcard', body, 'value');
  const pattern = options.read('value', textReader) ?? options.read('wildcard', textReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader);
  options.ignore('rewrite');
  const boost = options.finish();
  if (pattern === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  return field === undefined
    ? MATCH_NONE
    : withBoost(buildWildcard(scope, field, pattern, caseInsensitive), boost);
};
