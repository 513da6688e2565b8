// match_none: matches no document.
import { MATCH_NONE } from '../combine.ts';
import { Options } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"match_none": {}}`. */
export const parseMatchNone: ClauseParser = (body) => {
  new Options('match_none', body).finish('unknown field');
  return MATCH_NONE;
};
