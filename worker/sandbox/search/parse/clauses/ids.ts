// ids: matches documents by id.
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildTerms, findField, ID_FIELD } from '../leaves.ts';
import { MAX_TERMS } from '../limits.ts';
import { Options, textListReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Parses `{"ids": {"values": ["1", 2]}}`. */
export const parseIds: ClauseParser = (body, scope) => {
  const options = new Options('ids', body);
  const values = options.read('values', textListReader) ?? [];
  const boost = options.finish('unknown field');
  if (values.length > MAX_TERMS) throw new QueryError(`[ids] more than [${MAX_TERMS}] values`);
  const field = findField(scope, ID_FIELD);
  return field === undefined ? MATCH_NONE : withBoost(buildTerms(scope, field, values), boost);
};
