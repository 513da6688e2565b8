// Parses queries in the query DSL to the typed tree that the engine evaluates.
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import {
  parseBool,
  parseConstantScore,
  parseDisMax,
  parseMatchAll,
  parseMatchNone,
  parseNested,
} from './clauses/compound.ts';
import {
  parseMatch,
  parseMatchBoolPrefix,
  parseMatchPhrase,
  parseMatchPhrasePrefix,
  parseMultiMatch,
  parseQueryStringClause,
  parseSimpleQueryString,
} from './clauses/full-text.ts';
import {
  parseExists,
  parseFuzzy,
  parseIds,
  parsePrefix,
  parseRange,
  parseRegexp,
  parseTerm,
  parseTerms,
  parseWildcard,
} from './clauses/term-level.ts';
import {
  BodyError,
  ClauseBudget,
  type ClauseParser,
  checkDepth,
  type ParseContext,
  QueryError,
  type Scope,
} from './scope.ts';

export type { ParseContext } from './scope.ts';
export { MAX_BODY_CHARACTERS, MAX_CLAUSES, MAX_DEPTH, QueryError } from './scope.ts';

export interface SearchBody {
  query: Query;
  /** Unchecked JSON; undefined without a sort. */
  sort: unknown;
}

/**
 * Parses a query.
 * @param json - the parsed JSON under `query`
 * @returns the tree, with analysed texts, indexed values and existing fields
 * @throws QueryError for an invalid query or one that exceeds a limit; no other error
 */
export function parseQuery(json: unknown, context: ParseContext): Query {
  return parseClause(json, {
    ...context,
    nestedPath: undefined,
    depth: 0,
    budget: new ClauseBudget(),
    parse: parseClause,
  });
}

/**
 * Parses the body of a search: `query` beside an optional `sort`. The caller checks its length against
 * `MAX_BODY_CHARACTERS`.
 * @throws QueryError, whose `answer` is the message of the service's response
 */
export function parseBody(json: unknown, context: ParseContext): SearchBody {
  if (!isObject(json)) throw new BodyError('Failed to parse es dsl query');
  const { query, sort, ...others } = json;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new QueryError(`request does not support [${unknown}]`);
  if (query === undefined) throw new QueryError('request requires [query]');
  return { query: parseQuery(query, context), sort };
}

const script = 'scripts are not supported';
const geo = 'no field has the type geo_point or geo_shape';
const vector = 'no field has the type dense_vector or sparse_vector';
const join = 'no field has the type join';
const span = 'use match_phrase with a slop for proximity';
const functions = 'custom scoring is not supported';
const inference = 'inference is not supported';
const special = 'no field has the type that it needs';

const reasons = {
  script,
  script_score: script,
  terms_set: script,
  template: script,
  function_score: functions,
  boosting: functions,
  distance_feature: functions,
  pinned: functions,
  rule: functions,
  rule_query: functions,
  geo_bounding_box: geo,
  geo_distance: geo,
  geo_grid: geo,
  geo_polygon: geo,
  geo_shape: geo,
  shape: geo,
  xy_shape: geo,
  knn: vector,
  exact_knn: vector,
  sparse_vector: vector,
  weighted_tokens: vector,
  neural: inference,
  neural_sparse: inference,
  semantic: inference,
  text_expansion: inference,
  hybrid: inference,
  has_child: join,
  has_parent: join,
  parent_id: join,
  percolate: special,
  rank_feature: special,
  more_like_this: 'similarity of documents is not supported',
  combined_fields: 'term-centric scoring across fields is not supported',
  intervals: span,
  span_containing: span,
  span_field_masking: span,
  field_masking_span: span,
  span_first: span,
  span_gap: span,
  span_multi: span,
  span_near: span,
  span_not: span,
  span_or: span,
  span_term: span,
  span_within: span,
  wrapper: 'base64-encoded queries are not supported',
} as const satisfies Readonly<Record<string, string>>;

const unsupportedClauses: ReadonlyMap<string, string> = new Map(Object.entries(reasons));

/**
 * Parses a clause one level below the given scope.
 * @throws QueryError for an invalid or unsupported clause
 */
function parseClause(json: unknown, scope: Scope): Query {
  const depth = scope.depth + 1;
  checkDepth(depth);
  if (!isObject(json)) throw new QueryError('[_na] query malformed, must start with start_object');
  const [first, second] = Object.entries(json);
  if (first === undefined) throw new QueryError('query malformed, empty clause found');
  const [name, body] = first;
  const parse = clauses.get(name);
  if (parse === undefined) {
    const reason = unsupportedClauses.get(name);
    throw new QueryError(
      reason === undefined ? `unknown query [${name}]` : `query [${name}] is not supported: ${reason}`,
    );
  }
  if (!isObject(body)) throw new QueryError(`[${name}] query malformed, no start_object after query name`);
  if (second !== undefined) {
    throw new QueryError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  }
  return parse(body, { ...scope, depth });
}

const clauses: ReadonlyMap<string, ClauseParser> = new Map([
  ['bool', parseBool],
  ['constant_score', parseConstantScore],
  ['dis_max', parseDisMax],
  ['exists', parseExists],
  ['fuzzy', parseFuzzy],
  ['ids', parseIds],
  ['match', parseMatch],
  ['match_all', parseMatchAll],
  ['match_bool_prefix', parseMatchBoolPrefix],
  ['match_none', parseMatchNone],
  ['match_phrase', parseMatchPhrase],
  ['match_phrase_prefix', parseMatchPhrasePrefix],
  ['multi_match', parseMultiMatch],
  ['nested', parseNested],
  ['prefix', parsePrefix],
  ['query_string', parseQueryStringClause],
  ['range', parseRange],
  ['regexp', parseRegexp],
  ['simple_query_string', parseSimpleQueryString],
  ['term', parseTerm],
  ['terms', parseTerms],
  ['wildcard', parseWildcard],
]);
