// What match_phrase and match_phrase_prefix have in common.
import type { Query } from '../query.ts';
import { boosted, matchAll, NONE } from './combine.ts';
import { QueryError } from './errors.ts';
import { findField } from './leaves.ts';
import { matchText, textDefaults } from './match-text.ts';
import { fieldOptions, scalar } from './options.ts';
import type { Scope } from './scope.ts';
import { readPhraseOptions } from './text-options.ts';

/**
 * Reads a phrase in one field, as a text or with options.
 * @throws QueryError for a body that is none
 */
export function parsePhrase(
  clause: string,
  type: 'phrase' | 'phrase_prefix',
  body: unknown,
  scope: Scope,
): Query {
  const { field: path, options } = fieldOptions(clause, body, 'query');
  const value = options.read('query', scalar);
  const { zeroTerms, ...phrase } = readPhraseOptions(options, type === 'phrase_prefix');
  const boost = options.finish();
  if (value === undefined) throw new QueryError(`[${clause}] requires query value`);
  const field = findField(scope, path);
  if (field === undefined) return NONE;
  const query = matchText(scope, field, value, { ...textDefaults, ...phrase, type });
  if (query === undefined) return zeroTerms === 'all' ? matchAll(boost) : NONE;
  return boosted(query, boost);
}
