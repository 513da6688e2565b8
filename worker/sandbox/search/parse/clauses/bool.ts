// bool: combines clauses that must, should or must not match, and filters.

import type { Query } from '../../query.ts';
import { buildBool, buildMatchAll, MATCH_NONE, withBoost } from '../combine.ts';
import { minimumShouldMatchReader } from '../minimum-should-match.ts';
import { booleanReader, type OptionReader, Options } from '../options.ts';
import type { ClauseParser, Scope } from '../scope.ts';

/** Reads a list of clauses, or a single one. */
function createClauseListReader(scope: Scope): OptionReader<readonly Query[]> {
  return (value) => (Array.isArray(value) ? value : [value]).map((item) => scope.parse(item, scope));
}

/** Parses `{"bool": {"must": [], "should": [], "filter": [], "must_not": [], "minimum_should_match": 1}}`. */
export const parseBool: ClauseParser = (body, scope) => {
  const options = new Options('bool', body);
  const clauseListReader = createClauseListReader(scope);
  const must = options.read('must', clauseListReader) ?? [];
  const should = options.read('should', clauseListReader) ?? [];
  const filter = options.read('filter', clauseListReader) ?? [];
  const mustNot = options.read('must_not', clauseListReader) ?? [];
  const minimum = options.read('minimum_should_match', minimumShouldMatchReader);
  const adjustPureNegative = options.read('adjust_pure_negative', booleanReader) ?? true;
  const boost = options.finish('unknown field');
  const positive = must.length + should.length + filter.length;
  if (positive + mustNot.length === 0) return buildMatchAll(boost);
  if (positive === 0 && !adjustPureNegative) return MATCH_NONE;
  return withBoost(buildBool({ must, should, filter, mustNot }, minimum), boost);
};
