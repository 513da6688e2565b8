// match_bool_prefix: a text whose last term is the start of one.
import { boosted, NONE, withMinimum } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField } from '../leaves.ts';
import { matchText } from '../match-text.ts';
import { fieldOptions, scalar } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { readMatchOptions } from '../text-options.ts';

const CLAUSE = 'match_bool_prefix';

/** Reads `{"match_bool_prefix": {"field": "quick brown f"}}` and the same with options, as `match` has them. */
export const parseMatchBoolPrefix: ClauseParser = (body, scope) => {
  const { field: path, options } = fieldOptions(CLAUSE, body, 'query');
  const value = options.read('query', scalar);
  const { text, minimum } = readMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError(`[${CLAUSE}] requires query value`);
  const field = findField(scope, path);
  if (field === undefined) return NONE;
  const query = matchText(scope, field, value, { ...text, type: 'boolean_prefix' });
  return query === undefined ? NONE : boosted(withMinimum(query, minimum), boost);
};
