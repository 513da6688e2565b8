// dis_max: scores by the best of several clauses, plus a share of the others.
import { buildDisMax, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { numberReader, Options } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"dis_max": {"queries": [], "tie_breaker": 0}}`. */
export const parseDisMax: ClauseParser = (body, scope) => {
  const options = new Options('dis_max', body);
  const queries = options.read('queries', (value) =>
    (Array.isArray(value) ? value : [value]).map((item) => scope.parse(item, scope)),
  );
  const tieBreaker = options.read('tie_breaker', numberReader) ?? 0;
  const boost = options.finish();
  if (queries === undefined || queries.length === 0) {
    throw new QueryError("[dis_max] requires 'queries' field with at least one clause");
  }
  return withBoost(buildDisMax(queries, tieBreaker), boost);
};
