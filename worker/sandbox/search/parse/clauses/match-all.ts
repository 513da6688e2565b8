// match_all: matches every document with the same score.
import { buildMatchAll } from '../combine.ts';
import { Options } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"match_all": {"boost": 1}}`. */
export const parseMatchAll: ClauseParser = (body, scope) => {
  const boost = new Options('match_all', body).finish('unknown field');
  scope.budget.countClause();
  return buildMatchAll(boost);
};
