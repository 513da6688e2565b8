// Expands known values in queries.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';
import { expandKnownValuesInText } from './known-expressions.ts';
import { getSpellings } from './known-values.ts';

/** Expands the value of a `match` clause, as filter tables make it. Other clauses stay unchanged. */
function expandMatchClause(clause: unknown): unknown {
  const match = isObject(clause) ? clause.match : undefined;
  const [field, more] = isObject(match) ? Object.entries(match) : [];
  if (field === undefined || more !== undefined) return clause;
  const [name, options] = field;
  if (!isObject(options) || typeof options.query !== 'string') return clause;
  const spellings = getSpellings(name, options.query);
  const matches = spellings.map((query) => ({ match: { [name]: { ...options, query } } }));
  return matches.length === 1 ? matches[0] : { bool: { should: matches } };
}

/**
 * Replaces known values by the spellings that records use: in text filters, and in the `match` clauses of a body's
 * top-level `bool.filter`.
 */
export function expandKnownValuesInQuery(query: Query): Query {
  if ('filters' in query) {
    const entries = Object.entries(query.filters).map(([name, value]) => [
      name,
      typeof value === 'string' ? expandKnownValuesInText(name, value) : value,
    ]);
    return { ...query, filters: Object.fromEntries(entries) };
  }
  const clause = 'es_dsl' in query ? query.es_dsl.query : undefined;
  const bool = isObject(clause) ? clause.bool : undefined;
  if (!('es_dsl' in query) || !isObject(clause) || !isObject(bool) || !Array.isArray(bool.filter))
    return query;
  const filter = bool.filter.map(expandMatchClause);
  return { ...query, es_dsl: { ...query.es_dsl, query: { ...clause, bool: { ...bool, filter } } } };
}
