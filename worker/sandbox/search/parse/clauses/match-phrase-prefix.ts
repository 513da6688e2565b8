// match_phrase_prefix: matches a phrase whose last term is a prefix.
import { parsePhrase } from '../phrase.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"match_phrase_prefix": {"field": {"query": "quick brown f", "max_expansions": 50, "slop": 0}}}`. */
export const parseMatchPhrasePrefix: ClauseParser = (body, scope) =>
  parsePhrase('match_phrase_prefix', 'phrase_prefix', body, scope);
