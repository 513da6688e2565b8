// match_bool_prefix: matches the terms of a text; the last term is a prefix.
import { MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField } from '../leaves.ts';
import { buildMatch } from '../match-text.ts';
import { parseFieldOptions, scalarReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { parseMatchOptions } from '../text-options.ts';

const CLAUSE = 'match_bool_prefix';

/** Parses `{"match_bool_prefix": {"field": "quick brown f"}}`, and the same with the options of `match`. */
export const parseMatchBoolPrefix: ClauseParser = (body, scope) => {
  const { field: path, options } = parseFieldOptions(CLAUSE, body, 'query');
  const value = options.read('query', scalarReader);
  const { text, minimum } = parseMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError(`[${CLAUSE}] requires query value`);
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  const query = buildMatch(scope, field, value, { ...text, type: 'boolean_prefix' });
  return query === undefined ? MATCH_NONE : withBoost(withMinimumShouldMatch(query, minimum), boost);
};
