// match_phrase: a text, analysed, whose terms have to follow one another.
import { parsePhrase } from '../phrase.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"match_phrase": {"field": "text"}}` and `{"match_phrase": {"field": {"query": "text", "slop": 1}}}`. */
export const parseMatchPhrase: ClauseParser = (body, scope) =>
  parsePhrase('match_phrase', 'phrase', body, scope);
