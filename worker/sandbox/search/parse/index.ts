// The query language of a search: from JSON to the typed tree that the engine answers.

import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { parseClause } from './clause.ts';
import { BodyError, QueryError } from './errors.ts';
import { ClauseBudget, MAX_CLAUSES } from './limits.ts';
import type { ParseContext } from './scope.ts';
import { parseSort, type SortKey } from './sort.ts';

export { QueryError } from './errors.ts';
export { MAX_BODY_CHARACTERS, MAX_CLAUSES, MAX_DEPTH } from './limits.ts';
export type { ParseContext } from './scope.ts';
export { parseSort, SCORE, type SortKey } from './sort.ts';

/** What a search asks for. */
export interface SearchBody {
  query: Query;
  /** Empty if none is asked for. */
  sort: readonly SortKey[];
}

/**
 * Reads a query.
 * @param json - what stands under `query`, read from JSON
 * @returns the tree, in which texts are analysed, values are in the form in which they are indexed, and fields exist
 * @throws QueryError for what is no query, or one that asks for too much; no other error
 */
export function parseQuery(json: unknown, context: ParseContext): Query {
  return parseClause(json, {
    ...context,
    nestedPath: undefined,
    depth: 0,
    budget: new ClauseBudget(context.maxClauses ?? MAX_CLAUSES),
    parse: parseClause,
  });
}

/**
 * Reads the body of a search: `query`, and `sort` if there is one. Its length is checked before, on the raw text,
 * against `MAX_BODY_CHARACTERS`.
 * @throws QueryError, whose `answer` is what the service tells the caller
 */
export function parseBody(json: unknown, context: ParseContext): SearchBody {
  if (!isObject(json)) throw new BodyError('Failed to parse es dsl query');
  const { query, sort, ...others } = json;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new QueryError(`request does not support [${other}]`);
  if (query === undefined) throw new QueryError('request requires [query]');
  return { query: parseQuery(query, context), sort: sort === undefined ? [] : parseSort(sort) };
}
