// term: matches one indexed value of a field.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildCaseInsensitiveTerm, buildTerm, findField } from '../leaves.ts';
import { booleanReader, parseFieldBody, parseFieldOptions, scalarReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"term": {"field": "value"}}` and `{"term": {"field": {"value": "value", "boost": 1}}}`. */
export const parseTerm: ClauseParser = (body, scope) => {
  const fieldValue = parseFieldBody('term', body).value;
  if (Array.isArray(fieldValue)) throw new QueryError('[term] query does not support array of values');
  const { field: path, options } = parseFieldOptions('term', body, 'value');
  const value = options.read('value', scalarReader) ?? options.read('term', scalarReader);
  const caseInsensitive = options.read('case_insensitive', booleanReader) ?? false;
  const boost = options.finish();
  if (value === undefined) throw new QueryError('value cannot be null');
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const buildQuery = caseInsensitive ? buildCaseInsensitiveTerm : buildTerm;
  return withBoost(buildQuery(scope, field, value), boost);
};
