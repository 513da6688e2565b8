// wildcard: terms by a pattern of `*` and `?`, which is not analysed.
import { boosted, NONE } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField, wildcardLeaf } from '../leaves.ts';
import { fieldOptions, flag, text } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"wildcard": {"field": "st*t"}}` and `{"wildcard": {"field": {"value": "st*t"}}}`, `wildcard` for `value` too. */
export const parseWildcard: ClauseParser = (body, scope) => {
  const { field: path, options } = fieldOptions('wildcard', body, 'value');
  const pattern = options.read('value', text) ?? options.read('wildcard', text);
  const caseInsensitive = options.read('case_insensitive', flag);
  options.ignore('rewrite');
  const boost = options.finish();
  if (pattern === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  return field === undefined ? NONE : boosted(wildcardLeaf(scope, field, pattern, caseInsensitive), boost);
};
