// Parses a clause: an object with one key, the clause's name.
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { Query } from '../query.ts';
import { QueryError } from './errors.ts';
import { checkDepth } from './limits.ts';
import type { Scope, ClauseParser } from './scope.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import { parseBool, parseConstantScore, parseDisMax, parseMatchAll, parseMatchNone, parseNested } from './clauses/compound.ts';
import { parseExists, parseFuzzy, parseIds, parsePrefix, parseRange, parseRegexp, parseTerm, parseTerms, parseWildcard } from './clauses/term-level.ts';
import { parseMatch, parseMatchBoolPrefix, parseMatchPhrase, parseMatchPhrasePrefix, parseMultiMatch, parseQueryStringClause, parseSimpleQueryString } from './clauses/full-text.ts';

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

/** The supported clauses. */
export const clauses: ReadonlyMap<string, ClauseParser> = new Map([
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
