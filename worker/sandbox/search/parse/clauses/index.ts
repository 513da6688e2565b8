// The supported clauses, by name.
import type { ClauseParser } from '../scope.ts';
import { parseBool } from './bool.ts';
import { parseConstantScore } from './constant-score.ts';
import { parseDisMax } from './dis-max.ts';
import { parseExists } from './exists.ts';
import { parseFuzzy } from './fuzzy.ts';
import { parseIds } from './ids.ts';
import { parseMatch } from './match.ts';
import { parseMatchAll } from './match-all.ts';
import { parseMatchBoolPrefix } from './match-bool-prefix.ts';
import { parseMatchNone } from './match-none.ts';
import { parseMatchPhrase } from './match-phrase.ts';
import { parseMatchPhrasePrefix } from './match-phrase-prefix.ts';
import { parseMultiMatch } from './multi-match.ts';
import { parseNested } from './nested.ts';
import { parsePrefix } from './prefix.ts';
import { parseQueryStringClause } from './query-string.ts';
import { parseRange } from './range.ts';
import { parseRegexp } from './regexp.ts';
import { parseSimpleQueryString } from './simple-query-string.ts';
import { parseTerm } from './term.ts';
import { parseTerms } from './terms.ts';
import { parseWildcard } from './wildcard.ts';

/** The supported clauses. */
export const clauses: ReadonlyMap<string, ClauseParser> = new Map([
  ['bool', parseBool],
  ['constant_score', parseConstantScore],
  ['dis_max', parseDisMax],
  ['exists', parseExists],
  ['fuzzy', parseFuzzy],
  ['ids', parseIds],
  ['match', parseMatch],
  ['match_all', parseMatchAll],
  ['match_bool_prefix', parseMatchBoolPrefix],
  ['match_none', parseMatchNone],
  ['match_phrase', parseMatchPhrase],
  ['match_phrase_prefix', parseMatchPhrasePrefix],
  ['multi_match', parseMultiMatch],
  ['nested', parseNested],
  ['prefix', parsePrefix],
  ['query_string', parseQueryStringClause],
  ['range', parseRange],
  ['regexp', parseRegexp],
  ['simple_query_string', parseSimpleQueryString],
  ['term', parseTerm],
  ['terms', parseTerms],
  ['wildcard', parseWildcard],
]);
