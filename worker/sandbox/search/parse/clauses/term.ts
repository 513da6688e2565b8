// term: one value of one field, as it is indexed.
import { boosted, NONE } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { caseInsensitiveTermLeaf, findField, termLeaf } from '../leaves.ts';
import { fieldOf, fieldOptions, flag, scalar } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"term": {"field": "value"}}` and `{"term": {"field": {"value": "value", "boost": 1}}}`. */
export const parseTerm: ClauseParser = (body, scope) => {
  const given = fieldOf('term', body).value;
  if (Array.isArray(given)) throw new QueryError('[term] query does not support array of values');
  const { field: path, options } = fieldOptions('term', body, 'value');
  const value = options.read('value', scalar) ?? options.read('term', scalar);
  const caseInsensitive = options.read('case_insensitive', flag) ?? false;
  const boost = options.finish();
  if (value === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  if (field === undefined) return NONE;
  const leaf = caseInsensitive ? caseInsensitiveTermLeaf : termLeaf;
  return boosted(leaf(scope, field, value), boost);
};
