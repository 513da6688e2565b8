// Parses queries in the query DSL to the typed tree that the engine evaluates.
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { compoundClauses } from './clauses/compound.ts';
import { fullTextClauses } from './clauses/full-text.ts';
import { termLevelClauses } from './clauses/term-level.ts';
import { type ClauseParser, Options } from './options.ts';
import { ClauseBudget, checkDepth, type ParseContext, QueryError, type Scope } from './scope.ts';

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
  if (!isObject(json)) throw new QueryError('Failed to parse es dsl query', '');
  const { query, sort, ...others } = json;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new QueryError(`request does not support [${unknown}]`);
  if (query === undefined) throw new QueryError('request requires [query]');
  return { query: parseQuery(query, context), sort };
}

/** Why the sandbox doesn't support a clause of the engine. */
const unsupportedClauses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'scripts are not supported': 'script script_score terms_set template',
    'custom scoring is not supported': 'function_score boosting distance_feature pinned rule rule_query',
    'no field has the type geo_point or geo_shape':
      'geo_bounding_box geo_distance geo_grid geo_polygon geo_shape shape xy_shape',
    'no field has the type dense_vector or sparse_vector': 'knn exact_knn sparse_vector weighted_tokens',
    'inference is not supported': 'neural neural_sparse semantic text_expansion hybrid',
    'no field has the type join': 'has_child has_parent parent_id',
    'no field has the type that it needs': 'percolate rank_feature',
    'similarity of documents is not supported': 'more_like_this',
    'term-centric scoring across fields is not supported': 'combined_fields',
    'use match_phrase with a slop for proximity':
      'intervals span_containing span_field_masking field_masking_span span_first span_gap span_multi span_near span_not span_or span_term span_within',
    'base64-encoded queries are not supported': 'wrapper',
  }).flatMap(([reason, names]) => names.split(' ').map((name): [string, string] => [name, reason])),
);

const clauses: ReadonlyMap<string, ClauseParser> = new Map(
  Object.entries({ ...compoundClauses, ...fullTextClauses, ...termLevelClauses }),
);

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
  const options = new Options(name, body);
  if (second !== undefined) {
    throw new QueryError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  }
  return parse(options, { ...scope, depth });
}
