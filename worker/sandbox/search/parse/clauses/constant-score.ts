// constant_score: gives all matches of a clause the same score.
import { withConstantScore } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { Options } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"constant_score": {"filter": {}, "boost": 1}}`. */
export const parseConstantScore: ClauseParser = (body, scope) => {
  const options = new Options('constant_score', body);
  const query = options.read('filter', (value) => {
    if (Array.isArray(value)) throw new QueryError('unexpected token [START_ARRAY]');
    return scope.parse(value, scope);
  });
  const boost = options.finish();
  if (query === undefined) throw new QueryError("[constant_score] requires a 'filter' element");
  return withConstantScore(query, boost);
};
