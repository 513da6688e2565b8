// multi_match: a text looked for in several fields.
import { boosted, matchAll, NONE, withMinimum } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { matchText } from '../match-text.ts';
import { bestField, resolveFields } from '../multi-fields.ts';
import { count, decimal, Options, scalar, texts } from '../options.ts';
import type { ClauseParser } from '../scope.ts';
import { fieldTypeReader, fieldTypes, readMatchOptions } from '../text-options.ts';

const CLAUSE = 'multi_match';

/** Reads `{"multi_match": {"query": "text", "fields": ["name^2", "location_*"], "type": "best_fields"}}`. */
export const parseMultiMatch: ClauseParser = (body, scope) => {
  const options = new Options(CLAUSE, body);
  const value = options.read('query', scalar);
  const names = options.read('fields', texts);
  const type = options.read('type', fieldTypeReader(CLAUSE)) ?? 'best_fields';
  const slop = options.read('slop', count) ?? 0;
  const tieBreaker = options.read('tie_breaker', decimal) ?? fieldTypes[type].tieBreaker;
  const { text, zeroTerms, minimum, lenient } = readMatchOptions(options);
  const boost = options.finish();
  if (value === undefined) throw new QueryError('No text specified for multi_match query');
  if (text.fuzziness !== undefined && (type === 'phrase' || type === 'phrase_prefix')) {
    throw new QueryError(`Fuzziness not allowed for type [${type}]`);
  }
  if (slop !== 0 && type === 'bool_prefix') throw new QueryError(`[slop] not allowed for type [${type}]`);
  const { fields, all } = resolveFields(scope, CLAUSE, names?.length === 0 ? undefined : names);
  const asked = { ...text, type: fieldTypes[type].text, slop, lenient: lenient ?? all };
  const query = bestField(fields, tieBreaker, (field) => {
    const found = matchText(scope, field, value, asked);
    if (found === undefined) return zeroTerms === 'all' ? matchAll() : NONE;
    return withMinimum(found, minimum);
  });
  return boosted(query ?? NONE, boost);
};
