// Reads the values of a query that people filled into a table as known values of their fields.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';
import { expandKnownValuesInText } from './known-expressions.ts';
import { getSpellings } from './known-values.ts';

/** A condition that a field has all words of a value, as a filter table makes it; any other clause stays as it is. */
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
 * Puts the spellings of records in place of known values: in text filters, and in the `match` conditions that a body has at
 * its top in `bool` and `filter`.
 */
export function expandKnownValuesInQuery(query: Query): Query {
  if ('filters' in query) {
    const entries = Object.entries(query.filters).map(([name, value]) => [
      name,
      typeof value === 'string' ? expandKnownValuesInText(name, value) : value,
    ]);
    return { ...query, filters: Object.fromEntries(entries) };
  }
  const asked = 'es_dsl' in query ? query.es_dsl.query : undefined;
  const bool = isObject(asked) ? asked.bool : undefined;
  if (!('es_dsl' in query) || !isObject(asked) || !isObject(bool) || !Array.isArray(bool.filter))
    return query;
  const filter = bool.filter.map(expandMatchClause);
  return { ...query, es_dsl: { ...query.es_dsl, query: { ...asked, bool: { ...bool, filter } } } };
}
