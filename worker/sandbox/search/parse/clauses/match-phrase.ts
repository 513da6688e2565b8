// match_phrase: matches the terms of a text in sequence.
import { parsePhrase } from '../phrase.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"match_phrase": {"field": "text"}}` and `{"match_phrase": {"field": {"query": "text", "slop": 1}}}`. */
export const parseMatchPhrase: ClauseParser = (body, scope) =>
  parsePhrase('match_phrase', 'phrase', body, scope);
