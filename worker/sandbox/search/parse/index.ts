// Parses queries in the query DSL to the typed tree that the engine evaluates.

import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { parseClause } from './clause.ts';
import { BodyError, QueryError } from './errors.ts';
import { ClauseBudget } from './limits.ts';
import type { ParseContext } from './scope.ts';

export { QueryError } from './errors.ts';
export { MAX_BODY_CHARACTERS, MAX_CLAUSES, MAX_DEPTH } from './limits.ts';
export type { ParseContext } from './scope.ts';

/** A parsed search body. */
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
