// bool: clauses that must, should, or must not match, and those that filter without a score.

import type { Query } from '../../query.ts';
import { buildBool, buildMatchAll, MATCH_NONE, withBoost } from '../combine.ts';
import { minimumShouldMatchReader } from '../minimum-should-match.ts';
import { booleanReader, type OptionReader, Options } from '../options.ts';
import type { ClauseParser, Scope } from '../scope.ts';

/** A list of clauses; a single one stands for a list of it. */
function clauses(scope: Scope): OptionReader<readonly Query[]> {
  return (value) => (Array.isArray(value) ? value : [value]).map((one) => scope.parse(one, scope));
}

/** Reads `{"bool": {"must": [], "should": [], "filter": [], "must_not": [], "minimum_should_match": 1}}`. */
export const parseBool: ClauseParser = (body, scope) => {
  const options = new Options('bool', body);
  const read = clauses(scope);
  const must = options.read('must', read) ?? [];
  const should = options.read('should', read) ?? [];
  const filter = options.read('filter', read) ?? [];
  const mustNot = options.read('must_not', read) ?? [];
  const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
  const adjustPureNegative = options.read('adjust_pure_negative', booleanReader) ?? true;
  const boost = options.finish('unknown field');
  const positive = must.length + should.length + filter.length;
  if (positive + mustNot.length === 0) return buildMatchAll(boost);
  if (positive === 0 && !adjustPureNegative) return MATCH_NONE;
  return withBoost(buildBool({ must, should, filter, mustNot }, minimum), boost);
};
