// Parses a clause: an object with one key, the clause's name.

import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { clauses } from './clauses/index.ts';
import { QueryError } from './errors.ts';
import { checkDepth } from './limits.ts';
import type { Scope } from './scope.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';

/**
 * Parses a clause one level below the given scope.
 * @throws QueryError for an invalid or unsupported clause
 */
export function parseClause(json: unknown, scope: Scope): Query {
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
