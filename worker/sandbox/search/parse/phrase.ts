// Parses match_phrase and match_phrase_prefix.
import type { Query } from '../query.ts';
import { buildMatchAll, MATCH_NONE, withBoost } from './combine.ts';
import { QueryError } from './errors.ts';
import { findField } from './leaves.ts';
import { buildMatch, textDefaults } from './match-text.ts';
import { parseFieldOptions, scalarReader } from './options.ts';
import type { Scope } from './scope.ts';
import { parsePhraseOptions } from './text-options.ts';

/**
 * Parses a phrase in one field, as a text or with options.
 * @throws QueryError for an invalid body
 */
export function parsePhrase(
  clause: string,
  type: 'phrase' | 'phrase_prefix',
  body: unknown,
  scope: Scope,
): Query {
  const { field: path, options } = parseFieldOptions(clause, body, 'query');
  const value = options.read('query', scalarReader);
  const { zeroTerms, ...phrase } = parsePhraseOptions(options, type === 'phrase_prefix');
  const boost = options.finish();
  if (value === undefined) throw new QueryError(`[${clause}] requires query value`);
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const query = buildMatch(scope, field, value, { ...textDefaults, ...phrase, type });
  if (query === undefined) return zeroTerms === 'all' ? buildMatchAll(boost) : MATCH_NONE;
  return withBoost(query, boost);
}
