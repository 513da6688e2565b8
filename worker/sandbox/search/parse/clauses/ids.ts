// ids: documents by their own id.
import { boosted, NONE } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { findField, ID_FIELD, termsLeaf } from '../leaves.ts';
import { MAX_TERMS } from '../limits.ts';
import { Options, texts } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** Reads `{"ids": {"values": ["1", 2]}}`. */
export const parseIds: ClauseParser = (body, scope) => {
  const options = new Options('ids', body);
  const values = options.read('values', texts) ?? [];
  const boost = options.finish('unknown field');
  if (values.length > MAX_TERMS) throw new QueryError(`[ids] more than [${MAX_TERMS}] values`);
  const field = findField(scope, ID_FIELD);
  return field === undefined ? NONE : boosted(termsLeaf(scope, field, values), boost);
};
