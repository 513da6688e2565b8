// prefix: terms by their start, which is not analysed.
import { boosted, NONE } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField, prefixLeaf } from '../leaves.ts';
import { fieldOptions, flag, text } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"prefix": {"field": "star"}}` and `{"prefix": {"field": {"value": "star"}}}`. */
export const parsePrefix: ClauseParser = (body, scope) => {
  const { field: path, options } = fieldOptions('prefix', body, 'value');
  const value = options.read('value', text) ?? options.read('prefix', text);
  const caseInsensitive = options.read('case_insensitive', flag);
  options.ignore('rewrite');
  const boost = options.finish();
  if (value === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  return field === undefined ? NONE : boosted(prefixLeaf(scope, field, value, caseInsensitive), boost);
};
