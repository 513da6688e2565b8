// multi_match: matches a text in several fields.
import { buildMatchAll, MATCH_NONE, withBoost, withMinimumShouldMatch } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildMatch } from '../match-text.ts';
import { buildBestField, resolveFields } from '../multi-fields.ts';
import { countReader, numberReader, Options, scalarReader, textListReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { createFieldTypeReader, fieldTypes, parseMatchOptions } from '../text-options.ts';

const CLAUSE = 'multi_match';

/** Parses `{"multi_match": {"query": "text", "fields": ["name^2", "location_*"], "type": "best_fields"}}`. */
export const parseMultiMatch: ClauseParser = (body, scope) => {
  const options = new Options(CLAUSE, body);
  const value = options.read('query', scalarReader);
  const names = options.read('fields', textListReader);
  const type = options.read('type', createFieldTypeReader(CLAUSE)) ?? 'best_fields';
  const slop = options.read('slop', countReader) ?? 0;
  const tieBreaker = options.read('tie_breaker', numberReader) ?? fieldTypes[type].tieBreaker;
  const { text, zeroTerms, minimum, lenient } = parseMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('No text specified for multi_match query');
  if (text.fuzziness !== undefined && (type === 'phrase' || type === 'phrase_prefix')) {
    throw new QueryError(`Fuzziness not allowed for type [${type}]`);
  }
  if (slop !== 0 && type === 'bool_prefix') throw new QueryError(`[slop] not allowed for type [${type}]`);
  const { fields, all } = resolveFields(scope, CLAUSE, names?.length === 0 ? undefined : names);
  const textOptions = { ...text, type: fieldTypes[type].text, slop, lenient: lenient ?? all };
  const query = buildBestField(fields, tieBreaker, (field) => {
    const match = buildMatch(scope, field, value, textOptions);
    if (match === undefined) return zeroTerms === 'all' ? buildMatchAll() : MATCH_NONE;
    return withMinimumShouldMatch(match, minimum);
  });
  return withBoost(query ?? MATCH_NONE, boost);
};
