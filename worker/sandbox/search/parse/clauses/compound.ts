// Parsers of the clauses that contain other clauses or match everything or nothing.
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
  type ClauseParser,
  createChoiceReader,
  minimumShouldMatchReader,
  numberReader,
  type OptionReader,
  textReader,
} from '../options.ts';
import { creationError, QueryError, type Scope } from '../scope.ts';

function createClauseListReader(scope: Scope): OptionReader<readonly Query[]> {
  return (value) => (Array.isArray(value) ? value : [value]).map((item) => scope.parse(item, scope));
}

const scoreModes: readonly ScoreMode[] = ['avg', 'sum', 'min', 'max', 'none'];
const scoreModeReader = createChoiceReader(
  scoreModes,
  (given) => `No score mode for child query [${given}] found`,
);

export const compoundClauses = {
  /** `{"match_all": {"boost": 1}}` */
  match_all: (options, scope) => {
    const boost = options.finish('unknown field');
    scope.budget.countClause();
    return buildMatchAll(boost);
  },

  /** `{"match_none": {}}` */
  match_none: (options) => {
    options.finish('unknown field');
    return MATCH_NONE;
  },

  /** `{"bool": {"must": [], "should": [], "filter": [], "must_not": [], "minimum_should_match": 1}}` */
  bool: (options, scope) => {
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
  },

  /** `{"constant_score": {"filter": {}, "boost": 1}}` */
  constant_score: (options, scope) => {
    const query = options.read('filter', (value) => {
      if (Array.isArray(value)) throw new QueryError('unexpected token [START_ARRAY]');
      return scope.parse(value, scope);
    });
    const boost = options.finish();
    if (query === undefined) throw new QueryError("[constant_score] requires a 'filter' element");
    return withConstantScore(query, boost);
  },

  /** `{"dis_max": {"queries": [], "tie_breaker": 0}}` */
  dis_max: (options, scope) => {
    const queries = options.read('queries', createClauseListReader(scope)) ?? [];
    const tieBreaker = options.read('tie_breaker', numberReader) ?? 0;
    const boost = options.finish();
    if (queries.length === 0) {
      throw new QueryError("[dis_max] requires 'queries' field with at least one clause");
    }
    return withBoost(buildDisMax(queries, tieBreaker), boost);
  },

  /** `{"nested": {"path": "locations", "query": {}, "score_mode": "avg", "ignore_unmapped": false}}` */
  nested: (options, scope) => {
    const path = options.read('path', textReader);
    const mode = options.read('score_mode', scoreModeReader) ?? 'avg';
    const ignoreUnmapped = options.read('ignore_unmapped', booleanReader) ?? false;
    const query = options.read('query', (value) => scope.parse(value, { ...scope, nestedPath: path }));
    const boost = options.finish();
    if (path === undefined) throw new QueryError("[nested] requires 'path' field");
    if (query === undefined) throw new QueryError("[nested] requires 'query' field");
    if (!scope.mapping.isNested(path)) {
      if (scope.mapping.isObject(path)) {
        throw creationError(`[nested] nested object under path [${path}] is not of nested type`);
      }
      if (ignoreUnmapped) return MATCH_NONE;
      throw creationError(`[nested] failed to find nested object under path [${path}]`);
    }
    // A nested clause sees only objects inside the enclosing nested object.
    const isBelow = scope.nestedPath === undefined || path.startsWith(`${scope.nestedPath}.`);
    if (!isBelow || query.kind === 'none') return MATCH_NONE;
    return withBoost({ kind: 'nested', path, query, scoreMode: mode, boost: 1 }, boost);
  },
} satisfies Readonly<Record<string, ClauseParser>>;
