// Clauses that contain other clauses or match everything or nothing.
import type { Query, ScoreMode } from '../../query.ts';
import {
  buildBool,
  buildDisMax,
  buildMatchAll,
  MATCH_NONE,
  withBoost,
  withConstantScore,
} from '../combine.ts';
import {
  booleanReader,
  createChoiceReader,
  minimumShouldMatchReader,
  numberReader,
  type OptionReader,
  Options,
  textReader,
} from '../options.ts';
import { type ClauseParser, QueryError, type Scope, toCreationMessage } from '../scope.ts';

/** Parses `{"match_all": {"boost": 1}}`. */
export const parseMatchAll: ClauseParser = (body, scope) => {
  const boost = new Options('match_all', body).finish('unknown field');
  scope.budget.countClause();
  return buildMatchAll(boost);
};

/** Parses `{"match_none": {}}`. */
export const parseMatchNone: ClauseParser = (body) => {
  new Options('match_none', body).finish('unknown field');
  return MATCH_NONE;
};

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

const scoreModes: readonly ScoreMode[] = ['avg', 'sum', 'min', 'max', 'none'];
const scoreModeReader = createChoiceReader(
  scoreModes,
  (given) => `No score mode for child query [${given}] found`,
);

/** Parses `{"nested": {"path": "locations", "query": {}, "score_mode": "avg", "ignore_unmapped": false}}`. */
export const parseNested: ClauseParser = (body, scope) => {
  const options = new Options('nested', body);
  const path = options.read('path', textReader);
  const mode = options.read('score_mode', scoreModeReader) ?? 'avg';
  const ignoreUnmapped = options.read('ignore_unmapped', booleanReader) ?? false;
  const query = options.read('query', (value) => scope.parse(value, { ...scope, nestedPath: path }));
  const boost = options.finish();
  if (path === undefined) throw new QueryError("[nested] requires 'path' field");
  if (query === undefined) throw new QueryError("[nested] requires 'query' field");
  if (!scope.mapping.isNested(path)) {
    if (scope.mapping.isObject(path)) {
      throw new QueryError(
        toCreationMessage(`[nested] nested object under path [${path}] is not of nested type`),
      );
    }
    if (ignoreUnmapped) return MATCH_NONE;
    throw new QueryError(toCreationMessage(`[nested] failed to find nested object under path [${path}]`));
  }
  // A nested clause sees only objects inside the enclosing nested object.
  const isBelow = scope.nestedPath === undefined || path.startsWith(`${scope.nestedPath}.`);
  if (!isBelow || query.kind === 'none') return MATCH_NONE;
  return withBoost({ kind: 'nested', path, query, scoreMode: mode, boost: 1 }, boost);
};
